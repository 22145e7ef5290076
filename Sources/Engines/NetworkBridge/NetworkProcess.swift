// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import CGNUSource
import CTransport
import EngineTransport
import Glibc
import HTTPExchange
import MediaPlayback
import NetworkOrders

/// A running process that asks servers, and the thread that talks to it.
///
/// The process ends with this thread, so one thread starts it and stays.
final class NetworkProcess: Sendable {
    private struct State {
        var outbox: [(bytes: [UInt8], descriptors: [OwnedDescriptor])] = []
        var jobs: [UInt64: NetworkJob] = [:]
        /// The failures of the requests that are to end, for the case that the process does not tell.
        var ending: [UInt64: HTTPFailure] = [:]
        var isRetired = false
        var isOver = false
        var process: pid_t = 0
    }

    private let program: String
    private let trust: WebTrust
    private let timing: NetworkBridge.Timing
    private let variables: [String]
    private let hasRoom: @Sendable () -> Void
    private let alarm = OwnedDescriptor(owning: ctransport_event_descriptor())
    /// Reason for the lock: the bridge adds what the thread takes; held for one change.
    private let state = LockedValue(State())

    /// - Parameter hasRoom: Is told, from the thread, when a request has ended or the process is over.
    init(
        _ program: String, trust: WebTrust, timing: NetworkBridge.Timing, variables: [String],
        hasRoom: @escaping @Sendable () -> Void
    ) {
        self.program = program
        self.trust = trust
        self.timing = timing
        self.variables = variables
        self.hasRoom = hasRoom
        BlockingQueue(label: "rostrum.network").enqueue { self.run() }
    }

    var isOver: Bool { state.withLock(\.isOver) }
    var isRetired: Bool { state.withLock(\.isRetired) }
    /// The number of requests that have not ended.
    var load: Int { state.withLock(\.jobs.count) }
    var processID: pid_t? { state.withLock { $0.isOver || $0.process == 0 ? nil : $0.process } }

