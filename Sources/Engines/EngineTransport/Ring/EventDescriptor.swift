// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc

/// A doorbell between threads or processes: an eventfd, which keeps a ring until it is heard.
public struct EventDescriptor: Sendable {
    public let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        let raw = ctransport_event_descriptor()
        guard raw >= 0 else { throw SystemError("eventfd") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Never waits, allocates or locks.
    ///
    /// Any thread.
    public func signal() { ctransport_signal(descriptor.rawValue) }

    /// Takes what was signalled; false if nothing was.
    @discardableResult
    public func drain() -> Bool { ctransport_drain(descriptor.rawValue) > 0 }

    /// Sleeps until it is signalled, and takes the signal.
    public func wait() {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while !drain() { poll(&entry, 1, -1) }
    }
}
