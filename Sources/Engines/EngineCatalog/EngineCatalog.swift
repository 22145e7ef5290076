// SPDX-License-Identifier: Apache-2.0

public import EngineConfinement
import Glibc
public import MediaPlayback
import PlaybackCore

/// The engines on disk, listed from their manifests alone, without loading any code.
public struct EngineCatalog: Sendable {
    /// A folder `ID.engine`.
    public struct Entry: Sendable, Hashable {
        public var engine: InstalledEngine
        /// The resolved and checked module of an engine that could be used, even if the user decided against it.
        public var module: String?
        /// `true` if the engine's licence keeps it out of processes with code under other licences.
        public var isCopyleft = false
        public var origin: Origin
        /// The permissions that the manifest requests; `granted` holds those that the engine has.
        public var permissions: [String] = []
        public var granted: [String] = []
        /// The memory that the manifest requests, in MiB.
        public var memory = Confinement.defaultMemory

        /// The rights that the engine's process keeps.
        public var confinement: Confinement {
            Confinement(
                network: granted.contains(Permission.network), writes: granted.contains(Permission.writes),
                voices: granted.contains(Permission.voices), memory: memory, folder: engine.path)
        }
    }

    /// The way in which an engine was installed.
    public enum Origin: String, Sendable {
        /// Installed with the programs; the engine is granted what it requests.
        case installed
        /// Installed by the user, into the folder for the user's engines.
        case user
        /// Found in a folder that `ROSTRUM_ENGINE_PATH` names.
        case named
    }

    public let registry: EngineRegistry?
    public let searchPath: SearchPath
    private let user: UInt32
    private let abiMajor: Int

    /// Creates a catalog.
    ///
    /// - Parameters:
    ///   - registry: The user's decisions; `nil` if there are none.
    ///   - user: The user who, besides root, may own engines; the user who runs this program if `nil`.
    public init(_ searchPath: SearchPath, registry: EngineRegistry? = nil, user: UInt32? = nil, abiMajor: Int = 1) {
        self.searchPath = searchPath
        self.registry = registry
        self.user = user ?? getuid()
        self.abiMajor = abiMajor
    }

    /// Returns the entries in the order of the search path.
    ///
    /// It reads files, so do not call it on a thread that others wait for.
    public func entries() -> [Entry] {
        var seen: Set<String> = []
        var result: [Entry] = []
        let records = registry?.records() ?? [:]
        let installed = Set(searchPath.installed.compactMap(FileStatus.resolve))
        let own = searchPath.user.flatMap(FileStatus.resolve)
        for folder in folders() {
            let root = folder.split(separator: "/").dropLast().map { "/" + $0 }.joined()
            var entry = entry(folder, installed.contains(root) ? .installed : root == own ? .user : .named)
            entry.take(records[entry.engine.id] ?? EngineRecord())
            if !seen.insert(entry.engine.id.rawValue).inserted {
                entry.engine.state = .shadowed
                entry.engine.reason = "another folder with this ID comes first"
                entry.module = nil
            }
            result.append(entry)
        }
        return result
    }

    /// Returns a value that changes whenever the result of `entries` may have changed.
    public func fingerprint() -> Int {
        var hasher = Hasher()
        if let registry { hasher.combine(FileStatus(registry.path)) }
        for folder in searchPath.folders { hasher.combine(FileStatus(folder)) }
        for folder in folders() {
            hasher.combine(folder)
            for name in FileStatus.names(in: folder) where name != ".." {
                hasher.combine(name)
                hasher.combine(FileStatus("\(folder)/\(name)"))
            }
            for part in LoadableFiles(folder).parts {
                hasher.combine(part.path)
                hasher.combine(part.status)
            }
        }
        return hasher.finalize()
    }

