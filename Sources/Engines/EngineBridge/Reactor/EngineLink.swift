// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineABI
import EngineTransport
import Glibc
import MediaPlayback
import PlaybackCore

/// The session's side of one engine: its pending requests, the state that it reported, and its shutdown.
///
/// It is used on the reactor's thread only.
final class EngineLink {
    enum Reply: Sendable {
        case done
        case description(MediaDescription)
        case duration(Int64?)
        case cover(CoverPicture?)
    }

    typealias Completion = @Sendable (Result<Reply, EngineError>) -> Void

    struct Pending {
        var kind: Kind
        var deadline: UInt64
        var allowance: UInt64
        var completion: Completion
        /// The track of `measure` and `measureLater`.
        var track: UInt32?
        var index: [UInt8] = []
        /// The bytes of `cover` that have arrived, and their total number.
        var picture: (bytes: [UInt8], total: UInt32) = ([], 0)
        enum Kind { case load, describe, measure, measureLater, cover, ping, other }
    }

    enum Phase {
        case running
        /// The engine was asked to quit, and is killed at the deadline.
        case leaving(deadline: UInt64)
        /// The engine was killed, and is left behind at the deadline.
        case killed(deadline: UInt64)
        case finished
    }

    let id: EngineID
    let deadlines: EngineDeadlines
    let now: @Sendable () -> UInt64
    let reader: RingReader
    let events: EventOutlet
    let openSource: (TrackSource, @escaping @Sendable (SourceOpener.Opened) -> Void) -> Void

    var connection = EngineConnection()
    private(set) var process: EngineProcess?
    var logAllowance = LogAllowance()
    private(set) var phase = Phase.running
    /// The reason why the session ended the engine, if it did not end by itself.
    private(set) var cause: EngineError?
    /// The callers that wait until the engine is gone.
    private var leavers: [@Sendable () -> Void] = []
    /// `true` if the engine quits because it was asked to.
    private var isLeaving = false

    private var lastRequest: UInt32 = 0
    var pending: [UInt32: Pending] = [:]
    /// The requests whose responses nobody waits for any more.
    var abandoned: Set<UInt32> = []
    var loads: [UInt32: LoadState] = [:]
    var openSources = 0
    var rates: ClosedRange<Double>?
    var isReady = false
    var watch = RenderWatch()
    var processor = ProcessorWatch()
    var isRemote = false
    /// `true` if this process replaces another, whose sound in the ring is heard first and counts as this one's.
    private var follows: Bool

    init(
        id: EngineID, deadlines: EngineDeadlines, now: @escaping @Sendable () -> UInt64, reader: RingReader,
        follows: Bool = false, events: EventOutlet,
        openSource: @escaping (TrackSource, @escaping @Sendable (SourceOpener.Opened) -> Void) -> Void
    ) {
        self.id = id
        self.deadlines = deadlines
        self.now = now
        self.reader = reader
        self.follows = follows
        self.events = events
        self.openSource = openSource
    }

    // MARK: Life cycle

    func start(_ launch: EngineLaunch, _ memory: RingMemory) {
        do throws(EngineError) {
            let theirs: MessageSocket
            do throws(SystemError) {
                theirs = try connection.open(withErrors: launch.hosting != .inProcess)
            } catch {
                throw EngineError(number: EngineNumber.unavailable, message: "the engine \(id): \(error)")
            }
            process = try launch.start(theirs, errors: connection.errors?.theirs)
            connection.handedOver()
            send(.hello(version: HostMessage.version, capacity: UInt32(memory.capacity)), memory.handedOver)
        } catch {
            finish(error)
        }
    }

    var isFinished: Bool {
        if case .finished = phase { true } else { false }
    }

    /// Asks the engine to quit; `completion` runs when it is gone.
    func shutDown(_ completion: @escaping @Sendable () -> Void) {
        guard !isFinished else { return completion() }
        leavers.append(completion)
        guard case .running = phase else { return }
        isLeaving = true
        phase = .leaving(deadline: now() &+ deadlines.shutDown.nanoseconds)
        send(.quit)
    }

    /// Ends the engine at once because it broke a rule or a deadline.
    func end(_ error: EngineError) {
        guard cause == nil, !isFinished else { return }
        cause = error
        if let process {
            kill(process)
            failPending(error)
        } else {
            // A thread cannot be killed. It will find its socket closed at its next access.
            finish(error)
        }
    }

