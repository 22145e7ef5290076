// SPDX-License-Identifier: Apache-2.0

public import Clocks
import Glibc
import Synchronization
import TaskChains

/// A factory of the outputs that `--output` names.
public protocol OutputProvider: Sendable {
    /// Returns the outputs to try in order: several for `auto`, one for a name, none for an unknown name.
    func outputs(named name: String) -> [any AudioOutput]
}

/// The coordinator, which alone opens outputs.
///
/// It is active from an intent to play until the stream is closed. Every change is recorded with the state before and
/// after it. Calls are carried out one at a time, in the order in which they arrive. Each has a deadline, after which
/// the output is abandoned and a new one is opened (docs/decisions/0016-an-output-may-hang.md).
public actor AudioSessionCoordinator {
    private let provider: any OutputProvider
    private var log: SessionLog
    let forward: AsyncStream<OutputEvent>.Continuation

    /// The events of the outputs in order, for one consumer.
    public nonisolated let events: AsyncStream<OutputEvent>

    private var current = SessionView() { didSet { shown.withLock { [current] in $0 = current } } }
    // Reason for the lock: the state is read by reporters that must not wait for a turn here; held for a copy.
    private let shown = Mutex(SessionView())
    private var outputName: String
    private var connection: ConnectedOutput?
    private var unreachable = UnreachableOutput()
    private let now: @Sendable () -> Int64
    /// The calls to the outputs, in order.
    private var calls = TaskChain()
    let deadlines: OutputDeadlines
    /// The sources of the open stream and of one that is being replaced.
    var lent: [LentSource] = []
    /// The number of route reports that outputs sent by themselves.
    private var routeWords = 0

    /// Creates a coordinator.
    ///
    /// - Parameters:
    ///   - now: Returns the monotonic time in nanoseconds.
    ///   - record: Is called for every change, in order; it must not block.
    public init(
        provider: any OutputProvider, outputName: String = "auto",
        now: @escaping @Sendable () -> Int64 = { MonotonicTime.now() },
        deadlines: any Clock<Duration> = ContinuousClock(),
        record: @escaping @Sendable (SessionRecord) -> Void
    ) {
        self.now = now
        self.deadlines = OutputDeadlines(patience: Patience(clock: deadlines))
        self.provider = provider
        self.outputName = outputName
        log = SessionLog(record)
        (events, forward) = AsyncStream.makeStream()
    }

    // MARK: State

    public internal(set) var state: SessionState {
        get { current.state }
        set { current.state = newValue }
    }
    public internal(set) var route: Route? {
        get { current.route }
        set { current.route = newValue }
    }
    var hungOutputs: Int {
        get { current.hungOutputs }
        set { current.hungOutputs = newValue }
    }

    /// The state and route as of their last change.
    ///
    /// Readable from any thread; it waits for no call that is under way.
    public nonisolated var view: SessionView { shown.withLock { $0 } }

    // MARK: One at a time

    /// Runs calls of the output in the order in which they arrived.
    ///
    /// An actor alone would let a second call in while the first waits for the device.
    func inTurn<T: Sendable>(_ body: @escaping @Sendable (AudioSessionCoordinator) async -> T) async -> T {
        await withCheckedContinuation { caller in
            calls.append(on: self) { session in caller.resume(returning: await body(session)) }
        }
    }

    func tried<Answer: Sendable>(
        _ call: @escaping @Sendable (AudioSessionCoordinator) async throws(OutputError) -> Answer
    ) async throws(OutputError) -> Answer {
        let result = await inTurn { (session) -> Result<Answer, OutputError> in
            do throws(OutputError) {
                return .success(try await call(session))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    // MARK: The session

    /// Chooses another output for the next stream, closes the current stream first, and returns its last position.
    public func select(output name: String) async -> HeardPosition? {
        await inTurn { session in await session.selectNow(name) }
    }

    /// The name with which the output was chosen.
    public var selectedOutput: String { outputName }

    private func selectNow(_ name: String) async -> HeardPosition? {
        guard name != outputName else { return nil }
        let heard = await deactivateNow()
        await end(output)
        forget()
        outputName = name
        return heard
    }

    /// Connects to the device in parallel with the start of an engine.
    ///
    /// It makes no sound and takes no audio focus.
    public func connect() async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in _ = try await session.connected() }
    }

    /// Returns `true` if another program is audible; `nil` if the output cannot know.
    public func othersPlay() async throws(OutputError) -> Bool? {
        try await tried { (session) async throws(OutputError) -> Bool? in
            let output = try await session.connected()
            return try await session.ask(output, "othersPlay") { output throws(OutputError) in
                try await output.othersPlay()
            }
        }
    }

    /// Opens a stream, after an intent to play, and makes the session active.
    public func activate(_ request: StreamRequest) async throws(OutputError) {
        try await tried { (session) async throws(OutputError) in try await session.activateNow(request) }
    }

    private func activateNow(_ request: StreamRequest) async throws(OutputError) {
        let before = state
        log.begin(request)
        state = .activating
        do throws(OutputError) {
            let output = try await connected()
            do throws(OutputError) {
                try await open(request, on: output)
            } catch  where error.code == .lost {
                // The server went away between two streams; try once more from the start.
                await end(output)
                disconnect()
                try await open(request, on: connected())
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

    private func open(_ request: StreamRequest, on output: any AudioOutput) async throws(OutputError) {
        let source = LentSource(request.source)
        var lending = request
        lending.source = source
        let words = routeWords
        lent.append(source)
        let answer = try await ask(output, "open", within: OutputDeadlines.longestOpening) {
            [lending] output throws(OutputError) in
            try await output.open(lending)
        }
        lent = [source]
        // A route that it reported meanwhile is newer than its answer.
        if words == routeWords || route == nil { route = answer }
    }

    /// Closes the stream, makes the session inactive, and returns the last position that was heard.
    public func deactivate() async -> HeardPosition? {
        await inTurn { session in await session.deactivateNow() }
    }

    private func deactivateNow() async -> HeardPosition? {
        guard let output, state != .inactive else { return nil }
        let heard = try? await ask(output, "close") { output throws(OutputError) in await output.close() }
        let before = state
        state = .inactive
        note(.deactivate, from: before)
        route = nil
        lent = []
        return heard
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        let result = await inTurn { session in await session.pauseNow() }
        return try result.get()
    }

    private func pauseNow() async -> Result<HeardPosition?, OutputError> {
        guard let output, state == .active else { return .success(nil) }
        do throws(OutputError) {
            let heard = try await ask(output, "pause") { output throws(OutputError) in try await output.pause() }
            log.isPaused = true
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
            try await ask(output, "resume") { output throws(OutputError) in try await output.resume() }
            log.isPaused = false
            note(.resume, from: state)
        } catch {
            note(.resume, from: state, error: error)
            throw error
        }
    }

    var activeOutput: (any AudioOutput)? { state == .active ? output : nil }

    /// Drops the connection to the device; the next stream makes a new one.
    public func drop() async {
        await inTurn { session in
            _ = await session.deactivateNow()
            await session.end(session.output)
            await session.forget()
        }
    }

    private func forget() {
        disconnect()
        unreachable.forget()
    }

    public func shutDown() async {
        _ = await deactivate()
        await end(output)
        disconnect()
        forward.finish()
    }

    // MARK: Outputs

    /// The connected output.
    var output: (any AudioOutput)? { connection?.output }
    /// The connected output's questions that it has not answered.
    var asked: HeardAsks? { connection?.asked }

    func isConnected(_ output: any AudioOutput) -> Bool { connection?.isSame(as: output) ?? false }

    /// Leaves the connected output, whose events are ignored from then on.
    func disconnect() {
        connection?.leave()
        connection = nil
    }

    private func connected() async throws(OutputError) -> any AudioOutput {
        if let output {
            do throws(OutputError) {
                _ = try await ask(output, "connect") { output throws(OutputError) in try await output.connect() }
                return output
            } catch  where self.output != nil {
                throw error
            } catch {
                // It was abandoned, so a new one is tried.
            }
        }
        let start = now()
        try unreachable.check(at: start)
        var failures: [OutputError] = []
        guard hungOutputs < Self.mostHung else {
            throw OutputError(
                .timeout, source: "output",
                message: "\(hungOutputs) outputs no longer answer; check that the sound server runs, "
                    + "then end this session: kill \(getpid())")
        }
        for candidate in provider.outputs(named: outputName) {
            do throws(OutputError) {
                let route = try await ask(candidate, "connect") { output throws(OutputError) in
                    try await output.connect()
                }
                disconnect()
                connection = ConnectedOutput(candidate) { [weak self] event in
                    await self?.take(event, from: candidate)
                }
                self.route = route
                note(.connect, from: state)
                return candidate
            } catch {
                failures.append(error)
                note(.connect, from: state, error: error)
                if error.source != OutputDeadlines.source { await end(candidate) }
            }
        }
        let error = OutputError(
            failures.count == 1 ? failures[0].code : .unavailable, source: failures.last?.source ?? "output",
            message: failures.isEmpty
                ? "there is no output “\(outputName)”; use auto, pulse[:SINK], alsa[:PCM], wav:PATH, null or null:fast"
                : failures.map(\.message).joined(separator: "; "))
        unreachable.note(error, from: start, to: now())
        throw error
    }

    private func take(_ event: OutputEvent, from source: any AudioOutput) async {
        // An output that was left may still have sent this; it says nothing about the current one.
        guard isConnected(source) else { return }
        switch event {
        case .routeChanged(let route, let reason): reroute(.routeChanged, to: route, reason)
        case .routeLost(let route, let reason): reroute(.routeLost, to: route, reason)
        case .routeReturned(let route): reroute(.routeReturned, to: route, nil)
        case .interruption(let began, let other, let othersPlay):
            note(began ? .interruptionBegan : .interruptionEnded, from: state) { record in
                record.interruptedBy = other
                record.othersPlay = othersPlay
            }
        case .failed(let error, _):
            let before = state
            state = .inactive
            note(.lost, from: before, error: error) { record in
                record.previousRoute = record.route
                record.reason = error.code == .deviceGone ? .sinkRemoved : nil
            }
            route = nil
            // Without its device it still notices when the device returns.
            if error.code != .deviceGone {
                disconnect()
                await end(source)
            }
        case .woke(let milliseconds): note(.wake, from: state) { $0.preRoll = milliseconds }
        case .started, .ended, .starved:
            break
        }
        forward.yield(event)
    }

    private func reroute(_ action: SessionRecord.Action, to route: Route, _ reason: RouteReason?) {
        let before = self.route
        self.route = route
        routeWords += 1
        note(action, from: state) { record in
            record.previousRoute = before
            record.reason = reason
        }
    }

    /// Keeps a setting that the open stream has now, for the log.
    func note(_ setting: StreamSetting) { log.set(setting) }

    func note(
        _ action: SessionRecord.Action, from before: SessionState, format: AudioFormat? = nil,
        error: OutputError? = nil, _ more: (inout SessionRecord) -> Void = { _ in }
    ) {
        log.note(action, from: before, to: current, format: format, error: error, more)
    }
}