    private func folders() -> [String] {
        var roots: Set<String> = []
        return searchPath.folders.compactMap(FileStatus.resolve).filter { roots.insert($0).inserted }.flatMap { root in
            FileStatus.names(in: root).filter { $0.hasSuffix(".engine") && $0.utf8.count > 7 }.map { "\(root)/\($0)" }
        }
    }

    private enum Verdict: Error {
        case incompatible(String)
        case refused(String)
    }

    private func entry(_ folder: String, _ origin: Origin) -> Entry {
        let id = String((folder.split(separator: "/").last ?? "").dropLast(".engine".count))
        let engine = InstalledEngine(
            id: EngineID(id), name: id, version: "", vendor: "", license: "", abi: "", kinds: [], extensions: [],
            schemes: [], hosting: .isolated, state: .available, path: folder, reason: nil)
        var entry = Entry(engine: engine, origin: origin)
        do throws(Verdict) {
            guard let status = FileStatus(folder), status.isFolder else { throw .incompatible("is not a folder") }
            try trust(status, folder)
            let manifest = try manifest(folder)
            entry.take(manifest)
            guard manifest.id == id else {
                throw .incompatible("manifest.json: the ID is '\(manifest.id)', the folder says '\(id)'")
            }
            guard manifest.abiMajor == abiMajor else {
                throw .incompatible(
                    "made for version \(manifest.abi) of the engine contract, this program has \(abiMajor)")
            }
            entry.module = try module(manifest.module, folder)
            do throws(Verdict) {
                try trustLibraries(folder)
            } catch {
                entry.module = nil
                throw error
            }
        } catch {
            switch error {
            case .incompatible(let reason):
                entry.engine.state = .incompatible
                entry.engine.reason = reason
            case .refused(let reason):
                entry.engine.state = .refused
                entry.engine.reason = reason
            }
        }
        return entry
    }

    private func trust(_ status: FileStatus, _ path: String) throws(Verdict) {
        if let reason = status.distrust(user: user) { throw .refused("\(path) \(reason)") }
    }

    /// Checks the files beside the module: they may be loaded with it, so no other user may be able to change them.
    private func trustLibraries(_ folder: String) throws(Verdict) {
        let found = LoadableFiles(folder)
        guard found.isWhole else {
            throw .refused("\(folder) holds more than \(LoadableFiles.mostEntries) files, too many to look at")
        }
        for part in found.parts { try trust(part.status, part.path) }
    }

    private func manifest(_ folder: String) throws(Verdict) -> Manifest {
        let path = folder + "/manifest.json"
        guard let (bytes, status) = FileStatus.read(path, limit: Manifest.limit) else {
            throw .incompatible("has no readable manifest.json")
        }
        try trust(status, path)
        do throws(Manifest.Fault) {
            return try Manifest(json: bytes)
        } catch {
            throw .incompatible(error.reason)
        }
    }

    /// Returns the resolved path of the module, which must be inside the folder and which no other user may be able to
    /// change.
    private func module(_ name: String, _ folder: String) throws(Verdict) -> String {
        let named = "\(folder)/\(name)"
        var candidates = [named]
        if name.hasSuffix(".la") {
            guard let (text, status) = FileStatus.read(named, limit: Manifest.limit) else {
                throw .incompatible("\(name) is not there")
            }
            try trust(status, named)
            candidates = LibtoolArchive.candidates(text, folder: folder)
        }
        guard let path = candidates.lazy.compactMap(FileStatus.resolve).first else {
            throw .incompatible("\(name) is not there")
        }
        guard path.hasPrefix(folder + "/") else {
            throw .refused("\(name) is \(path), outside the engine's folder")
        }
        guard let status = FileStatus(path), status.isFile else { throw .incompatible("\(name) is not a file") }
        try trust(status, path)
        // A folder in between in which others may write is as dangerous as a module that they may write.
        var between = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        while between.utf8.count > folder.utf8.count {
            if let status = FileStatus(between) { try trust(status, between) }
            between = between.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        }
        return path
    }
}
