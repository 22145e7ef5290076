// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import EngineCatalog
import EngineConfinement
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The engines on disk, as they are shown to the user, and the user's decisions about them.
///
/// No engine is started for that.
struct EngineAdministration: Sendable {
    /// The time for reading files and unpacking an archive; a client waits a little longer.
    private static let limit = Duration.seconds(80)

    private let catalog: EngineCatalog
    private let registry: EngineRegistry
    // It has a thread of its own, because it reads files and may unpack an archive.
    private let queue = BlockingQueue(label: "rostrum.engines")

    init(_ catalog: EngineCatalog, registry: EngineRegistry) {
        self.catalog = catalog
        self.registry = registry
    }

    func perform(_ action: EngineAction) async throws(SessionError) -> SessionReply {
        let result = await queue.run(within: Self.limit) { () -> Result<SessionReply, SessionError> in
            do throws(SessionError) {
                return .success(try carryOut(action))
            } catch {
                return .failure(error)
            }
        }
        guard let result else {
            throw SessionError(late: "engines \(action.verb.rawValue)", after: Self.limit)
        }
        return try result.get()
    }

    private func carryOut(_ action: EngineAction) throws(SessionError) -> SessionReply {
        let id = EngineID(action.id)
        switch action.verb {
        case .show: return .engine(try show(id))
        case .install:
            let installed = try installing { (installer) throws(EngineInstaller.Failure) in
                try installer.install(action.path ?? "", force: action.force)
            }
            return .message(words(of: installed))
        case .remove:
            let path = try installing { (installer) throws(EngineInstaller.Failure) in try installer.remove(id) }
            // An engine that appears later with this ID is another one, so no decision applies to it.
            return try decide(id, "removed \(path)") { $0 = EngineRecord() }
        case .trust: return try trust(id)
        case .untrust: return try change(id, "\(id) is no longer trusted") { $0.trust = nil }
        case .enable: return try change(id, "\(id) is enabled") { $0.isDisabled = false }
        case .disable: return try change(id, "\(id) is disabled, and will not be started") { $0.isDisabled = true }
        case .clear: return try change(id, "\(id) is released from quarantine") { $0.quarantine = nil }
        }
    }

    private func installing<Value>(
        _ body: (EngineInstaller) throws(EngineInstaller.Failure) -> Value
    ) throws(SessionError) -> Value {
        do throws(EngineInstaller.Failure) {
            return try body(EngineInstaller(catalog))
        } catch {
            throw SessionError(error.code, error.message)
        }
    }

    /// Changes the record of an engine that is installed, or of which a record exists.
    private func change(
        _ id: EngineID, _ words: String, _ change: (inout EngineRecord) -> Void
    ) throws(SessionError) -> SessionReply {
        if registry.records()[id] == nil { _ = try entry(id) }
        return try decide(id, words, change)
    }

    private func decide(
        _ id: EngineID, _ words: String, _ change: (inout EngineRecord) -> Void
    ) throws(SessionError) -> SessionReply {
        do throws(EngineRegistry.Failure) {
            let complaint = try registry.update(id, change)
            return .message((complaint.map { $0 + "\n" } ?? "") + words)
        } catch {
            throw SessionError(.cannotCreate, error.message)
        }
    }

    private func entry(_ id: EngineID) throws(SessionError) -> EngineCatalog.Entry {
        guard let entry = catalog.entries().first(where: { $0.engine.id == id }) else {
            throw SessionError(.unavailable, "no such engine: \(id); see rostrum engines")
        }
        return entry
    }

    private func trust(_ id: EngineID) throws(SessionError) -> SessionReply {
        let found = try entry(id)
        guard found.module != nil else {
            throw SessionError(
                .notPermitted, "cannot trust \(id): it is \(found.engine.state): \(found.engine.reason ?? "")")
        }
        let asked = found.permissions.isEmpty ? "it requests no permissions" : found.permissions.joined(separator: ", ")
        return try decide(id, "\(id) in \(found.engine.path) is trusted: \(asked)") {
            $0.trust = EngineRecord.Trust(path: found.engine.path, permissions: found.permissions)
        }
    }

    private func words(of installed: EngineInstaller.Installed) -> String {
        var lines = ["installed \(installed.id) \(installed.version) in \(installed.path)"]
        if let replaced = installed.replaced { lines[0] += ", in place of \(replaced)" }
        guard let winner = catalog.entries().first(where: { $0.engine.id == installed.id }) else { return lines[0] }
        if winner.origin != .user { lines.append("not used: \(winner.engine.path) has the same ID, and comes first") }
        if let reason = winner.engine.reason { lines.append("\(winner.engine.state): \(reason)") }
        return lines.joined(separator: "\n")
    }

    private func show(_ id: EngineID) throws(SessionError) -> EngineDetail {
        let all = catalog.entries().map { $0.hosted(inProcess: false) }
        // The folder identifies an engine if several have the same ID.
        guard let shown = all.first(where: { $0.engine.id == id || $0.engine.path == id.rawValue }) else {
            throw SessionError(.unavailable, "no such engine: \(id); see rostrum engines")
        }
        let same = all.filter { $0.engine.id == shown.engine.id }.map(\.engine.path)
        let record = registry.record(of: shown.engine.id)
        let hash = shown.module.flatMap { ContentHash.of($0) }
        let kernel = KernelFeatures.current
        let words = shown.confinement.words(on: kernel)
        return EngineDetail(
            engine: EngineInfo(shown.engine), origin: shown.origin.rawValue, module: shown.module, hash: hash,
            extensions: shown.engine.extensions, schemes: shown.engine.schemes,
            permissions: .init(asked: shown.permissions, granted: shown.granted), memoryMiB: shown.memory,
            shadows: same.first == shown.engine.path ? Array(same.dropFirst()) : [],
            shadowedBy: same.first == shown.engine.path ? nil : same.first,
            conflicts: EngineConflict.of(shown, among: all).map {
                .init(
                    fileExtension: $0.fileExtension, engines: $0.engines.map(\.rawValue), winner: $0.winner.rawValue)
            },
            quarantine: record.quarantine.map {
                .init(reason: $0.reason, since: $0.since, holds: $0.module == hash)
            },
            confinement: .init(
                landlock: kernel.landlock, seccomp: kernel.filters, enforced: words.enforced, missing: words.missing))
    }
}

extension EngineInstaller.Failure {
    fileprivate var code: SessionError.Code {
        switch kind {
        case .notFound: .notFound
        case .badContent: .badContent
        case .notPermitted: .notPermitted
        case .cannotCreate: .cannotCreate
        case .unavailable: .unavailable
        }
    }
}
