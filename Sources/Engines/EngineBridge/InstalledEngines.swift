// SPDX-License-Identifier: Apache-2.0

public import EngineCatalog
import EngineHost
import EngineTransport
public import MediaPlayback
public import PlaybackCore
import Synchronization

/// The engines that are installed, and the processes that are made of them: none before it is asked for.
public actor InstalledEngines: EngineProvider {
    private let catalog: EngineCatalog
    private let runner: String
    private let reactor: EngineReactor
    private let deadlines: EngineDeadlines
    private let trusted: Set<EngineID>
    private let indexes: (any TrackIndexStore)?
    /// What counts now, asked for each address: may read files, on a thread of its own.
    private let trust: @Sendable () -> WebTrust

    private var known: (fingerprint: Int, entries: [EngineCatalog.Entry])?
    /// What was started ahead and is not taken within this time is ended.
    static let spareLimit = Duration.seconds(60)

    private struct Spare {
        let engine: HostedEngine
        /// Ends it when its time is over.
        let expiry: Task<Void, Never>
    }

    private var spares: [EngineID: Spare] = [:]
    private var health = EngineHealth()
    private let clock: any Clock<Duration>
    /// All looks at the folders, one after the other: however long one hangs, it is one thread that does.
    private let queue = BlockingQueue(label: "rostrum.engine-catalog")
    /// The look that did not come back in time; while it is away nobody waits for another.
    private var overdue: Look?
    /// How long looking at the folders may take; then what was there the last time counts.
    private let patience: Duration
    /// For tests: runs before the folders are looked at, on the same thread.
    private let willLook: @Sendable () -> Void

    /// - Parameters:
    ///   - runner: path of `rostrum-engine-runner`.
    ///   - indexes: what engines found out about contents; nil: nothing is kept.
    ///   - trusted: engines that may live in this process, if their manifests want it.
    ///   - trust: which servers are believed, asked for each address that an engine opens.
    public init(
        _ catalog: EngineCatalog, runner: String, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), trusted: Set<EngineID> = [],
        indexes: (any TrackIndexStore)? = nil, trust: @escaping @Sendable () -> WebTrust = { WebTrust() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            catalog, runner: runner, reactor: reactor, deadlines: deadlines, trusted: trusted, indexes: indexes,
            trust: trust,
            clock: clock, patience: .seconds(5), willLook: {})
    }

    init(
        _ catalog: EngineCatalog, runner: String, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), trusted: Set<EngineID> = [],
        indexes: (any TrackIndexStore)? = nil, trust: @escaping @Sendable () -> WebTrust = { WebTrust() },
        clock: any Clock<Duration> = ContinuousClock(),
        patience: Duration, willLook: @escaping @Sendable () -> Void
    ) {
        self.patience = patience
        self.willLook = willLook
        self.indexes = indexes
        self.trust = trust
        self.clock = clock
        self.catalog = catalog
        self.runner = runner
        self.reactor = reactor
        self.deadlines = deadlines
        self.trusted = trusted
    }

    public func installed() async -> [InstalledEngine] {
        await look().entries.map(\.engine)
    }

    public func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine {
        let pause = health.pause(before: id, at: EngineReactor.monotonic())
        if pause > .zero { try? await clock.sleep(for: pause) }
        let launch = try await launch(of: id)
        if let spare = removeSpare(id), !spare.isGone { return spare }
        return try HostedEngine(launch, reactor: reactor, deadlines: deadlines, indexes: indexes, trust: trust)
    }

    public func start(
        _ id: EngineID, inPlaceOf gone: any PlaybackEngine
    ) async throws(EngineError) -> any PlaybackEngine {
        let pause = health.pause(before: id, at: EngineReactor.monotonic())
        if pause > .zero { try? await clock.sleep(for: pause) }
        let launch = try await launch(of: id)
        guard let gone = gone as? HostedEngine else {
            throw EngineError(code: EngineError.unavailable, message: "the engine \(id) is none of these")
        }
        return try HostedEngine(
            launch, inPlaceOf: gone, reactor: reactor, deadlines: deadlines, indexes: indexes, trust: trust)
    }

    /// Starts the process of an engine ahead of need; the next `start` of it within ``spareLimit`` takes that.
    public func prewarm(_ id: EngineID) async {
        guard let launch = try? await launch(of: id) else { return }
        if let spare = spares[id]?.engine, !spare.isGone { return }
        removeSpare(id)
        guard
            let spare = try? HostedEngine(
                launch, reactor: reactor, deadlines: deadlines, indexes: indexes, trust: trust)
        else { return }
        let clock = clock
        let expiry = Task { [weak self, weak spare] in
            try? await clock.sleep(for: Self.spareLimit)
            guard !Task.isCancelled, let spare else { return }
            await self?.expire(spare)
        }
        spares[id] = Spare(engine: spare, expiry: expiry)
    }

    private func expire(_ spare: HostedEngine) async {
        // Taken, or another by now.
        guard spares[spare.id]?.engine === spare else { return }
        await endSpare(spare.id)
    }

    public func endSpare(_ id: EngineID) async {
        await removeSpare(id)?.shutDown()
    }

    /// Ends all that was started ahead and not taken.
    public func endSpares() async {
        let ending = spares.keys.compactMap { removeSpare($0) }
        for spare in ending { await spare.shutDown() }
    }

    /// Takes it out; the caller uses or ends it, or lets it go, which ends it, too.
    @discardableResult private func removeSpare(_ id: EngineID) -> HostedEngine? {
        guard let spare = spares.removeValue(forKey: id) else { return nil }
        spare.expiry.cancel()
        return spare.engine
    }

    public func died(
        _ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool
    ) async -> String? {
        let isDue = health.noteDeath(
            of: id, item: item, leavesSound: leavesSound, at: EngineReactor.monotonic())
        guard isDue, let registry = catalog.registry,
            let module = await look().entries.first(where: { $0.engine.id == id })?.module
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
        let found = await look()
        guard let entry = found.entries.first(where: { $0.engine.id == id }) else {
            guard found.isCurrent else {
                throw EngineError(
                    code: EngineError.unavailable,
                    message: "cannot look for the engine '\(id)': the folders of engines did not answer within "
                        + "\(patience.components.seconds) s; see whether a disk or a mount hangs")
            }
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
    ///
    /// If they do not answer, what was there the last time.
    private func look() async -> (entries: [EngineCatalog.Entry], isCurrent: Bool) {
        if let overdue, !overdue.isBack { return ((known?.entries ?? []).map(hosted), false) }
        let catalog = catalog
        let known = known
        let willLook = willLook
        let look = Look()
        let found = await queue.run(within: patience) {
            defer { look.comeBack() }
            willLook()
            let fingerprint = catalog.fingerprint()
            let same = known?.fingerprint == fingerprint ? known?.entries : nil
            return (fingerprint: fingerprint, entries: same ?? catalog.entries())
        }
        guard let found else {
            overdue = look
            return ((self.known?.entries ?? []).map(hosted), false)
        }
        // What was changed (disabled, replaced, trusted no more) holds for spares, too: nobody holds them, so they end.
        if let known = self.known, known.fingerprint != found.fingerprint {
            for id in Array(spares.keys) { removeSpare(id) }
        }
        self.known = found
        return (found.entries.map(hosted), true)
    }

    private final class Look: Sendable {
        // Reason for the atomic: the thread that looks says so, the actor asks.
        private let back = Atomic(false)
        var isBack: Bool { back.load(ordering: .acquiring) }
        func comeBack() { back.store(true, ordering: .releasing) }
    }

    private func hosted(_ entry: EngineCatalog.Entry) -> EngineCatalog.Entry {
        entry.hosted(inProcess: trusted.contains(entry.engine.id))
    }
}
