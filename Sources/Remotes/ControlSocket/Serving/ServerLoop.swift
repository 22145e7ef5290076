// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Clocks
import Glibc
import SessionProtocol

/// The system calls of the socket's thread that may fail.
struct SystemCalls: Sendable {
    /// Accepts the next connection of the listening socket; on failure, returns -1 and sets `errno`.
    var accept: @Sendable (Int32) -> Int32 = { gnu_accept($0) }
    var poll: @Sendable (inout [pollfd], Int32) -> Int32 = { Glibc.poll(&$0, nfds_t($0.count), $1) }
}

/// The socket's thread: it waits for sockets and for the signal, moves bytes, and begins short commands.
struct ServerLoop: Sendable {
    let socket: ListeningSocket
    let signal: LoopSignal
    let executor: LoopExecutor
    let service: any SessionService
    let calls: SystemCalls
    let limits: CrowdLimits

    func run() {
        var state = State(loop: self)
        executor.begin()
        while state.turn() { executor.runJobs() }
        state.closeAll()
        executor.end()
    }

    private struct State {
        let loop: ServerLoop
        var connections: [ClientID: Connection] = [:]
        /// The workers of clients that are gone, whose requests may not have begun.
        var leaving: [ClientID: ClientWorker] = [:]
        var lastClient: UInt64 = 0
        /// The monotonic time in ms at which it accepts again after it ran out of file descriptors.
        ///
        /// It accepts earlier if one of its own is closed.
        var acceptsAgain: Int64?
        /// The monotonic time in ms of the next attempt to restore the socket in its folder.
        var restoresAgain: Int64?
        /// The number of consecutive failures to restore the socket, and to wait.
        var restoreFailures = 0
        var waitFailures = 0
        /// The monotonic time in ms at which the last flush ends.
        var deadline: Int64?

        /// Waits once; returns `false` when the server is to end.
        mutating func turn() -> Bool {
            var order: [ClientID] = []
            var waits = [
                pollfd(fd: loop.signal.wake, events: Int16(POLLIN), revents: 0),
                pollfd(fd: loop.socket.changes, events: Int16(POLLIN), revents: 0),
            ]
            if let again = acceptsAgain, Self.now() >= again { acceptsAgain = nil }
            let accepts = deadline == nil && acceptsAgain == nil
            waits.append(pollfd(fd: accepts ? loop.socket.descriptor : -1, events: Int16(POLLIN), revents: 0))
            for (client, connection) in connections where connection.hasRoom && deadline == nil {
                connections[client]?.handOn()
            }
            for (client, connection) in connections {
                var events: Int16 = 0
                if connection.wantsInput && deadline == nil { events |= Int16(POLLIN) }
                if connection.wantsOutput { events |= Int16(POLLOUT) }
                order.append(client)
                waits.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
            }
            guard loop.calls.poll(&waits, timeout()) >= 0 else { return isWorthWaitingAgain() }
            waitFailures = 0
            if waits[0].revents != 0 { look() }
            if waits[2].revents != 0 { accept() }
            if waits[1].revents != 0 || restoresAgain.map({ $0 <= Self.now() }) == true, !restore() { return false }
            for (client, wait) in zip(order, waits.dropFirst(3)) where wait.revents != 0 { serve(client, wait.revents) }
            if let deadline {
                // Requests that have begun are answered, too. So a client that gets no answer knows that its request
                // had not begun.
                let isFlushed = connections.values.allSatisfy { !$0.wantsOutput && $0.output.requests == 0 }
                return !isFlushed && Self.now() < deadline
            }
            return true
        }

        private func timeout() -> Int32 {
            if loop.executor.hasJobs { return 0 }
            let next = deadline ?? [acceptsAgain, restoresAgain].compactMap(\.self).min()
            return next.map { Int32(clamping: max(0, $0 - Self.now())) } ?? -1
        }

        /// Returns `true` if another wait may succeed, as when the system has no memory for the moment.
        ///
        /// If it keeps failing, no client can reach this session, which must end.
        private mutating func isWorthWaitingAgain() -> Bool {
            guard errno != EINTR else { return true }
            waitFailures += 1
            usleep(20_000)
            return waitFailures < 100
        }

        /// Restores the socket; returns `false` if another session has taken its place, or if it keeps failing.
        private mutating func restore() -> Bool {
            do throws(SessionError) {
                try loop.socket.restore()
                restoresAgain = nil
                restoreFailures = 0
                return true
            } catch {
                restoreFailures += 1
                restoresAgain = Self.now() + 1000
                return error.code != .busy && restoreFailures < 10
            }
        }

