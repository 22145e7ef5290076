// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Glibc

/// One end of a signal between the session and an engine's process.
///
/// It is a socket pair instead of an eventfd because each end has flags of its own, and signalling a full socket does
/// nothing. So no action at one end can make the other end block.
public struct WakeSocket: Sendable {
    public let descriptor: OwnedDescriptor

    public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Creates two ends that are connected to each other.
    static func pair() throws(SystemError) -> (WakeSocket, WakeSocket) {
        var pair: [Int32] = [-1, -1]
        guard ctransport_wake_pair(&pair) == 0 else { throw SystemError("socketpair") }
        return (WakeSocket(OwnedDescriptor(owning: pair[0])), WakeSocket(OwnedDescriptor(owning: pair[1])))
    }

    /// Signals the other end; may be called on any thread.
    ///
    /// It never waits, allocates or locks.
    func signal() { ctransport_wake(descriptor.rawValue) }

    /// Takes the signals of the other end, and returns `false` if there were none.
    @discardableResult
    public func drain() -> Bool { ctransport_take_wake(descriptor.rawValue) != 0 }

    /// Waits until the other end signals, and takes the signal.
    func wait() {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while !drain() { _ = gnu_poll(&entry, 1, -1) }
    }
}
