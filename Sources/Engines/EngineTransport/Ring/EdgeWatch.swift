// SPDX-License-Identifier: Apache-2.0

import CTransport

/// A watch on an eventfd that a foreign process also holds, which never touches it in a way that could block.
///
/// A process that holds an eventfd can clear the flag that makes reads nonblocking, drain it just before it is read, or
/// fill it so that a write blocks. So the watch never reads or writes its counter. It only detects that somebody added
/// to it (epoll, edge-triggered).
struct EdgeWatch: Sendable {
    /// The eventfd for the session's own signals, beside the foreign one.
    private let own: EventDescriptor
    /// A file descriptor that is readable from a signal until the signal is taken.
    let descriptor: OwnedDescriptor

    init(_ foreign: EventDescriptor) throws(SystemError) {
        own = try EventDescriptor()
        let raw = ctransport_edges(foreign.descriptor.rawValue, own.descriptor.rawValue)
        guard raw >= 0 else { throw SystemError("epoll") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    /// Takes all pending signals, and returns `true` if one of them was foreign.
    ///
    /// It never waits, allocates or locks.
    func take() -> Bool { ctransport_take_edges(descriptor.rawValue) & 1 != 0 }

    /// Sends a signal of the session's own.
    ///
    /// It never waits, allocates or locks.
    func signal() { own.signal() }
}
