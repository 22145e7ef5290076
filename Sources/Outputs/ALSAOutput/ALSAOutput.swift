// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import CALSA

/// Plays through alsa-lib: for machines without a sound server.
///
/// One thread runs this actor, by the clock. alsa-lib is used without blocking; opening and dropping take as long as
/// the device's driver takes.
public actor ALSAOutput: AudioOutput {
    public nonisolated let name: String
    public nonisolated let isRender = false
    public nonisolated let events: AsyncStream<OutputEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread: OutputThread
    private let poll = PollWait()
    private let send: AsyncStream<OutputEvent>.Continuation
    private let pcm: String

    private var device: ALSADevice?
    private var session: StreamSession?
    private var request: StreamRequest?

    /// - Parameter pcm: as alsa-lib names it; `default` if nil.
    public init(pcm: String? = nil) {
        name = pcm.map { "alsa:\($0)" } ?? "alsa"
        self.pcm = pcm ?? "default"
        (events, send) = AsyncStream.makeStream(of: OutputEvent.self)
        thread = OutputThread(name: "alsa-output", wait: poll)
    }

    deinit {
        thread.retire()
    }

    public func connect() async throws(OutputError) -> Route {
        if device == nil {
            // A PCM that cannot be opened for the commonest format will not be opened for another.
            _ = try ALSAHandle.open(pcm, AudioFormat(sampleRate: 48_000, channels: 2))
        }
        return route
    }

    public func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        _ = await close()
        try begin(request, alreadyStarted: nil)
        _ = turn()
        return route
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        try act { session throws(OutputError) in try session.pause() }.flatMap { $0 }
    }

    public func resume() async throws(OutputError) {
        try act { session throws(OutputError) in try session.resume(at: MonotonicTime.now()) }
    }

    public func reposition(to generation: UInt32) async throws(OutputError) {
        request?.generation = generation
        try act { session throws(OutputError) in try session.reposition(to: generation, at: MonotonicTime.now()) }
    }

    public func setRate(_ rate: Double) async throws(OutputError) {
        request?.rate = rate
        try act { session throws(OutputError) in try session.setRate(rate) }
    }

    public func setVolume(_ volume: Double) async throws(OutputError) {
        request?.volume = volume
        try act { session throws(OutputError) in try session.setVolume(volume) }
    }

    public func heard() async -> HeardPosition? {
        session?.heard(at: MonotonicTime.now())
    }

    public func close() async -> HeardPosition? {
        guard let session, let device else { return nil }
        _ = try? session.pause()
        let until = MonotonicTime.now() + Self.longestFade
        while device.heard(at: MonotonicTime.now()) < session.renderer.silentFrom, MonotonicTime.now() < until {
            guard (try? device.proceed()) != nil, device.flows else { break }
            poll.watch(readable: nil)
            poll.wait(until: MonotonicTime.now() + 5 * MonotonicTime.millisecond)
        }
        let place = session.lastHeard(at: MonotonicTime.now())
        end()
        return place
    }

    public func shutDown() async {
        _ = await close()
        send.finish()
        thread.retire()
    }

    // MARK: Parts

    private static let longestFade = 120 * MonotonicTime.millisecond

    private var route: Route { Route(output: "alsa", device: pcm, otherAudioPlaying: nil) }

    private func begin(_ request: StreamRequest, alreadyStarted: UInt32?) throws(OutputError) {
        end()
        let device = try ALSADevice(pcm, request.format)
        self.device = device
        self.request = request
        session = StreamSession(
            request, device: device, aheadFrames: request.format.frames(milliseconds: 1_500),
            alreadyStarted: alreadyStarted)
    }

    private func end() {
        session = nil
        device = nil
        request = nil
        poll.watch(readable: nil)
    }

    @discardableResult
    private func act<Result>(
        _ body: (StreamSession) throws(OutputError) -> Result
    ) throws(OutputError) -> Result? {
        guard let session else { return nil }
        do {
            let result = try body(session)
            _ = turn()
            return result
        } catch {
            fail(error)
            throw error
        }
    }

    private func fail(_ error: OutputError) {
        let place = session?.lastHeard(at: MonotonicTime.now())
        end()
        send.yield(.failed(error, heard: place))
    }

    private func turn() -> Int64? {
        guard let session, let device, var request else { return nil }
        let now = MonotonicTime.now()
        do throws(OutputError) {
            request.source.acknowledge()
            try device.proceed()
            let next = try session.turn(at: now)
            for event in session.takeEvents() { send.yield(event) }
            if case .formatChange(let format) = session.condition,
                session.renderer.isCrossing || session.lastFrameIsHeard(at: now)
            {
                request.format = format
                request.generation = session.renderer.generation
                request.isPaused = session.isPaused
                try begin(request, alreadyStarted: session.hasStarted ? request.generation : nil)
                return turn()
            }
            return [next, watch(session, request.source)].compactMap { $0 }.min()
        } catch {
            fail(error)
            return nil
        }
    }

    /// Has the source wake the thread if there is nothing to do before.
    private func watch(_ session: StreamSession, _ source: any PCMSource) -> Int64? {
        guard session.awaitsSource else {
            poll.watch(readable: nil)
            return nil
        }
        if source.arm() { return MonotonicTime.now() }
        poll.watch(readable: source.readiness)
        return nil
    }
}
