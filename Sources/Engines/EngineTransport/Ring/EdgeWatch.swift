// SPDX-License-Identifier: Apache-2.0

import CTransport

/// Hears a doorbell that a foreign process holds, too, and touches it in no way that could wait.
///
/// Whoever holds an eventfd can clear the flag by which reading it does not wait, empty it just before it is read, or fill it so
/// that writing waits. So its count is left alone: what is heard is that somebody added to it (epoll, by edges).
struct EdgeWatch: Sendable {
    /// For rings of the session's own, beside the foreign one.
    private let own: EventDescriptor
    /// Readable from a ring until it is taken.
    let descriptor: OwnedDescriptor

    init(_ foreign: EventDescriptor) throws(SystemError) {
        own = try EventDescriptor()
        let raw = ctransport_edges(foreign.descriptor.rawValue, own.descriptor.rawValue)
        guard raw >= 0 else { throw SystemError("epoll") }
        descriptor = OwnedDescriptor(owning: raw)
    }

    /// Takes all rings; true if one was foreign.
    ///
    /// Never waits, allocates or locks.
    func take() -> Bool { ctransport_take_edges(descriptor.rawValue) & 1 != 0 }

    /// A ring of the session's own.
    ///
    /// Never waits, allocates or locks.
    func signal() { own.signal() }
}