    /// Takes a request; returns `false` if the process is over, or about to be.
    func begin(_ job: NetworkJob) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isOver, !state.isRetired else { return false }
            state.jobs[job.id] = job
            state.outbox.append((job.order.encoded, job.descriptors))
            return true
        }
        if isTaken { ctransport_signal(alarm.rawValue) }
        return isTaken
    }

    /// Ends a request.
    ///
    /// - Parameter isPatient: `true` if a request that writes into a file ends only when nothing is written any more.
    func cancel(_ id: UInt64, _ failure: HTTPFailure, isPatient: Bool) {
        let job = state.withLock { state -> NetworkJob? in
            guard let job = state.jobs[id], state.ending[id] == nil else { return nil }
            state.ending[id] = failure
            state.outbox.append((NetworkOrder.cancel(id: id).encoded, []))
            return job
        }
        guard let job else { return }
        if !isPatient || !job.isFile { job.end(.failure(failure)) }
        ctransport_signal(alarm.rawValue)
    }

    /// Takes no more requests, and ends after those that it has.
    func retire() {
        state.withLock { $0.isRetired = true }
        ctransport_signal(alarm.rawValue)
    }

    /// Returns the variables of this process's environment that are set, as lines `NAME=VALUE`.
    static func lines(_ names: [String]) -> [String] {
        names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }

    // MARK: The thread

    private func run() {
        let (own, process): (MessageSocket, pid_t)
        do throws(HTTPFailure) {
            (own, process) = try start()
        } catch {
            return finish(error)
        }
        state.withLock { $0.process = process }
        finish(converse(own))
        kill(-process, SIGKILL)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
    }

    private func start() throws(HTTPFailure) -> (MessageSocket, pid_t) {
        let (own, other): (MessageSocket, MessageSocket)
        do throws(SystemError) {
            (own, other) = try MessageSocket.pair()
        } catch {
            throw Self.unavailable("cannot be started: \(error)")
        }
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        // Backtraces of foreign input take time and say nothing to the listener.
        let lines =
            ["SWIFT_BACKTRACE=enable=no", "LC_ALL=C.UTF-8", "MALLOC_ARENA_MAX=2"]
            + Self.lines(["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"]) + variables
        var environment: [UnsafeMutablePointer<CChar>?] = lines.map { strdup($0) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        let code = ctransport_spawn(program, &arguments, &environment, other.descriptor.rawValue, -1, &process)
        guard code == 0 else {
            throw Self.unavailable("cannot be started: \(program): \(String(cString: strerror(code)))")
        }
        return (own, process)
    }

    private func hello() -> (bytes: [UInt8], descriptors: [OwnedDescriptor]) {
        var hello = NetworkOrder.Hello(
            fingerprints: Array(trust.fingerprints.prefix(WebTrust.limit)), problem: "", slowest: timing.slowest,
            slowestSeconds: timing.slowestSeconds, beat: Int64(Self.milliseconds(timing.silence / 6)))
        guard let path = trust.certificates else { return (NetworkOrder.hello(hello).encoded, []) }
        let raw = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if raw >= 0 { return (NetworkOrder.hello(hello).encoded, [OwnedDescriptor(owning: raw)]) }
        hello.problem = "\(path): \(String(cString: strerror(errno)))"
        return (NetworkOrder.hello(hello).encoded, [])
    }

    /// Talks to the process until one of both is over; returns the failure of the requests that are left.
    private func converse(_ socket: MessageSocket) -> HTTPFailure {
        let ended = Self.unavailable("has ended; try again")
        let clock = ContinuousClock()
        var heard = clock.now
        var isBusy = false
        state.withLock { $0.outbox.insert(hello(), at: 0) }
        while true {
            guard let hasRest = flush(to: socket) else { return ended }
            let load = load
            if (load > 0) != isBusy {
                isBusy = load > 0
                heard = clock.now
            }
            if !isBusy, state.withLock(\.isRetired), isOverNow() { return ended }
            let left = heard + (isBusy ? timing.silence : timing.idle) - clock.now
            if left <= .zero {
                if isBusy { return Self.unavailable("does not answer; try again") }
                if isOverNow() { return ended }
                continue
            }
            var waited = [
                pollfd(
                    fd: socket.descriptor.rawValue, events: Int16(POLLIN | (hasRest ? POLLOUT : 0)), revents: 0),
                pollfd(fd: alarm.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            _ = gnu_poll(&waited, waited.count, Self.milliseconds(left))
            if waited[1].revents != 0 { _ = ctransport_drain(alarm.rawValue) }
            receiving: while true {
                switch socket.receive(waiting: false) {
                case .message(let bytes, _):
                    heard = clock.now
                    guard take(bytes) else { return Self.unavailable("says nonsense; try again") }
                case .wouldWait: break receiving
                case .end, .malformed: return ended
                }
            }
        }
    }

    /// Sends what there is room for; returns whether some is left, or `nil` if the other end is gone.
    private func flush(to socket: MessageSocket) -> Bool? {
        while let next = state.withLock({ $0.outbox.first }) {
            switch socket.send(next.bytes, descriptors: next.descriptors, waiting: false) {
            case .sent: state.withLock { _ = $0.outbox.removeFirst() }
            case .wouldWait: return true
            case .closed: return nil
            }
        }
        return false
    }

    /// Takes a message; returns `false` if it cannot be one.
    private func take(_ bytes: [UInt8]) -> Bool {
        let reply: NetworkReply
        do throws(WireError) {
            reply = try NetworkReply(decoding: bytes)
        } catch {
            return false
        }
        switch reply {
        case .alive: return true
        case .progress(let id, let end):
            let (job, isEnding) = state.withLock { ($0.jobs[id], $0.ending[id] != nil) }
            if let job, !isEnding { job.tell(end) }
            return job != nil
        case .answered(let id, let answer, let bytes): return end(id, .success((answer, bytes)))
        case .failed(let id, let failure): return end(id, .failure(failure))
        }
    }

    private func end(_ id: UInt64, _ outcome: NetworkJob.Outcome) -> Bool {
        let (job, ending) = state.withLock { ($0.jobs.removeValue(forKey: id), $0.ending.removeValue(forKey: id)) }
        job?.end(ending.map { .failure($0) } ?? outcome)
        hasRoom()
        return job != nil
    }

    /// Marks the process as over if it has no request, so that none comes to it any more.
    private func isOverNow() -> Bool {
        state.withLock { state in
            if state.jobs.isEmpty { state.isOver = true }
            return state.isOver
        }
    }

    private func finish(_ failure: HTTPFailure) {
        let (jobs, ending) = state.withLock { state in
            state.isOver = true
            state.outbox = []
            defer { state.jobs = [:] }
            return (state.jobs, state.ending)
        }
        for (id, job) in jobs { job.end(.failure(ending[id] ?? failure)) }
        hasRoom()
    }

    private static func unavailable(_ what: String) -> HTTPFailure {
        HTTPFailure(.unavailable, "the process that asks servers \(what)")
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: Int64(clamping: seconds) * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
