// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import SessionProtocol
import Synchronization

/// The output to one client.
///
/// A task writes its line at once, as far as the socket takes it; the socket's thread writes the rest. If every line
/// had to wait for that thread, it would be late whenever the machine is busy with the sound of the same command.
final class ClientOutput: Sendable {
    enum Kind: Sendable {
        /// Ends one request of the client.
        case answer
        case notification(Subscription.Topic?)
    }

    /// The number of bytes that a client may leave unread before it counts as stuck.
    static let limit = 1 << 20
    /// The number of requests under way; further ones stay in the connection, and those behind them in the socket.
    static let requestLimit = 32

    private struct State {
        /// The file descriptor; -1 if it is closed.
        var descriptor: Int32
        var bytes: [UInt8] = []
        var start = 0
        var requests = 0
        var subscription: Subscription?
        var isBroken = false
        var isStuck = false

        var backlog: Int { bytes.count - start }
    }

    // The lock is needed because tasks write answers and notifications, and the socket's thread writes the rest and
    // closes; it is held for a `send` that does not block.
    private let state: Mutex<State>

    init(descriptor: Int32) {
        state = Mutex(State(descriptor: descriptor))
    }

    // MARK: For tasks

    /// Writes a line, or queues what the socket does not take.
    ///
    /// - Parameter line: The line; empty if the request wanted no answer.
    /// - Returns: `true` if the socket's thread has to act on it.
    func put(_ line: [UInt8], _ kind: Kind) -> Bool {
        state.withLock { state in
            var mustLook = false
            switch kind {
            case .answer:
                mustLook = state.requests >= Self.requestLimit
                state.requests -= 1
            case .notification(let topic):
                if let topic, state.subscription?.topics.contains(topic) != true { return false }
                // A subscriber that reads nothing must not make the session's memory grow.
                if state.backlog > Self.limit {
                    state.isStuck = true
                    return true
                }
            }
            guard state.descriptor >= 0, !state.isBroken else { return mustLook }
            state.bytes += line
            Self.write(&state)
            return mustLook || state.backlog > 0 || state.isBroken
        }
    }

    func subscribe(_ subscription: Subscription) { state.withLock { $0.subscription = subscription } }

    // MARK: For the socket's thread

    var backlog: Int { state.withLock { $0.backlog } }
    var requests: Int { state.withLock { $0.requests } }
    var isBroken: Bool { state.withLock { $0.isBroken } }
    var isStuck: Bool { state.withLock { $0.isStuck } }
    var isSubscribed: Bool { state.withLock { $0.subscription != nil } }
    var mayTakeRequest: Bool { state.withLock { $0.requests < Self.requestLimit && $0.backlog < Self.limit } }

    func beginRequest() { state.withLock { $0.requests += 1 } }
    func breakOff() { state.withLock { $0.isBroken = true } }
    func flush() { state.withLock { Self.write(&$0) } }

    /// Writes the last line as far as the socket takes it at once; a client with unread lines does not get it.
    func put(last line: [UInt8]) {
        state.withLock { state in
            guard state.backlog == 0 else { return }
            state.bytes += line
            Self.write(&state)
        }
    }

    /// Closes the file descriptor; nothing is written after that, since its number may soon belong to another file.
    func close() {
        state.withLock { state in
            if state.descriptor >= 0 { Glibc.close(state.descriptor) }
            state.descriptor = -1
        }
    }

    private static func write(_ state: inout State) {
        while state.backlog > 0, !state.isBroken, state.descriptor >= 0 {
            let sent = state.bytes[state.start...].withUnsafeBytes {
                ctransport_send(state.descriptor, $0.baseAddress, $0.count, nil, 0, Int32(MSG_DONTWAIT))
            }
            if sent >= 0 {
                state.start += sent
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                break
            } else {
                state.isBroken = true
            }
        }
        // Bytes are moved only if at least as many have been sent since the last move.
        if state.backlog == 0 || state.start > max(65_536, state.backlog) {
            state.bytes.removeFirst(state.start)
            state.start = 0
        }
    }
}
