// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Makes the outputs that `--output` names.
public protocol OutputProvider: Sendable {
    /// Outputs to try in order: several for `auto`, one for a name; none for a name that means nothing.
    func outputs(named name: String) -> [any AudioOutput]
}

/// What happened to the session, for the transition log.
public struct SessionRecord: Sendable, Hashable {
    public enum Action: String, Sendable {
        case connect, activate, deactivate, pause, resume, interruptionBegan, interruptionEnded, routeChanged
        case routeLost, routeReturned, lost
    }

    public var action: Action
    public var from: SessionState
    public var to: SessionState
    public var route: Route?
    /// Of a change of the route: where the sound went before.
    public var previousRoute: Route?
    /// Of a change of the route.
    public var reason: RouteReason?
    /// Of an interruption: for whom, if that is known.
    public var interruptedBy: OtherSound?
    /// `audiobook`, `speech` or `clip`.
    public var mode: String?
    public var format: AudioFormat?
    /// Set if the call failed.
    public var error: OutputError?
}

/// Whether the session holds the stage.
public enum SessionState: String, Sendable, Hashable {
    case inactive
    case activating
    case active
}

/// What there is to tell of the session.
public struct SessionView: Sendable, Hashable {
    public var state = SessionState.inactive
    public var route: Route?

    public init(state: SessionState = .inactive, route: Route? = nil) {
        self.state = state
        self.route = route
    }
}

