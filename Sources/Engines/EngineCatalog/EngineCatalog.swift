// SPDX-License-Identifier: Apache-2.0

public import EngineConfinement
import Glibc
public import MediaPlayback
import PlaybackCore

/// The engines on disk, from manifests alone: nothing is loaded to be listed.
public struct EngineCatalog: Sendable {
    /// One folder `ID.engine`.
    public struct Entry: Sendable, Hashable {
        public var engine: InstalledEngine
        /// The module, resolved and checked; of an engine that could be used, also if it is not to be.
        public var module: String?
        /// Under a licence that keeps it out of other people's processes.
        public var isCopyleft = false
        public var origin: Origin
        /// What its manifest asks for, and what of that it has.
        public var permissions: [String] = []
        public var granted: [String] = []
        /// What its manifest asks for, in MiB.
        public var memory = Confinement.defaultMemory

        /// What its process keeps.
        public var confinement: Confinement {
            Confinement(network: granted.contains(Permission.network), memory: memory, folder: engine.path)
        }
    }

    /// How an engine came here.
    public enum Origin: String, Sendable {
        /// With the programs: it is granted what it asks for.
        case installed
        /// By the user, into the folder for that.
        case user
        /// Named in `ROSTRUM_ENGINE_PATH`.
        case named
    }

    public let registry: EngineRegistry?
    public let searchPath: SearchPath
    private let user: UInt32
    private let abiMajor: Int

    /// - Parameters:
    ///   - registry: what the user decided; nothing if nil.
    ///   - user: who, besides root, may own engines; who runs this program if nil.
    public init(_ searchPath: SearchPath, registry: EngineRegistry? = nil, user: UInt32? = nil, abiMajor: Int = 1) {
        self.searchPath = searchPath
        self.registry = registry
        self.user = user ?? getuid()
        self.abiMajor = abiMajor
    }

    /// In order of the search path.
    ///
    /// Reads files: not on a thread that others wait for.
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
                entry.engine.reason = "another folder with this id comes first"
                entry.module = nil
            }
            result.append(entry)
        }
        return result
    }

    /// Changes whenever what `entries` returns may have changed.
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
                throw .incompatible("manifest.json: the id is '\(manifest.id)', the folder says '\(id)'")
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

    /// What lies beside the module may be loaded with it, so it is to be nobody else's to change either.
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
            throw .incompatible("has no manifest.json that can be read")
        }
        try trust(status, path)
        do throws(Manifest.Fault) {
            return try Manifest(json: bytes)
        } catch {
            throw .incompatible(error.reason)
        }
    }

    /// Where the module really is: inside of the folder, and nobody else's to change.
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
            throw .refused("\(name) is \(path), outside of the engine's folder")
        }
        guard let status = FileStatus(path), status.isFile else { throw .incompatible("\(name) is not a file") }
        try trust(status, path)
        // A folder between, in which others may write, is as good as the module.
        var between = path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        while between.utf8.count > folder.utf8.count {
            if let status = FileStatus(between) { try trust(status, between) }
            between = between.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        }
        return path
    }
}
