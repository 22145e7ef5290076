// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import BlockingCalls
import CALSA
import Clocks

/// An output through alsa-lib, for machines without a sound server.
///
/// One thread runs this actor, by the clock. Calls to alsa-lib do not block, except opening: a plugin waits for its
/// server, half a minute if that does not answer. A device is therefore opened on another thread, and given up after 2
/// s.
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
    /// The last position heard, while the device is opened again for another format.
    private var placeBetween: HeardPosition?
    /// The number of streams so far: a device that was opened for an older stream arrives too late.
    private var streams: UInt64 = 0

    /// Creates an output.
    ///
    /// - Parameter pcm: The PCM's name in alsa-lib; `nil` for `default`.
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
            // A PCM that cannot be opened for the most common format will not open for another.
            _ = try await opened(AudioFormat(sampleRate: 48_000, channels: 2))
        }
        return route
    }

    public func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        _ = await close()
        try begin(request, try await opened(request.format), alreadyStarted: nil)
        _ = turn()
        return route
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        request?.isPaused = true
        guard session != nil else { return placeBetween }
        return try act { session throws(OutputError) in try session.pause() }.flatMap { $0 }
    }

    public func resume() async throws(OutputError) {
        request?.isPaused = false
        try act { session throws(OutputError) in try session.resume(at: MonotonicTime.now()) }
    }

    public func reposition(to generation: UInt32) async throws(OutputError) {
        request?.generation = generation
        try act { session throws(OutputError) in try session.reposition(to: generation, at: MonotonicTime.now()) }
    }

    public func set(_ setting: StreamSetting) async throws(OutputError) {
        request?.settings.set(setting)
        try act { session throws(OutputError) in try session.set(setting) }
    }

    public func heard() async -> HeardPosition? {
        session?.heard(at: MonotonicTime.now()) ?? placeBetween
    }

    public func close() async -> HeardPosition? {
        guard let session, let device else {
            let place = placeBetween
            end()
            return place
        }
        _ = try? session.pause()
        let until = MonotonicTime.now() + Self.longestFade
        while session.isSounding, device.heard(at: MonotonicTime.now()) < session.renderer.silentFrom,
            MonotonicTime.now() < until
        {
            guard (try? device.proceed()) != nil, device.flows else { break }
            poll.watch(readable: nil)
            poll.wait(until: MonotonicTime.now() + 5 * MonotonicTime.millisecond) { false }
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

    private static let longestOpening = Duration.seconds(2)
    private static let longestFade = 120 * MonotonicTime.millisecond

    private var route: Route { Route(output: "alsa", device: pcm, otherAudioPlaying: nil) }

    private func opened(_ format: AudioFormat) async throws(OutputError) -> ALSAHandle {
        let pcm = pcm
        let outcome = await BlockingQueue(label: "rostrum.alsa").run(within: Self.longestOpening) {
            Result { () throws(OutputError) in try ALSAHandle.open(pcm, format) }
        }
        guard let outcome else {
            throw OutputError(.timeout, source: "snd_pcm_open", message: "ALSA: \(pcm): no answer within 2 s")
        }
        return try outcome.get()
    }

    private func begin(
        _ request: StreamRequest, _ handle: ALSAHandle, alreadyStarted: UInt32?
    ) throws(OutputError) {
        end()
        let device = ALSADevice(pcm, handle)
        self.device = device
        self.request = request
        session = StreamSession(
            request, device: device, aheadFrames: request.format.frames(milliseconds: 1_500),
            alreadyStarted: alreadyStarted)
    }

    /// Opens the device again for another format.
    ///
    /// Like the first time, it is opened on another thread; commands that arrive meanwhile change `request`.
    private func reopen(_ request: StreamRequest, alreadyStarted: UInt32?) {
        let place = session?.lastHeard(at: MonotonicTime.now())
        // A card can be open only once at a time.
        end()
        self.request = request
        placeBetween = place
        let stream = streams
        Task { await begin(stream, request.format, alreadyStarted: alreadyStarted) }
    }

    private func begin(_ stream: UInt64, _ format: AudioFormat, alreadyStarted: UInt32?) async {
        do throws(OutputError) {
            let handle = try await opened(format)
            guard stream == streams, let request else { return }
            try begin(request, handle, alreadyStarted: alreadyStarted)
            _ = turn()
        } catch {
            if stream == streams { fail(error) }
        }
    }

    private func end() {
        session = nil
        device = nil
        request = nil
        placeBetween = nil
        streams += 1
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
        let place = session?.lastHeard(at: MonotonicTime.now()) ?? placeBetween
        end()
        send.yield(.failed(error, heard: place))
    }

    private enum Turn {
        case next(Int64?)
        /// The next sound needs another device.
        case reopen(StreamRequest, alreadyStarted: UInt32?)
    }

    private func turn() -> Int64? {
        do throws(OutputError) {
            switch try proceed() {
            case .next(let time): return time
            case .reopen(let request, let alreadyStarted):
                reopen(request, alreadyStarted: alreadyStarted)
                return nil
            }
        } catch {
            fail(error)
            return nil
        }
    }

    private func proceed() throws(OutputError) -> Turn {
        guard let session, let device, var request else { return .next(nil) }
        let now = MonotonicTime.now()
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
            return .reopen(request, alreadyStarted: session.hasStarted ? request.generation : nil)
        }
        return .next([next, watch(session, request.source)].compactMap { $0 }.min())
    }

    /// Lets the source wake the thread if there is nothing to do before.
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
