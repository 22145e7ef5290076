// SPDX-License-Identifier: Apache-2.0

public import AudioSession
import Clocks

/// An output through PulseAudio, or PipeWire, which answers the same calls.
///
/// One thread runs libpulse's loop and this actor. Every call to the server has a deadline: 5 s to connect, 2 s for all
/// others.
public actor PulseOutput: AudioOutput {
    public nonisolated let name: String
    public nonisolated let isRender = false
    public nonisolated let events: AsyncStream<OutputEvent>
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let thread: OutputThread
    private let loop = PulseLoop()
    let send: AsyncStream<OutputEvent>.Continuation
    private let target: PulseTarget

    private var connection: PulseConnection?
    /// The sink of the stream when it was last checked.
    var sink: PulseConnection.Sink?
    /// The device that was in use when it went away.
    var lost: LostDevice?
    private(set) var stream: PulseStream?
    private var session: StreamSession?
    private var request: StreamRequest?
    /// The streams that are closing: they fade out and are not drained.
    private var leaving: [(stream: PulseStream, session: StreamSession, until: Int64)] = []

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - sink: The name of a sink; `nil` for the server's default.
    ///   - server: The address of a server; `nil` for the one that the environment and client.conf specify.
    public init(sink: String? = nil, server: String? = nil) {
        self.init(sink: sink, server: server, rewinds: nil, transit: .milliseconds(2))
    }

    /// Creates an output with settings for tests.
    ///
    /// - Parameter transit: The time until the sink has what is written; longer on a machine that does more than play,
    ///   such as in tests.
    package init(sink: String?, server: String?, rewinds: Bool?, transit: Duration) {
        let time = transit.components.seconds * MonotonicTime.second + transit.components.attoseconds / 1_000_000_000
        name = sink.map { "pulse:\($0)" } ?? "pulse"
        target = PulseTarget(server: server, sink: sink, rewinds: rewinds, transit: time)
        (events, send) = AsyncStream.makeStream(of: OutputEvent.self)
        thread = OutputThread(name: "pulse-output", wait: loop)
    }

    deinit {
        thread.retire()
    }

    public func connect() async throws(OutputError) -> Route {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        let connection = try connected()
        if sink == nil, let name = target.sink ?? connection.defaultSink { sink = try connection.sink(named: name) }
        if sink == nil, let name = target.sink {
            throw OutputError(
                .unavailable, source: "pa_context_get_sink_info_by_name", message: "PulseAudio: no sink \(name)")
        }
        return Route(output: "pulse", device: sink?.description, server: connection.serverName)
    }

    public func othersPlay() async throws(OutputError) -> Bool? {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        return try connected().otherAudioPlaying()
    }

    public func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        thread.setTurn { [weak self] in self?.assumeIsolated { $0.turn() } }
        let connection = try connected()
        lost = nil
        leave()
        try begin(request, on: connection, alreadyStarted: nil)
        _ = turn()
        return try route(on: connection)
    }

    public func pause() async throws(OutputError) -> HeardPosition? {
        let place = try act { session throws(OutputError) in try session.pause() }.flatMap { $0 }
        untilSilent()
        return place
    }

    public func resume() async throws(OutputError) {
        lost = nil
        // A paused stream lets its sink sleep. If the server does not answer here, it does not answer below either.
        if let connection, let session, session.isPaused, !session.isSounding,
            let sleeping = try? connection.suspendedSinks()
        {
            try? wake(sleeping: sleeping, on: connection)
        }
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
        session?.heard(at: MonotonicTime.now())
    }

    public func close() async -> HeardPosition? {
        guard let session else { return nil }
        let place = session.lastHeard(at: MonotonicTime.now())
        leave()
        let until = MonotonicTime.now() + Self.longestFade
        while !leaving.isEmpty, MonotonicTime.now() < until {
            let due = dismiss(at: MonotonicTime.now())
            if !leaving.isEmpty { loop.wait(until: due ?? until) { false } }
        }
        return session.lastHeard(at: MonotonicTime.now()) ?? place
    }

    public func shutDown() async {
        _ = await close()
        for old in leaving { old.stream.close() }
        leaving = []
        connection?.close()
        connection = nil
        send.finish()
        thread.retire()
    }

    // MARK: Parts

    /// Waits until PipeWire has taken all that a pause left to hear.
    ///
    /// Its policy pauses players whose sink is gone, and links their streams elsewhere when the pause is answered.
    private func untilSilent() {
        guard let connection, connection.isPipeWire, let stream, let session, session.isSounding else { return }
        let until = MonotonicTime.now() + Self.longestFade
        while stream.isAlive, MonotonicTime.now() < until {
            let left = stream.timeToTake(session.renderer.silentFrom, at: MonotonicTime.now())
            guard left > 0 else { return }
            loop.wait(until: min(until, MonotonicTime.now() + left)) { false }
        }
    }

    /// The longest time that `close` and `pause` wait for a fade; `close` does not wait for a sink with a long latency.
    private static let longestFade = 120 * MonotonicTime.millisecond

    private func connected() throws(OutputError) -> PulseConnection {
        if let connection, connection.isReady { return connection }
        connection?.close()
        connection = nil
        sink = nil
        let made = try PulseConnection(loop, server: target.server)
        connection = made
        return made
    }

    private func begin(
        _ request: StreamRequest, on connection: PulseConnection, alreadyStarted: UInt32?
    ) throws(OutputError) {
        let sleeping = try connection.suspendedSinks()
        let stream = try PulseStream(
            connection, format: request.format, title: request.title, sink: target.sink, isPaused: request.isPaused,
            isHeld: leaving.contains { $0.session.isSounding }, sinkRewinds: target.rewinds ?? sink?.rewinds ?? false,
            transit: target.transit)
        self.stream = stream
        self.request = request
        // This covers the server's queue, the sink's own, and what a revision needs.
        let ahead = request.format.frames(milliseconds: PulseStream.depthSeconds * 1000 + 1_000)
        session = StreamSession(request, device: stream, aheadFrames: ahead, alreadyStarted: alreadyStarted)
        try wake(sleeping: sleeping, on: connection)
    }

    /// Puts silence before the next sound if the stream's sink was suspended.
    private func wake(sleeping: Set<UInt32>, on connection: PulseConnection) throws(OutputError) {
        guard let stream, sleeping.contains(stream.sinkIndex), let sink = try connection.sink(at: stream.sinkIndex)
        else { return }
        let milliseconds = request?.preRoll.map { Int($0 * 1000) } ?? sink.kind.wakeTime
        guard milliseconds > 0 else { return }
        stream.preRoll = stream.format.frames(milliseconds: Double(milliseconds))
        send.yield(.woke(preRoll: milliseconds))
    }

    /// Lets the current stream fade out, or play the last of what it has; the next one is held back until then.
    private func leave(playingOut: Bool = false) {
        guard let stream, let session else { return }
        self.stream = nil
        self.session = nil
        request = nil
        loop.watch(readable: nil)
        session.feed = nil
        if !playingOut { _ = try? session.pause() }
        let until = MonotonicTime.now() + Self.longestFade + (playingOut ? changeLead : 0)
        leaving.append((stream, session, until))
    }

    /// Ends streams that have faded out, and releases the next one when the server has taken the last of them, so that
    /// two are never audible at once.
    ///
    /// - Returns: The time to check again.
    private func dismiss(at now: Int64) -> Int64? {
        var due: Int64?
        var mostLeft: Int64 = 0
        leaving.removeAll { old in
            let playsOut = !old.session.isPaused
            let silentFrom = playsOut ? old.session.renderer.written : old.session.renderer.silentFrom
            let left = silentFrom - old.stream.heard(at: now)
            guard old.stream.isAlive, old.session.isSounding, left > 0, now < old.until,
                old.session.renderer.written > 0
            else {
                old.stream.close()
                return true
            }
            let end = now + old.stream.time(left) + 100_000
            due = min(due ?? end, end, old.until)
            let untilFollowed = playsOut ? old.stream.timeToFollow(at: now) : nil
            mostLeft = max(mostLeft, untilFollowed ?? old.stream.timeToTake(silentFrom, at: now))
            return false
        }
        guard let stream, stream.isHeld else { return due }
        if mostLeft > 0 { return min(due ?? .max, now + mostLeft) }
        do throws(OutputError) {
            try stream.release(isPaused: session?.isPaused ?? true)
        } catch {
            fail(error)
        }
        return due
    }

    func route(on connection: PulseConnection) throws(OutputError) -> Route {
        if let stream, sink?.index != stream.sinkIndex {
            sink = try connection.sink(at: stream.sinkIndex)
            stream.setRewinds(target.rewinds ?? sink?.rewinds ?? false)
        }
        return Route(
            output: "pulse", device: sink?.description, otherAudioPlaying: try connection.otherAudioPlaying())
    }

    /// Runs a command, and reports a stream that fails under it.
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
        loop.watch(readable: nil)
        stream?.close()
        stream = nil
        session = nil
        request = nil
        send.yield(.failed(error, heard: place))
    }

    private func turn() -> Int64? {
        let due = turnOnce()
        return hasNews ? MonotonicTime.now() : due
    }

    /// `true` if the server reported something while a call waited for it, because nothing else wakes the thread for
    /// that.
    private var hasNews: Bool {
        guard let connection else { return false }
        // The stream was lost in this very turn.
        if session != nil, request != nil, let stream, !stream.isAlive { return true }
        guard connection.isReady else { return false }
        guard session != nil, request != nil, let stream, stream.isAlive else { return connection.hasSinkNotes }
        return connection.hasSinkNotes || stream.notes.moved || stream.notes.interruption != nil
    }

    private func turnOnce() -> Int64? {
        let now = MonotonicTime.now()
        let due = leaving.isEmpty && stream?.isHeld != true ? nil : dismiss(at: now)
        if let connection, connection.isReady { try? follow(connection.takeSinkNotes(), on: connection) }
        guard let session, let stream, let request, let connection else { return due }
        guard stream.isAlive else {
            if connection.isReady, let sink {
                lost = LostDevice(leaving: sink, now: nil)
                fail(OutputError(.deviceGone, source: "pa_stream", message: "PulseAudio: \(sink.description) is gone"))
            } else {
                fail(connection.failure("pa_stream", "the stream is gone").with(code: .lost))
            }
            return due
        }
        do throws(OutputError) {
            request.source.acknowledge()
            let next = try session.turn(at: now)
            try pad(stream, session)
            try tell(stream.takeNotes(), of: session, on: connection)
            for event in session.takeEvents() { send.yield(event) }
            let change = changeDue(session, stream, at: now)
            if let change, change <= now {
                try reopen(session, on: connection)
                return turn()
            }
            return [due, next, change, watch(session, request.source)].compactMap { $0 }.min()
        } catch {
            fail(error)
            return due
        }
    }

    /// Lets the server take all that is there, where no sound follows soon.
    private func pad(_ stream: PulseStream, _ session: StreamSession) throws(OutputError) {
        guard !session.isPaused else { return }
        switch session.condition {
        case .ended, .formatChange: try stream.pad(isLast: true)
        case .starved: try stream.pad(isLast: false)
        default: return
        }
    }

    private func tell(
        _ notes: PulseStream.Notes, of session: StreamSession, on connection: PulseConnection
    ) throws(OutputError) {
        if let began = notes.interruption {
            // The request itself names nobody. For whom it came is only for the log, so a failure here does not matter.
            let others = try? connection.interrupter()
            send.yield(
                .interruption(began: began, by: began ? others?.sound : nil, othersPlay: others?.othersPlay))
        }
        if notes.moved { try moved(session, on: connection) }
    }

    /// The time that a server needs to create a stream; PipeWire links it into its graph first.
    private var changeLead: Int64 { (connection?.isPipeWire == true ? 60 : 15) * MonotonicTime.millisecond }

    /// Returns the time to continue in another format; `nil` if no change is ahead.
    ///
    /// It is shortly before the last frame of the current format, so that the next stream is ready by then.
    private func changeDue(_ session: StreamSession, _ stream: PulseStream, at now: Int64) -> Int64? {
        guard case .formatChange = session.condition else { return nil }
        if session.renderer.isCrossing || session.lastFrameIsHeard(at: now) { return now }
        return session.isSounding ? now + max(0, stream.timeToFollow(at: now) - changeLead) : nil
    }

    /// Continues in another format, behind the last frame of the old one.
    private func reopen(_ session: StreamSession, on connection: PulseConnection) throws(OutputError) {
        guard case .formatChange(let format) = session.condition, var request else { return }
        request.format = format
        request.generation = session.renderer.generation
        request.isPaused = session.isPaused
        let started = session.hasStarted ? request.generation : nil
        leave(playingOut: !session.renderer.isCrossing)
        try begin(request, on: connection, alreadyStarted: started)
    }

    /// Lets the source wake the thread if there is nothing to do before.
    private func watch(_ session: StreamSession, _ source: any PCMSource) -> Int64? {
        guard session.awaitsSource else {
            loop.watch(readable: nil)
            return nil
        }
        if source.arm() { return MonotonicTime.now() }
        loop.watch(readable: source.readiness)
        return nil
    }
}

extension OutputError {
    func with(code: Code) -> OutputError {
        OutputError(code, source: source, message: message)
    }
}
