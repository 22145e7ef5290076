// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
public import EngineCatalog
import EngineHost
import EngineTransport
public import MediaPlayback
public import PlaybackCore
import Synchronization

/// The provider of the installed engines and of their processes, which it starts only on request.
public actor InstalledEngines: EngineProvider, PeakSourceProvider {
    private let catalog: EngineCatalog
    private let runner: String
    private let reactor: EngineReactor
    private let deadlines: EngineDeadlines
    private let trusted: Set<EngineID>
    private let indexes: (any TrackIndexStore)?
    /// Returns the currently trusted certificates.
    ///
    /// It is called for each address, on a thread of its own, because it may read files.
    private let trust: @Sendable () -> WebTrust

    private var known: (fingerprint: Int, entries: [EngineCatalog.Entry])?
    /// The time after which a process that was started ahead and not taken is ended.
    static let spareLimit = Duration.seconds(60)

    private struct Spare {
        let engine: HostedEngine
        /// The task that ends the engine when its time is over.
        let expiry: Task<Void, Never>
    }

    private var spares: [EngineID: Spare] = [:]
    private var health = EngineHealth()
    private let clock: any Clock<Duration>
    /// The queue for all scans of the folders: however long one hangs, only one thread does.
    private let queue = BlockingQueue(label: "rostrum.engine-catalog")
    /// The scan that did not finish in time; while it is running, no caller waits for another.
    private var overdue: Look?
    /// The time that scanning the folders may take; after that, the result of the last scan is used.
    private let patience: Duration
    /// A hook for tests that runs before the folders are scanned, on the same thread.
    private let willLook: @Sendable () -> Void

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - runner: The path of `rostrum-engine-runner`.
    ///   - indexes: The store of what engines found out about contents; `nil` to keep nothing.
    ///   - trusted: The engines that may run in this process if their manifests request it.
    ///   - trust: Returns the certificates of servers that the user trusts. It is called for each address that an
    ///     engine opens.
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

    public func startPeakSource(_ id: EngineID) async throws(EngineError) -> any PeakSource {
        var launch = try await launch(of: id)
        launch.hosting = .isolated(runner: runner)
        launch.priority = .background
        return try HostedEngine(launch, reactor: reactor, deadlines: deadlines, indexes: indexes, trust: trust)
    }

    public func start(
        _ id: EngineID, inPlaceOf gone: any PlaybackEngine
    ) async throws(EngineError) -> any PlaybackEngine {
        let pause = health.pause(before: id, at: EngineReactor.monotonic())
        if pause > .zero { try? await clock.sleep(for: pause) }
        let launch = try await launch(of: id)
        guard let gone = gone as? HostedEngine else {
            throw EngineError(number: EngineNumber.unavailable, message: "the engine \(id) belongs to another provider")
        }
        return try HostedEngine(
            launch, inPlaceOf: gone, reactor: reactor, deadlines: deadlines, indexes: indexes, trust: trust)
    }

    /// Starts the process of an engine ahead of need; the next `start` within ``spareLimit`` takes it.
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
        // The spare has been taken, or replaced by another.
        guard spares[spare.id]?.engine === spare else { return }
        await endSpare(spare.id)
    }

    public func endSpare(_ id: EngineID) async {
        await removeSpare(id)?.shutDown()
    }

    /// Ends all processes that were started ahead and not taken.
    public func endSpares() async {
        let ending = spares.keys.compactMap { removeSpare($0) }
        for spare in ending { await spare.shutDown() }
    }

    /// Removes a spare.
    ///
    /// The caller uses the engine, shuts it down, or releases it, which also ends it.
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

    /// Quarantines an engine and returns a message about it.
    ///
    /// If the registry cannot be written, the engine is not quarantined, and may die again.
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
                    number: EngineNumber.unavailable,
                    message: "cannot look for the engine '\(id)': the engine folders did not answer within "
                        + "\(patience.components.seconds) s; check whether a disk or a mount hangs")
            }
            throw EngineError(
                number: EngineNumber.unavailable, message: "no engine '\(id)' is installed: see rostrum engines")
        }
        guard entry.engine.state == .available, let module = entry.module else {
            let code = entry.engine.state == .refused ? EngineNumber.refused : EngineNumber.unavailable
            throw EngineError(
                number: code, message: "the engine '\(id)' is \(entry.engine.state): \(entry.engine.reason ?? "")")
        }
        let hosting: EngineLaunch.Hosting =
            entry.engine.hosting == .inProcess ? .inProcess : .isolated(runner: runner)
        return EngineLaunch(
            id: id, module: module, hosting: hosting, confinement: entry.confinement, license: entry.engine.license)
    }

    /// Returns the current entries of the catalog; folders that have not changed are not read again.
    ///
    /// If the folders do not respond, it returns the result of the last scan.
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
        // A change (the engine was disabled, replaced, or is no longer trusted) applies to spares, too. Nothing else
        // holds them, so removing them ends them.
        if let known = self.known, known.fingerprint != found.fingerprint {
            for id in Array(spares.keys) { removeSpare(id) }
        }
        self.known = found
        return (found.entries.map(hosted), true)
    }

    private final class Look: Sendable {
        // The flag is atomic because the scanning thread sets it and the actor reads it.
        private let back = Atomic(false)
        var isBack: Bool { back.load(ordering: .acquiring) }
        func comeBack() { back.store(true, ordering: .releasing) }
    }

    private func hosted(_ entry: EngineCatalog.Entry) -> EngineCatalog.Entry {
        entry.hosted(inProcess: trusted.contains(entry.engine.id))
    }
}
