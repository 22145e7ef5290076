// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import CTransport
import Glibc

/// A signal between threads or processes: an eventfd, which keeps a signal until it is taken.
public struct EventDescriptor: Sendable {
    public let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        let raw = ctransport_event_descriptor()
        guard raw >= 0 else { throw SystemError("eventfd") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    public init(_ descriptor: OwnedDescriptor) { self.descriptor = descriptor }

    /// Sends a signal; may be called on any thread.
    ///
    /// It never waits, allocates or locks.
    public func signal() { ctransport_signal(descriptor.rawValue) }

    /// Takes the pending signals, and returns `false` if there were none.
    @discardableResult
    public func drain() -> Bool { ctransport_drain(descriptor.rawValue) > 0 }

    /// Waits for a signal, and takes it.
    public func wait() {
        var entry = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        while !drain() { _ = gnu_poll(&entry, 1, -1) }
    }
}