        private static func now() -> Int64 { MonotonicTime.milliseconds() }

        // MARK: Connections

        private mutating func accept() {
            while true {
                let descriptor = loop.calls.accept(loop.socket.descriptor)
                if descriptor < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    if errno != EAGAIN && errno != EWOULDBLOCK { acceptsAgain = Self.now() + 1000 }
                    return
                }
                var process: pid_t = 0
                var user: uid_t = 0
                guard gnu_peer_credentials(descriptor, &process, &user) == 0, Self.isPermitted(user) else {
                    close(descriptor)
                    continue
                }
                let output = ClientOutput(descriptor: descriptor)
                guard hasRoomForClient() else {
                    if let line = loop.limits.farewell(nil) { output.put(last: line) }
                    output.close()
                    continue
                }
                lastClient += 1
                let client = ClientID(rawValue: lastClient)
                let worker = ClientWorker(
                    client: client, service: loop.service, output: output, signal: loop.signal, executor: loop.executor)
                connections[client] = Connection(descriptor: descriptor, worker: worker, output: output)
            }
        }

        /// Returns `true` for the user of the session and for root.
        private static func isPermitted(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

        private mutating func serve(_ client: ClientID, _ events: Int16) {
            guard var connection = connections[client] else { return }
            if events & Int16(POLLOUT) != 0 { connection.output.flush() }
            let isHungUp = events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            if events & Int16(POLLIN) != 0 || isHungUp {
                // Requests that a client sent before it hung up are still carried out.
                repeat {
                    connection.receive()
                    connections[client] = connection
                    if connection.holdings != Holdings() { makeRoom() }
                    // This client was itself turned away.
                    if connections[client] == nil { return }
                } while isHungUp && connection.canReceive
                connection.handOn()
            }
            connections[client] = connection
            if isHungUp || connection.isOver { drop(client) }
        }

        private mutating func drop(_ client: ClientID, handingOn: Bool = true) {
            guard var connection = connections.removeValue(forKey: client) else { return }
            if handingOn, connection.output.isBroken { connection.receiveRest() }
            connection.close(handingOn: handingOn && deadline == nil)
            if !handingOn { connection.worker.discard() }
            connection.worker.leave()
            if !connection.isQuiet { leaving[client] = connection.worker }
            acceptsAgain = nil
        }

        mutating func closeAll() {
            for client in Array(connections.keys) { drop(client) }
        }

        // MARK: Crowds

        /// Turns clients away until the others are within the limits.
        private mutating func makeRoom() {
            while true {
                let holdings =
                    connections.map { ($0, $1.holdings) } + leaving.map { ($0, $1.holdings) }
                let all = holdings.reduce(Holdings()) { $0 + $1.1 }
                guard let kind = loop.limits.exceeded(by: all),
                    let (client, _) = holdings.max(by: { ($0.1[kind], $1.0.rawValue) < ($1.1[kind], $0.0.rawValue) })
                else { return }
                leaving[client]?.discard()
                turnAway(client, for: kind)
            }
        }

        /// Returns `true` if one more client is accepted.
        ///
        /// At the limit, the client with the most unended work is turned away for it; if there is none, the new client
        /// is refused.
        private mutating func hasRoomForClient() -> Bool {
            guard connections.count >= loop.limits.clients else { return true }
            let shares = connections.map { ($0, loop.limits.share($1.unended)) }.filter { $0.1 > 0 }
            guard let (client, _) = shares.max(by: { ($0.1, $1.0.rawValue) < ($1.1, $0.0.rawValue) }) else {
                return false
            }
            turnAway(client, for: nil)
            return true
        }

        private mutating func turnAway(_ client: ClientID, for kind: Holdings.Kind?) {
            if let line = loop.limits.farewell(kind) { connections[client]?.output.put(last: line) }
            drop(client, handingOn: false)
        }

        // MARK: LoopSignal

        private mutating func look() {
            let contents = loop.signal.take()
            for client in contents.quiet {
                connections[client]?.isQuiet = true
                leaving[client] = nil
            }
            for (client, connection) in connections where connection.isOver { drop(client) }
            makeRoom()
            if contents.isStopping && deadline == nil { deadline = Self.now() + 1000 }
        }
    }
}
