// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FoundationEssentials
import Glibc
import MediaPlayback
public import PlaybackCore

/// Installs engines into the user's folder, and removes them from it.
///
/// It never loads code. It reads and writes files, so do not use it on a thread that others wait for.
public struct EngineInstaller: Sendable {
    public struct Failure: Error, Sendable, Hashable {
        public enum Kind: Sendable, Hashable {
            case notFound, badContent, notPermitted, cannotCreate, unavailable
        }

        public var kind: Kind
        /// One line that says what failed, on what, and what to do.
        public var message: String

        init(_ kind: Kind, _ message: String) {
            self.kind = kind
            self.message = message
        }
    }

    public struct Installed: Sendable, Hashable {
        public var id: EngineID
        public var version: String
        public var path: String
        /// The version that was installed before.
        public var replaced: String?
    }

    private let catalog: EngineCatalog

    public init(_ catalog: EngineCatalog) { self.catalog = catalog }

    /// Copies the engine at `path`, a folder `ID.engine` or a tar archive of one.
    ///
    /// - Parameter force: `true` to also replace a version that is not older.
    public func install(_ path: String, force: Bool) throws(Failure) -> Installed {
        let folder = try userFolder()
        let staging = try makeStaging(in: folder)
        defer { try? FileManager.default.removeItem(atPath: staging) }
        let (source, isUnpacked) = try source(path, staging)
        let name = String(source.split(separator: "/").last ?? "")
        guard name.hasSuffix(".engine"), Manifest.isID(String(name.dropLast(".engine".count))) else {
            throw Failure(.badContent, "\(path) is not an engine: its folder must be named ID.engine")
        }
        let incoming = staging + "/checked"
        try makeFolder(incoming)
        var copy = EngineCopy(isUnpacked: isUnpacked)
        try copy.copy(source, to: "\(incoming)/\(name)")
        // Check what the catalog would say of the engine in its final folder.
        guard let entry = EngineCatalog(SearchPath(folders: [incoming])).entries().first else {
            throw Failure(.badContent, "\(path) is not an engine")
        }
        guard entry.module != nil else {
            let reason = (entry.engine.reason ?? "").replacing(incoming + "/" + name, with: path)
            throw Failure(entry.engine.state == .refused ? .notPermitted : .badContent, "\(path): \(reason)")
        }
        return try putInPlace(entry, from: "\(incoming)/\(name)", to: "\(folder)/\(name)", force: force)
    }

    /// Removes an engine, which must be in the user's folder.
    public func remove(_ id: EngineID) throws(Failure) -> String {
        let entries = catalog.entries().filter { $0.engine.id == id }
        guard let entry = entries.first(where: { $0.origin == .user }) else {
            guard let other = entries.first else { throw Self.unknown(id) }
            throw Failure(
                .notPermitted,
                "the engine \(id) is not the user's own: \(other.engine.path); rostrum engines disable \(id) keeps it from"
                    + " being used")
        }
        let path = entry.engine.path
        // Remove the engine from the catalog's sight at once, and then delete it.
        let gone = try makeStaging(in: try userFolder())
        guard rename(path, gone + "/removed") == 0 else {
            let failure = Self.failure(.cannotCreate, "cannot remove \(path)")
            rmdir(gone)
            throw failure
        }
        try? FileManager.default.removeItem(atPath: gone)
        return path
    }

    public static func unknown(_ id: EngineID) -> Failure {
        Failure(.unavailable, "no such engine: \(id); see rostrum engines")
    }

    // MARK: Steps

    private func userFolder() throws(Failure) -> String {
        guard let folder = catalog.searchPath.user else {
            throw Failure(.cannotCreate, "no home folder to install into; set HOME")
        }
        var above = ""
        for part in folder.split(separator: "/") {
            above += "/" + part
            if mkdir(above, 0o700) != 0, errno != EEXIST {
                throw Self.failure(.cannotCreate, "cannot make the folder \(above)")
            }
        }
        if let status = FileStatus(folder), let reason = status.distrust(user: getuid()) {
            throw Failure(.notPermitted, "\(folder) \(reason)")
        }
        return folder
    }

