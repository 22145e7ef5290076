// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol

/// The socket's thread: waits for sockets and for the signal, moves bytes, and begins short commands.
struct ServerLoop: Sendable {
    static let clientLimit = 256

    let socket: ListeningSocket
    let signal: LoopSignal
    let executor: LoopExecutor
    let service: any SessionService
    /// The next connection of the listening socket; or -1, and `errno`.
    let accept: @Sendable (Int32) -> Int32

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
        var lastClient: UInt64 = 0
        /// Monotonic ms at which it accepts again after it ran out of descriptors, if none of its own is closed before.
        var acceptsAgain: Int64?
        /// Monotonic ms at which the last flush ends.
        var deadline: Int64?

        /// Waits once; false when all is over.
        mutating func turn() -> Bool {
            var order: [ClientID] = []
            var waits = [pollfd(fd: loop.signal.wake, events: Int16(POLLIN), revents: 0)]
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
            guard poll(&waits, nfds_t(waits.count), timeout()) >= 0 || errno == EINTR else { return false }
            if waits[0].revents != 0 { look() }
            if waits[1].revents != 0 { accept() }
            for (client, wait) in zip(order, waits.dropFirst(2)) where wait.revents != 0 { serve(client, wait.revents) }
            if let deadline {
                let isFlushed = connections.values.allSatisfy { !$0.wantsOutput }
                return !isFlushed && Self.now() < deadline
            }
            return true
        }

        private func timeout() -> Int32 {
            if loop.executor.hasJobs { return 0 }
            if let deadline { return Int32(clamping: max(0, deadline - Self.now())) }
            return acceptsAgain.map { Int32(clamping: max(0, $0 - Self.now())) } ?? -1
        }

        private static func now() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }

        // MARK: Connections

        private mutating func accept() {
            while true {
                let descriptor = loop.accept(loop.socket.descriptor)
                if descriptor < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    if errno != EAGAIN && errno != EWOULDBLOCK { acceptsAgain = Self.now() + 1000 }
                    return
                }
                var process: pid_t = 0
                var user: uid_t = 0
                guard gnu_peer_credentials(descriptor, &process, &user) == 0, Self.isPermitted(user),
                    connections.count < ServerLoop.clientLimit
                else {
                    close(descriptor)
                    continue
                }
                lastClient += 1
                let client = ClientID(rawValue: lastClient)
                let output = ClientOutput(descriptor: descriptor)
                let worker = ClientWorker(
                    client: client, service: loop.service, output: output, signal: loop.signal, executor: loop.executor)
                connections[client] = Connection(descriptor: descriptor, worker: worker, output: output)
            }
        }

        /// The user of the session and the administrator.
        private static func isPermitted(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

        private mutating func serve(_ client: ClientID, _ events: Int16) {
            guard var connection = connections[client] else { return }
            if events & Int16(POLLOUT) != 0 { connection.output.flush() }
            let isHungUp = events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            if events & Int16(POLLIN) != 0 || isHungUp {
                // What a client sent before it left still counts.
                repeat { connection.receive() } while isHungUp && connection.canReceive
                connection.handOn()
            }
            connections[client] = connection
            if isHungUp || connection.isOver { drop(client) }
        }

        private mutating func drop(_ client: ClientID) {
            guard var connection = connections.removeValue(forKey: client) else { return }
            connection.close(handingOn: deadline == nil)
            connection.worker.leave()
            acceptsAgain = nil
        }

        mutating func closeAll() {
            for client in Array(connections.keys) { drop(client) }
        }

        // MARK: LoopSignal

        private mutating func look() {
            let contents = loop.signal.take()
            for client in contents.quiet { connections[client]?.isQuiet = true }
            for (client, connection) in connections where connection.isOver { drop(client) }
            if contents.isStopping && deadline == nil { deadline = Self.now() + 1000 }
        }
    }
}
