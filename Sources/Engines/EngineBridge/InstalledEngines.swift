// SPDX-License-Identifier: Apache-2.0

public import EngineCatalog
import EngineHost
import EngineTransport
public import MediaPlayback
public import PlaybackCore

/// The engines that are installed, and the processes that are made of them: none before it is asked for.
public actor InstalledEngines: EngineProvider {
    private let catalog: EngineCatalog
    private let runner: String
    private let reactor: EngineReactor
    private let deadlines: EngineDeadlines
    private let trusted: Set<EngineID>

    private var known: (fingerprint: Int, entries: [EngineCatalog.Entry])?
    private var spares: [EngineID: HostedEngine] = [:]

    /// - Parameters:
    ///   - runner: path of `rostrum-engine-runner`.
    ///   - trusted: engines that may live in this process, if their manifests want it.
    public init(
        _ catalog: EngineCatalog, runner: String, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), trusted: Set<EngineID> = []
    ) {
        self.catalog = catalog
        self.runner = runner
        self.reactor = reactor
        self.deadlines = deadlines
        self.trusted = trusted
    }

    public func installed() async -> [InstalledEngine] {
        await entries().map(\.engine)
    }

    public func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine {
        if let spare = spares.removeValue(forKey: id), !spare.isGone { return spare }
        return try await launch(id)
    }

    /// Starts the process of an engine ahead of need; the next `start` of it takes that.
    public func prewarm(_ id: EngineID) async {
        if let spare = spares[id], !spare.isGone { return }
        guard let spare = try? await launch(id) else { return }
        // Another one may have come while the manifests were read: the later is let go.
        if spares[id]?.isGone != false { spares[id] = spare }
    }

    /// Ends all that was started ahead and not taken.
    public func endSpares() async {
        let ending = spares.values
        spares = [:]
        for spare in ending { await spare.shutDown() }
    }

    public func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async {
    }

    private func launch(_ id: EngineID) async throws(EngineError) -> HostedEngine {
        guard let entry = await entries().first(where: { $0.engine.id == id }) else {
            throw EngineError(
                code: EngineError.unavailable, message: "no engine '\(id)' is installed: see rostrum engines")
        }
        guard entry.engine.state == .available, let module = entry.module else {
            let code = entry.engine.state == .refused ? EngineError.refused : EngineError.unavailable
            throw EngineError(
                code: code, message: "the engine '\(id)' is \(entry.engine.state): \(entry.engine.reason ?? "")")
        }
        let hosting: EngineLaunch.Hosting =
            entry.engine.hosting == .inProcess ? .inProcess : .isolated(runner: runner)
        return try HostedEngine(
            EngineLaunch(id: id, module: module, hosting: hosting), reactor: reactor, deadlines: deadlines)
    }

    /// As of now: folders that did not change are not read again.
    private func entries() async -> [EngineCatalog.Entry] {
        let catalog = catalog
        let known = known
        let found = await withCheckedContinuation { continuation in
            let look = { @Sendable in
                let fingerprint = catalog.fingerprint()
                let same = known?.fingerprint == fingerprint ? known?.entries : nil
                continuation.resume(returning: (fingerprint, same ?? catalog.entries()))
            }
            // A file system may wait for long.
            if !HostThread.start("engine-catalog", look) { look() }
        }
        self.known = found
        return found.1.map(hosted)
    }

    /// How it would live here; one that must not live where it wants to is refused.
    private func hosted(_ entry: EngineCatalog.Entry) -> EngineCatalog.Entry {
        var entry = entry
        guard entry.engine.hosting == .inProcess else { return entry }
        if !trusted.contains(entry.engine.id) {
            entry.engine.hosting = .isolated
        } else if entry.isCopyleft, entry.engine.state == .available {
            entry.engine.state = .refused
            entry.engine.reason = "its licence (\(entry.engine.license)) does not go into this process"
        }
        return entry
    }
}