    private static let staging = ".incoming-"

    /// Creates a private folder in the same file system, with a name that the catalog does not take for an engine.
    ///
    /// It first deletes such folders that a killed session left behind. There is only one session, which does one thing
    /// at a time here.
    private func makeStaging(in folder: String) throws(Failure) -> String {
        for name in FileStatus.names(in: folder) where name.hasPrefix(Self.staging) {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        var template = Array("\(folder)/\(Self.staging)XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Self.failure(.cannotCreate, "cannot make a folder in \(folder)")
        }
        return String(cString: made)
    }

    private func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else { throw Self.failure(.cannotCreate, "cannot make the folder \(path)") }
    }

    /// Returns the folder to copy: the one that was named, or the one in the archive.
    private func source(
        _ path: String, _ staging: String
    ) throws(Failure) -> (folder: String, isUnpacked: Bool) {
        guard let real = FileStatus.resolve(path), let status = FileStatus(real) else {
            throw Failure(.notFound, "no such file: \(path); give a folder ID.engine or a tar archive of one")
        }
        if status.isFolder { return (real, false) }
        guard status.isFile, [".tar", ".tar.gz", ".tgz"].contains(where: { real.hasSuffix($0) }) else {
            throw Failure(.badContent, "\(path) is neither a folder ID.engine nor a .tar or .tar.gz of one")
        }
        let unpacked = staging + "/unpacked"
        try makeFolder(unpacked)
        try TarArchive(path: real).unpack(into: unpacked)
        let names = FileStatus.names(in: unpacked).filter { $0 != "." && $0 != ".." }
        guard let name = names.first, names.count == 1 else {
            throw Failure(.badContent, "\(path) must contain one folder ID.engine and nothing else")
        }
        return ("\(unpacked)/\(name)", true)
    }

    private func putInPlace(
        _ entry: EngineCatalog.Entry, from: String, to path: String, force: Bool
    ) throws(Failure) -> Installed {
        let id = entry.engine.id
        var installed = Installed(id: id, version: entry.engine.version, path: path, replaced: nil)
        if access(path, F_OK) == 0 {
            let old = catalog.entries().first { $0.engine.id == id && $0.origin == .user }?.engine.version ?? ""
            guard force || Version(entry.engine.version) > Version(old) else {
                throw Failure(
                    .cannotCreate,
                    "\(id) \(old) is installed in \(path), and \(entry.engine.version) is not newer; --force replaces it"
                )
            }
            // Exchange the two, so that there is an engine at any time; the old one is deleted with the staging folder.
            guard gnu_exchange(from, path) == 0 else { throw Self.failure(.cannotCreate, "cannot replace \(path)") }
            installed.replaced = old
        } else if rename(from, path) != 0 {
            throw Self.failure(.cannotCreate, "cannot create \(path)")
        }
        return installed
    }

    static func failure(_ kind: Failure.Kind, _ what: String) -> Failure {
        Failure(kind, "\(what): \(String(cString: strerror(errno)))")
    }
}

/// A version: numbers with dots between them.
///
/// Anything that is not a number counts as the oldest version, and what follows the numbers is not compared.
struct Version: Comparable {
    private let parts: [Int]

    init(_ text: String) {
        parts = text.split(separator: ".").map { Int($0.prefix { $0.isNumber }) ?? 0 }
    }

    static func < (a: Version, b: Version) -> Bool {
        for index in 0..<max(a.parts.count, b.parts.count) {
            let (left, right) = (
                index < a.parts.count ? a.parts[index] : 0, index < b.parts.count ? b.parts[index] : 0
            )
            if left != right { return left < right }
        }
        return false
    }

    static func == (a: Version, b: Version) -> Bool { !(a < b) && !(b < a) }
}
