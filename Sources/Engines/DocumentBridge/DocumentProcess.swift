// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import EngineTransport
import Glibc
import MediaPlayback

/// A process that does one thing with one document: it takes an order, and answers.
///
/// It blocks the thread that starts it, and ends with that.
struct DocumentProcess {
    /// The purpose of the process, in words for the listener.
    struct Job: Sendable {
        /// The name of the work, as in "… was given up".
        var work: String
        /// The name of the process, as in "… cannot be started".
        var worker: String
        /// The whole reason for a process that ends without an answer.
        var end: String
    }

    private let program: String
    private let name: String
    private let job: Job
    private let variables: [String]
    private let end: ProcessEnd

    /// - Parameters:
    ///   - name: The document, as messages name it.
    ///   - variables: Lines `NAME=VALUE` of the environment, in addition to those that every such process has.
    init(_ program: String, name: String, job: Job, variables: [String] = [], end: ProcessEnd) {
        self.program = program
        self.name = name
        self.job = job
        self.variables = variables
        self.end = end
    }

    /// Hands over an order with its descriptors, and waits for the answer.
    func exchange(_ order: [UInt8], _ descriptors: [SharedDescriptor]) throws(ItemError) -> [UInt8] {
        var answer: [UInt8] = []
        try exchange(order, descriptors, within: nil) { bytes, _ throws(ItemError) in
            answer = bytes
            return false
        }
        return answer
    }

    /// Hands over an order with its descriptors, and takes answers until that wants no more.
    ///
    /// - Parameters:
    ///   - limit: The time for each answer; `nil` for all the time in the world.
    ///   - take: Takes an answer and the number of the process; returns `false` after the last.
    func exchange(
        _ order: [UInt8], _ descriptors: [SharedDescriptor], within limit: Duration?,
        _ take: ([UInt8], pid_t) throws(ItemError) -> Bool
    ) throws(ItemError) {
        let (own, process) = try connect()
        defer {
            kill(-process, SIGKILL)
            while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        }
        var copies: [OwnedDescriptor] = []
        for descriptor in descriptors {
            let copy = fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { throw failure(String(cString: strerror(errno))) }
            copies.append(OwnedDescriptor(owning: copy))
        }
        guard own.send(order, descriptors: copies, waiting: true) == .sent else { throw hasEnded }
        copies = []
        repeat {
            try wait(for: own, within: limit)
            guard case .message(let bytes, _) = own.receive(waiting: false) else { throw hasEnded }
            guard try take(bytes, process) else { return }
        } while true
    }

    /// The failure of a process that has not answered, or not in words that it should know.
    var hasEnded: ItemError { ItemError(.unsupported, "\(name): \(job.end)") }

    /// Starts the process; returns this end of its socket, whose other end is then in the process alone.
    private func connect() throws(ItemError) -> (MessageSocket, pid_t) {
        let (own, other): (MessageSocket, MessageSocket)
        do throws(SystemError) {
            (own, other) = try MessageSocket.pair()
        } catch {
            throw failure("\(error)")
        }
        return (own, try start(other))
    }

    private func start(_ socket: MessageSocket) throws(ItemError) -> pid_t {
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        // Backtraces of foreign input take time and say nothing to the listener.
        var environment: [UnsafeMutablePointer<CChar>?] =
            [strdup("SWIFT_BACKTRACE=enable=no"), strdup("LC_ALL=C.UTF-8")]
            + (Self.lines(["LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"]) + variables).map { strdup($0) } + [nil]
        defer { for string in arguments + environment { free(string) } }
        let code = ctransport_spawn(program, &arguments, &environment, socket.descriptor.rawValue, -1, &process)
        guard code == 0 else { throw failure("\(program): \(String(cString: strerror(code)))") }
        return process
    }

    /// Returns the variables of this process's environment that are set, as lines `NAME=VALUE`.
    static func lines(_ names: [String]) -> [String] {
        names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
    }

    /// Waits until the process has answered or ended, its time is over, or its end is wanted.
    private func wait(for socket: MessageSocket, within limit: Duration?) throws(ItemError) {
        var waited = [
            pollfd(fd: socket.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
            pollfd(fd: end.descriptor.rawValue, events: Int16(POLLIN), revents: 0),
        ]
        let found = gnu_poll_on(&waited, waited.count, limit.map(Self.milliseconds) ?? -1)
        if waited[1].revents != 0 { throw ItemError(.timedOut, "\(name): \(job.work) was given up") }
        if found == 0, let limit {
            throw ItemError(
                .timedOut, "\(name): \(job.work) took longer than \(limit.components.seconds) s; split it")
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: Int64(clamping: seconds) * 1000 + attoseconds / 1_000_000_000_000_000)
    }

    private func failure(_ reason: String) -> ItemError {
        ItemError(.unreadable, "\(name): \(job.worker) cannot be started: \(reason)")
    }
}

/// The wish that a process ends, from any thread.
final class ProcessEnd: Sendable {
    let descriptor = OwnedDescriptor(owning: ctransport_event_descriptor())

    func request() { ctransport_signal(descriptor.rawValue) }
}