/// The only one that opens outputs.
///
/// Active only after an intent to play, until the stream is closed; every change is recorded with the
/// state before and after it. Calls are carried out one at a time, in the order they came.
public actor AudioSessionCoordinator {
    private let provider: any OutputProvider
    private let record: @Sendable (SessionRecord) -> Void
    private let forward: AsyncStream<OutputEvent>.Continuation

    /// What the outputs report, in order.
    ///
    /// One consumer.
    public nonisolated let events: AsyncStream<OutputEvent>

    public private(set) var state = SessionState.inactive { didSet { show() } }
    public private(set) var route: Route? { didSet { show() } }
    // Reason for the lock: what is shown of the session is read by whoever tells of it, who must not wait for a turn here;
    // held for a copy.
    private let shown = Mutex(SessionView())
    private var outputName: String
    private var output: (any AudioOutput)?
    private let now: @Sendable () -> Int64
    private var unreachable: Unreachable?
    private var reader: Task<Void, Never>?
    private var mode: String?
    private var turn: Task<Void, Never>?

    /// `record` is called for every change, in order, and must not block; `now` is monotonic, in nanoseconds.
    public init(
        provider: any OutputProvider, outputName: String = "auto",
        now: @escaping @Sendable () -> Int64 = { MonotonicTime.now() },
        record: @escaping @Sendable (SessionRecord) -> Void
    ) {
        self.now = now
        self.provider = provider
        self.outputName = outputName
        self.record = record
        (events, forward) = AsyncStream.makeStream()
    }

    // MARK: One at a time

    /// Runs calls of the output in the order in which they came; an actor alone would let a second one
    /// in while the first waits for the device.
    private func inTurn<T: Sendable>(_ body: @escaping @Sendable (AudioSessionCoordinator) async -> T) async -> T {
        let before = turn
        let task = Task { () -> T in
            await before?.value
            return await body(self)
        }
        turn = Task { _ = await task.value }
        return await task.value
    }

    private func tried(
        _ call: @escaping @Sendable (AudioSessionCoordinator) async throws(OutputError) -> Void
    ) async throws(OutputError) {
        let result = await inTurn { (session) -> Result<Void, OutputError> in
            do throws(OutputError) {
                return .success(try await call(session))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    // MARK: The session

    /// Chooses another output for the next stream.
    ///
    /// The stream of the present one is closed first.
    public func select(output name: String) async -> HeardPosition? {
        await inTurn { session in await session.selectNow(name) }
    }

    /// By the name that it was chosen with.
    public var selectedOutput: String { outputName }

    private func selectNow(_ name: String) async -> HeardPosition? {
        guard name != outputName else { return nil }
        let heard = await deactivateNow()
        await output?.shutDown()
        forget()
        outputName = name
        return heard
    }

    /// Reaches the device beside the start of an engine.
    ///
    /// Makes no sound and takes no stage.
    public func connect() async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in _ = try await session.connected() }
    }

    /// Takes the stage with a stream, after an intent to play.
    public func activate(_ request: StreamRequest) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activateNow(request) }
    }

    private func activateNow(_ request: StreamRequest) async throws(OutputError) {
        let before = state
        mode = request.mode
        state = .activating
        do throws(OutputError) {
            let output = try await connected()
            do throws(OutputError) {
                route = try await output.open(request)
            } catch  where error.code == .lost {
                // The server went away between two streams; once more from the start.
                await output.shutDown()
                self.output = nil
                route = try await connected().open(request)
            }
            state = .active
            note(.activate, from: before, format: request.format)
        } catch {
            state = .inactive
            route = nil
            note(.activate, from: before, format: request.format, error: error)
            throw error
        }
    }

    /// Leaves the stage.
    ///
    /// Returns the last place that was heard.
    public func deactivate() async -> HeardPosition? {
        await inTurn { session in await session.deactivateNow() }
    }

    private func deactivateNow() async -> HeardPosition? {
        guard let output, state != .inactive else { return nil }
        let heard = await output.close()
        let before = state
        state = .inactive
        note(.deactivate, from: before)
        route = nil
        return heard
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        let result = await inTurn { session in await session.pauseNow() }
        return try result.get()
    }

    private func pauseNow() async -> Result<HeardPosition?, OutputError> {
        guard let output, state == .active else { return .success(nil) }
        do throws(OutputError) {
            let heard = try await output.pause()
            note(.pause, from: state)
            return .success(heard)
        } catch {
            note(.pause, from: state, error: error)
            return .failure(error)
        }
    }

    public func resume() async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.resumeNow() }
    }

    private func resumeNow() async throws(OutputError) {
        guard let output, state == .active else { return }
        do throws(OutputError) {
            try await output.resume()
            note(.resume, from: state)
        } catch {
            note(.resume, from: state, error: error)
            throw error
        }
    }

    /// See ``AudioOutput/reposition(to:)``.
    ///
    /// True if there is a stream; without one there is nothing to do.
    public func reposition(to generation: UInt32) async throws(OutputError) -> Bool {
        let result = await inTurn { (session) -> Result<Bool, OutputError> in
            guard let output = await session.activeOutput else { return .success(false) }
            do throws(OutputError) {
                try await output.reposition(to: generation)
                return .success(true)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    public func setRate(_ rate: Double) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activeOutput?.setRate(rate) }
    }

    public func setVolume(_ volume: Double) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activeOutput?.setVolume(volume) }
    }

    /// See ``AudioOutput/setSound(_:)``.
    public func setSound(_ sound: SoundOptions) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activeOutput?.setSound(sound) }
    }

    /// See ``AudioOutput/setLimit(_:)``.
    public func setLimit(_ limit: HeardPosition?) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activeOutput?.setLimit(limit) }
    }

    /// State and route as of their last change.
    ///
    /// From any thread; waits for no call that is under way.
    public nonisolated var view: SessionView { shown.withLock { $0 } }

    private func show() { shown.withLock { $0 = SessionView(state: state, route: route) } }

    private var activeOutput: (any AudioOutput)? { state == .active ? output : nil }

    /// What is audible now; does not wait for calls that are under way.
    ///
    /// A stream may sound before the call that opens it returns.
    public func heard() async -> HeardPosition? {
        state == .inactive ? nil : await output?.heard()
    }

    /// Forgets the connection to the device; the next stream makes a new one.
    public func drop() async {
        await inTurn { session in
            _ = await session.deactivateNow()
            await session.output?.shutDown()
            await session.forget()
        }
    }

    private func forget() {
        reader?.cancel()
        output = nil
        unreachable = nil
    }

    public func shutDown() async {
        _ = await deactivate()
        await output?.shutDown()
        reader?.cancel()
        output = nil
        forward.finish()
    }

    // MARK: Outputs

    /// A server that let one call wait does not let the calls behind it wait as long again: a load tries twice,
    /// beside the engine's start and with its stream, and the listener's 10 s are spent once.
    private struct Unreachable {
        static let wait = 500 * MonotonicTime.millisecond
        static let validity = MonotonicTime.second

        var error: OutputError
        var at: Int64
    }

    private func connected() async throws(OutputError) -> any AudioOutput {
        if let output {
            _ = try await output.connect()
            return output
        }
        let start = now()
        if let unreachable, start - unreachable.at < Unreachable.validity { throw unreachable.error }
        unreachable = nil
        var failures: [OutputError] = []
        for candidate in provider.outputs(named: outputName) {
            do throws(OutputError) {
                let route = try await candidate.connect()
                output = candidate
                listen(to: candidate)
                self.route = route
                note(.connect, from: state)
                return candidate
            } catch {
                failures.append(error)
                note(.connect, from: state, error: error)
                await candidate.shutDown()
            }
        }
        let error = OutputError(
            failures.count == 1 ? failures[0].code : .unavailable, source: failures.last?.source ?? "output",
            message: failures.isEmpty
                ? "there is no output “\(outputName)”; use auto, pulse[:SINK], alsa[:PCM], wav:PATH, null or null:fast"
                : failures.map(\.message).joined(separator: "; "))
        if now() - start >= Unreachable.wait { unreachable = Unreachable(error: error, at: now()) }
        throw error
    }

    private func listen(to output: any AudioOutput) {
        reader?.cancel()
        reader = Task { [weak self] in
            for await event in output.events {
                await self?.take(event, from: output)
            }
        }
    }

    private func take(_ event: OutputEvent, from source: any AudioOutput) async {
        // Said by one that was left while it came here; the present one is not lost by that.
        guard let output, (output as AnyObject) === (source as AnyObject) else { return }
        switch event {
        case .routeChanged(let route, let reason): reroute(.routeChanged, to: route, reason)
        case .routeLost(let route, let reason): reroute(.routeLost, to: route, reason)
        case .routeReturned(let route): reroute(.routeReturned, to: route, nil)
        case .interruption(let began, let other):
            note(began ? .interruptionBegan : .interruptionEnded, from: state) { $0.interruptedBy = other }
        case .failed(let error, _):
            let before = state
            state = .inactive
            note(.lost, from: before, error: error) { record in
                record.previousRoute = record.route
                record.reason = error.code == .deviceGone ? .sinkRemoved : nil
            }
            route = nil
            // Without its device it still hears whether that comes back.
            if error.code != .deviceGone {
                self.output = nil
                await source.shutDown()
            }
        case .started, .ended, .starved:
            break
        }
        forward.yield(event)
    }

    private func reroute(_ action: SessionRecord.Action, to route: Route, _ reason: RouteReason?) {
        let before = self.route
        self.route = route
        note(action, from: state) { record in
            record.previousRoute = before
            record.reason = reason
        }
    }

    private func note(
        _ action: SessionRecord.Action, from before: SessionState, format: AudioFormat? = nil,
        error: OutputError? = nil, _ more: (inout SessionRecord) -> Void = { _ in }
    ) {
        var entry = SessionRecord(
            action: action, from: before, to: state, route: route, mode: mode, format: format, error: error)
        more(&entry)
        record(entry)
    }
}