    private func kill(_ process: EngineProcess) {
        phase = .killed(deadline: now() &+ deadlines.kill.nanoseconds)
        process.kill()
    }

    /// `true` if something was rendered since the last load or seek.
    var leavesSound: Bool { reader.written != watch.begun }

    private func failPending(_ error: EngineError) {
        let failed = pending
        pending = [:]
        for request in failed.values { request.completion(.failure(error)) }
    }

    private func finish(_ error: EngineError?) {
        guard !isFinished else { return }
        let end = error == nil ? nil : renderedEnd
        phase = .finished
        connection.close()
        process = nil
        failPending(
            error ?? EngineError(number: EngineNumber.unavailable, message: "the engine \(id) was shut down"))
        events.finish(error.map { .gone($0, leavesSound: leavesSound, end: end) })
        for leaver in leavers { leaver() }
        leavers = []
    }

    /// Finishes after the process has exited, or after all threads have closed the socket.
    private func ended(_ how: String) {
        if let cause {
            finish(cause)
        } else if isLeaving {
            finish(nil)
        } else {
            let words = connection.errors?.last.map { ": \($0)" } ?? ""
            let code = isReady ? EngineNumber.crashed : EngineNumber.neverReady
            finish(EngineError(number: code, message: "the engine \(id) \(how)\(words)"))
        }
    }

    // MARK: Requests

