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
    private let indexes: (any TrackIndexStore)?

    private var known: (fingerprint: Int, entries: [EngineCatalog.Entry])?
    private var spares: [EngineID: HostedEngine] = [:]
    private var health = EngineHealth()
    private let clock: any Clock<Duration>
    /// How long looking at the folders may take; then what was there the last time counts.
    private let patience: Duration
    /// For tests: runs before the folders are looked at, on the same thread.
    private let willLook: @Sendable () -> Void

    /// - Parameters:
    ///   - runner: path of `rostrum-engine-runner`.
    ///   - indexes: what engines found out about contents; nil: nothing is kept.
    ///   - trusted: engines that may live in this process, if their manifests want it.
    public init(
        _ catalog: EngineCatalog, runner: String, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), trusted: Set<EngineID> = [],
        indexes: (any TrackIndexStore)? = nil, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            catalog, runner: runner, reactor: reactor, deadlines: deadlines, trusted: trusted, indexes: indexes,
            clock: clock, patience: .seconds(5), willLook: {})
    }

    init(
        _ catalog: EngineCatalog, runner: String, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), trusted: Set<EngineID> = [],
        indexes: (any TrackIndexStore)? = nil, clock: any Clock<Duration> = ContinuousClock(),
        patience: Duration, willLook: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
        self.willLook = willLook
        self.indexes = indexes
        self.clock = clock
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
        let pause = health.pause(before: id, at: EngineReactor.monotonic())
        if pause > .zero { try? await clock.sleep(for: pause) }
        let launch = try await launch(of: id)
        if let spare = spares.removeValue(forKey: id), !spare.isGone { return spare }
        return try HostedEngine(launch, reactor: reactor, deadlines: deadlines, indexes: indexes)
    }

    /// Starts the process of an engine ahead of need; the next `start` of it takes that.
    public func prewarm(_ id: EngineID) async {
        guard let launch = try? await launch(of: id) else { return }
        if let spare = spares[id], !spare.isGone { return }
        spares[id] = try? HostedEngine(launch, reactor: reactor, deadlines: deadlines, indexes: indexes)
    }

    /// Ends all that was started ahead and not taken.
    public func endSpare(_ id: EngineID) async {
        await spares.removeValue(forKey: id)?.shutDown()
    }

    public func endSpares() async {
        let ending = spares.values
        spares = [:]
        for spare in ending { await spare.shutDown() }
    }

    public func died(
        _ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool
    ) async -> String? {
        let isDue = health.noteDeath(
            of: id, item: item, leavesSound: leavesSound, at: EngineReactor.monotonic())
        guard isDue, let registry = catalog.registry,
            let module = await entries().first(where: { $0.engine.id == id })?.module
        else { return nil }
        return await withCheckedContinuation { continuation in
            let note = { @Sendable in
                continuation.resume(returning: Self.quarantine(id, module, because: error, in: registry))
            }
            if !HostThread.start("engine-registry", note) { note() }
        }
    }

    /// If that cannot be written it is not quarantined, and dies again.
    private static func quarantine(
        _ id: EngineID, _ module: String, because error: EngineError, in registry: EngineRegistry
    ) -> String {
        let reason = "died \(EngineHealth.limit) times in a row: \(error.message)"
        guard let hash = ContentHash.of(module) else {
            return "the engine \(id) \(reason); it cannot be quarantined: \(module) cannot be read"
        }
        do throws(EngineRegistry.Failure) {
            let complaint = try registry.quarantine(id, hash: hash, reason: reason)
            let note = "the engine \(id) is quarantined: \(reason); rostrum engines clear \(id)"
            return complaint.map { "\(note) (\($0))" } ?? note
        } catch {
            return "the engine \(id) \(reason); it cannot be quarantined: \(error.message)"
        }
    }

    private func launch(of id: EngineID) async throws(EngineError) -> EngineLaunch {
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
        return EngineLaunch(
            id: id, module: module, hosting: hosting, confinement: entry.confinement, license: entry.engine.license)
    }

    /// As of now: folders that did not change are not read again.
    private func entries() async -> [EngineCatalog.Entry] {
        let catalog = catalog
        let known = known
        let willLook = willLook
        // A queue of its own: a folder on a mount that hangs must not hold up who asks next.
        let found = await BlockingQueue(label: "rostrum.engine-catalog").run(within: patience) {
            willLook()
            let fingerprint = catalog.fingerprint()
            let same = known?.fingerprint == fingerprint ? known?.entries : nil
            return (fingerprint: fingerprint, entries: same ?? catalog.entries())
        }
        guard let found else { return (known?.entries ?? []).map(hosted) }
        // What was changed (disabled, replaced, trusted no more) holds for spares, too: nobody holds them, so they end.
        if let known, known.fingerprint != found.fingerprint { spares = [:] }
        self.known = found
        return found.entries.map(hosted)
    }

    private func hosted(_ entry: EngineCatalog.Entry) -> EngineCatalog.Entry {
        entry.hosted(inProcess: trusted.contains(entry.engine.id))
    }
}
