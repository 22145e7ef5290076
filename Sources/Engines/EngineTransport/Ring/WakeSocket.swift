// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc

/// One end of a doorbell between the session and an engine's process.
///
/// A pair of sockets and no eventfd: each end has flags of its own, and a full one is passed over, so that nothing that is done
/// at one end makes the other wait.
public struct WakeSocket: Sendable {
    public let descriptor: OwnedDescriptor

    public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Two ends that are connected to each other.
    static func pair() throws(SystemError) -> (WakeSocket, WakeSocket) {
        var pair: [Int32] = [-1, -1]
        guard ctransport_wake_pair(&pair) == 0 else { throw SystemError("socketpair") }
        return (WakeSocket(OwnedDescriptor(owning: pair[0])), WakeSocket(OwnedDescriptor(owning: pair[1])))
    }

    /// Never waits, allocates or locks.
    ///
    /// Any thread.
    func signal() { ctransport_wake(descriptor.rawValue) }

    /// Takes what the other end signalled; false if nothing was.
    @discardableResult
    public func drain() -> Bool { ctransport_take_wake(descriptor.rawValue) != 0 }

    /// Sleeps until the other end signals, and takes the signal.
    func wait() {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while !drain() { poll(&entry, 1, -1) }
    }
}