    func load(_ request: LoadRequest, _ completion: @escaping Completion) {
        let content = request.content
        guard let count = UInt32(exactly: content.tracks.count), (1...Limits.tracks).contains(count),
            let track = UInt32(exactly: request.start.track), request.start.units >= 0
        else {
            let message = "no place \(request.start.track):\(request.start.units) in \(content.tracks.count) tracks"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_ARGUMENT, message: message)))
        }
        guard track < count else {
            // It has fewer than when the place was kept.
            let message =
                "file \(track + 1) is gone: “\(content.title)” has \(count) now; use --from-start to begin at 0"
            return completion(.failure(EngineError(number: ROSTRUM_ERROR_NOT_FOUND, message: message)))
        }
        let number = ask(.load, deadlines.load, completion) { number in
            .load(
                request: number,
                HostMessage.Load(
                    generation: request.generation,
                    kind: content.kind == .text ? ROSTRUM_KIND_TEXT : ROSTRUM_KIND_AUDIO, trackCount: count,
                    startTrack: track, start: request.start.units, language: content.language, voice: request.voice,
                    rate: request.rate))
        }
        guard let number else { return }
        loads[number] = LoadState(request)
        isRemote = content.isRemote
        if !follows { watch.begin(written: reader.written) }
        follows = false
    }

    func seek(track: Int, units: Int64, generation: UInt32, _ completion: @escaping Completion) {
        ask(.other, deadlines.seek, completion) { number in
            .seek(request: number, generation: generation, track: UInt32(clamping: track), position: units)
        }
        watch.begin(written: reader.written)
    }

    func setRate(_ rate: Double, _ completion: @escaping Completion) {
        ask(.other, deadlines.rate, completion) { .setRate(request: $0, rate) }
    }

    func setRange(
        _ start: MediaPosition, _ end: MediaPosition, loops: Bool, _ completion: @escaping Completion
    ) {
        ask(.other, deadlines.rate, completion) { number in
            .setRange(
                request: number,
                HostMessage.Range(
                    startTrack: UInt32(clamping: start.track), start: start.units,
                    endTrack: UInt32(clamping: end.track), end: end.units, loops: loops))
        }
    }

    func measure(track: Int, _ completion: @escaping Completion) {
        let track = UInt32(clamping: track)
        let number = ask(.measure, deadlines.measure, completion) { .measure(request: $0, track: track) }
        if let number { pending[number]?.track = track }
    }

    func measureLater(track: Int, _ completion: @escaping Completion) {
        let track = UInt32(clamping: track)
        let number = ask(.measureLater, deadlines.measureLater, completion) { .measureLater(request: $0, track: track) }
        if let number { pending[number]?.track = track }
    }

    func describeAll(_ completion: @escaping Completion) {
        ask(.describe, deadlines.describe, completion) { .describeAll(request: $0) }
    }

    func unload(_ completion: @escaping Completion) {
        ask(.other, deadlines.unload, completion) { .unload(request: $0) }
    }

    @discardableResult
    func ask(
        _ kind: Pending.Kind, _ allowance: Duration, _ completion: @escaping Completion,
        _ message: (UInt32) -> HostMessage
    ) -> UInt32? {
        guard case .running = phase else {
            let reason = cause ?? EngineError(number: EngineNumber.unavailable, message: "the engine \(id) is gone")
            completion(.failure(reason))
            return nil
        }
        lastRequest &+= 1
        pending[lastRequest] = Pending(
            kind: kind, deadline: now() &+ allowance.nanoseconds, allowance: allowance.nanoseconds,
            completion: completion)
        if kind != .ping, let used = process?.processorTime { processor.noteRequest(at: now(), used: used) }
        send(message(lastRequest))
        return lastRequest
    }

    func send(_ message: HostMessage, _ descriptors: [OwnedDescriptor] = []) {
        if !connection.send(message, descriptors) { end(misbehaved("does not read what it is told")) }
    }

    /// Sends as many queued messages as the socket accepts.
    func flush() { connection.flush() }

    // MARK: Time

    var nextDeadline: UInt64? {
        var deadline =
            (pending.values.map(\.deadline)
            + [watch.deadline, processor.deadline, connection.allowance.opening].compactMap { $0 }).min()
        switch phase {
        case .leaving(let end), .killed(let end): deadline = min(deadline ?? end, end)
        case .running, .finished: break
        }
        return deadline
    }

    func expire() {
        let now = now()
        if case .leaving(let deadline) = phase, deadline <= now {
            if !isLeaving { cause = cause ?? closedEarly }
            if let process { kill(process) } else { finish(cause) }
            return
        }
        if case .killed(let deadline) = phase, deadline <= now, let process {
            log("error", "process \(process.pid) does not end, although it was killed, and is left behind")
            leaveBehind(process)
            // No other process may take over the ring: when its wait ends, this one may still write there.
            self.process = nil
            return finish(cause)
        }
        guard case .running = phase else { return }
        for (number, late) in pending where late.deadline <= now {
            // Finding out about other tracks gives way to sound, and may take long without harm.
            guard late.kind == .describe || late.kind == .measureLater else {
                let message =
                    late.kind == .ping
                    ? "the engine \(id) rendered nothing more and was ended"
                    : "the engine \(id) did not answer in time and was ended"
                return end(EngineError(number: EngineNumber.timedOut, message: message))
            }
            pending[number] = nil
            abandoned.insert(number)
            let message = "the engine \(id) has not found out all about its tracks in time"
            late.completion(.failure(EngineError(number: EngineNumber.timedOut, message: message)))
        }
    }

    private var closedEarly: EngineError {
        EngineError(number: EngineNumber.crashed, message: "the engine \(id) closed its socket")
    }

    // MARK: End of the engine

    /// Handles the end of the socket, and makes sure that the process ends.
    func sawSocketEnd() {
        connection.closeSocket()
        guard process != nil else { return ended("ended its thread") }
        // The process is about to exit, and its status tells why. If it does not exit, it is killed.
        if case .running = phase { phase = .leaving(deadline: now() &+ deadlines.shutDown.nanoseconds) }
    }

    func reapIfEnded() {
        if let how = process?.reap() { ended(how) }
    }

    func misbehaved(_ what: String) -> EngineError {
        EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) \(what)")
    }

    /// Takes over a process that does not exit.
    var leaveBehind: (EngineProcess) -> Void = { _ in }
    /// Reports an opened source; its owner replaces it with a closure that returns to the reactor's thread.
    var sourceOpened: @Sendable (UInt32, UInt32, UInt32, SourceOpener.Opened) -> Void = { _, _, _, _ in }
    /// Keeps the index that measuring produced, on a thread other than the reactor's.
    var keepIndex: @Sendable ([UInt8], TrackIndexKey) -> Void = { _, _ in }
}

extension EngineError {
    /// Creates an error from an engine's failure, with control characters replaced by spaces.
    ///
    /// The message is foreign: control characters could break the line or command a terminal.
    init(_ failure: WireFailure) {
        let line = failure.message.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }
        self.init(number: failure.code, message: String(String.UnicodeScalarView(line)))
    }
}

extension Duration {
    /// The duration in nanoseconds, clamped to the range that fits.
    var nanoseconds: UInt64 {
        let parts = components
        guard parts.seconds >= 0, parts.seconds < 1_000_000_000 else { return parts.seconds < 0 ? 0 : 1 << 60 }
        return UInt64(parts.seconds) * 1_000_000_000 + UInt64(max(0, parts.attoseconds) / 1_000_000_000)
    }
}
