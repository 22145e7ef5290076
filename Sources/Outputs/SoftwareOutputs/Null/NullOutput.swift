// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Clocks

/// An output in real time without a device, which is also a device for tests that works or fails as configured.
public actor NullOutput: AudioOutput {
    /// Receives the sound at the time when it would be heard, on the output's thread.
    public typealias Capture = @Sendable (UnsafeBufferPointer<Float>, AudioFormat) -> Void

    public nonisolated let name = "null"
    public nonisolated let isRender = false
    public nonisolated let events: AsyncStream<OutputEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread: OutputThread
    private let poll = PollWait()
    private let send: AsyncStream<OutputEvent>.Continuation
    private let time: @Sendable () -> Int64
    private let latency: Duration
    private let depth: Duration
    private let faults: NullFaults
    private let capture: Capture?

    private var session: StreamSession?
    private var device: NullDevice?
    private var request: StreamRequest?
    private var alarm: OutputAlarm

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - latency: The time from taken to audible.
    ///   - depth: The amount of sound that is kept ready for the device.
    public init<C: Clock>(
        clock: C = ContinuousClock(), latency: Duration = .zero, depth: Duration = .seconds(2),
        faults: NullFaults = NullFaults(), capture: Capture? = nil
    ) where C.Duration == Duration {
        // Convert the time of any clock to monotonic time.
        let (origin, start) = (clock.now, MonotonicTime.now())
        time = { start + Int64(origin.duration(to: clock.now).milliseconds * 1e6) }
        alarm = OutputAlarm {
            try await clock.sleep(until: origin.advanced(by: .nanoseconds($0 - start)), tolerance: nil)
        }
        self.latency = latency
        self.depth = depth
        self.faults = faults
        self.capture = capture
        (events, send) = AsyncStream.makeStream(of: OutputEvent.self)
        thread = OutputThread(name: "null-output", wait: poll)
    }

    deinit {
        thread.retire()
    }

    public func connect() async throws(OutputError) -> Route {
        if let refusal = faults.refusal { throw refusal }
        return Route(output: name, device: nil, otherAudioPlaying: nil)
    }

    public func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        if let refusal = faults.refusal { throw refusal }
        begin(request, alreadyStarted: nil)
        turn()
        return Route(output: name, device: nil, otherAudioPlaying: nil)
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        catchUp()
        let place = try session?.pause()
        turn()
        return place
    }

    public func resume() async throws(OutputError) {
        catchUp()
        try session?.resume(at: time())
        turn()
    }

    public func reposition(to generation: UInt32) async throws(OutputError) {
        catchUp()
        try session?.reposition(to: generation, at: time())
        turn()
    }

    public func set(_ setting: StreamSetting) async throws(OutputError) {
        catchUp()
        request?.settings.set(setting)
        try session?.set(setting)
        turn()
    }

    public func heard() async -> HeardPosition? {
        turn()
        return session?.heard(at: time())
    }

    public func close() async -> HeardPosition? {
        catchUp()
        let place = session?.lastHeard(at: time())
        end()
        return place
    }

    public func shutDown() async {
        end()
        send.finish()
        thread.retire()
    }

    // MARK: Parts

    private func begin(_ request: StreamRequest, alreadyStarted: UInt32?) {
        end()
        let device = NullDevice(
            format: request.format, latency: latency, depth: depth, faults: faults, capture: capture, now: time())
        self.device = device
        self.request = request
        let ahead = depth.milliseconds + latency.milliseconds + 500
        session = StreamSession(
            request, device: device, aheadFrames: request.format.frames(milliseconds: ahead),
            alreadyStarted: alreadyStarted)
    }

    private func end() {
        session = nil
        device = nil
        alarm.stop()
        poll.watch(readable: nil)
    }

    /// Plays what has been due since the last call according to the clock.
    private func catchUp() {
        while let session, let device {
            let now = time()
            if device.advance(to: now) { return }
            let written = session.renderer.written
            _ = try? session.turn(at: now)
            if session.renderer.written == written {
                device.skip(to: now)
                return
            }
        }
    }

    @discardableResult
    private func turn() -> Int64? {
        catchUp()
        guard let session, let device else { return nil }
        request?.source.acknowledge()
        do throws(OutputError) {
            if device.isLost { throw OutputError(.lost, source: "null", message: "null: the device is gone") }
            let due = try session.turn(at: time())
            for event in session.takeEvents() { send.yield(event) }
            if reopen(session) { return turn() }
            watch(session)
            ring(at: due)
        } catch {
            let place = session.lastHeard(at: time())
            end()
            send.yield(.failed(error, heard: place))
        }
        return nil
    }

    /// Continues in another format when all of the old one was heard.
    private func reopen(_ session: StreamSession) -> Bool {
        guard case .formatChange(let format) = session.condition, var request else { return false }
        guard session.renderer.isCrossing || session.lastFrameIsHeard(at: time()) else { return false }
        request.format = format
        request.generation = session.renderer.generation
        request.isPaused = session.isPaused
        begin(request, alreadyStarted: session.hasStarted ? request.generation : nil)
        return true
    }

    private func watch(_ session: StreamSession) {
        guard session.awaitsSource, let source = request?.source else { return poll.watch(readable: nil) }
        if source.arm() {
            // Sound arrived since the last check.
            poll.wake()
        } else {
            poll.watch(readable: source.readiness)
        }
    }

    private func ring(at due: Int64?) {
        // Most turns change nothing here, and they must allocate nothing.
        guard !alarm.isSet(to: due) else { return }
        alarm.set(due) { [weak self] due in await self?.rung(due) }
    }

    private func rung(_ due: Int64) {
        if alarm.take(due) { turn() }
    }
}
