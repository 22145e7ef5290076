// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc

/// One end of a socket that preserves message boundaries and carries file descriptors.
public final class MessageSocket: Sendable {
    public let descriptor: OwnedDescriptor

    public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Creates two ends that are connected to each other.
    public static func pair() throws(SystemError) -> (MessageSocket, MessageSocket) {
        var pair: [Int32] = [-1, -1]
        guard ctransport_socket_pair(&pair) == 0 else { throw SystemError("socketpair") }
        return (
            MessageSocket(OwnedDescriptor(owning: pair[0])), MessageSocket(OwnedDescriptor(owning: pair[1]))
        )
    }

    public enum Sent: Sendable { case sent, wouldWait, closed }

    /// Sends a whole message, or none of it; may be called on any thread.
    public func send(_ bytes: [UInt8], descriptors: [OwnedDescriptor] = [], waiting: Bool) -> Sent {
        let raw = descriptors.map(\.rawValue)
        let sent = ctransport_send(
            descriptor.rawValue, bytes, bytes.count, raw, raw.count, waiting ? 0 : Int32(MSG_DONTWAIT))
        if sent >= 0 { return .sent }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS ? .wouldWait : .closed
    }

    /// `true` while the other end has not read everything that was sent.
    public var hasUnread: Bool {
        var bytes: Int32 = 0
        return ioctl(descriptor.rawValue, UInt(TIOCOUTQ), &bytes) == 0 && bytes > 0
    }

    public enum Received: Sendable {
        case message([UInt8], [OwnedDescriptor])
        case wouldWait
        /// The other end is closed.
        case end
        /// The message is too long, or has too many descriptors.
        case malformed
    }

    /// Receives the next message; must not be called on several threads at a time.
    public func receive(waiting: Bool) -> Received {
        let room = Limits.message + 1
        var raw = [Int32](repeating: -1, count: 8)
        var count = raw.count
        var code: Int32 = 0
        var size = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
            size = ctransport_receive(
                descriptor.rawValue, buffer.baseAddress, room, &raw, &count,
                waiting ? 0 : Int32(MSG_DONTWAIT))
            code = errno
            initialized = max(0, size)
        }
        if size < 0 {
            switch code {
            case EAGAIN: return .wouldWait
            case EMSGSIZE: return .malformed
            default: return .end
            }
        }
        let descriptors = raw.prefix(count).map { OwnedDescriptor(owning: $0) }
        if size == 0 { return .end }
        return size > Limits.message ? .malformed : .message(bytes, descriptors)
    }
}
