// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc

/// The shared memory and signals of one ring, which the session creates and hands to an engine.
public struct RingMemory: Sendable {
    /// The memory that the engine writes.
    public let ring: OwnedDescriptor
    /// The memory that the session writes; the engine can map it for reading only.
    public let readerPage: OwnedDescriptor
    /// The eventfd that the engine signals when there is sound and the reader waits.
    ///
    /// The session neither reads nor writes it, because the engine could make both block.
    public let readable: EventDescriptor
    /// The watch on `readable`, which never reads it.
    let rings: EdgeWatch
    /// The socket that the session signals when there is room and the engine waits.
    let wake: WakeSocket
    /// The engine's end of `wake`.
    public let woken: WakeSocket
    public let capacity: Int

    let readerMapping: SharedMapping
    let ringMapping: SharedMapping

    /// Creates and seals both pieces of memory, and maps them for the session.
    public init(capacity: Int = RingLayout.defaultCapacity) throws(SystemError) {
        guard RingLayout.isValid(capacity: capacity) else { throw SystemError("ring of \(capacity) bytes", EINVAL) }
        self.capacity = capacity
        (ring, ringMapping) = try Self.make("rostrum-ring", RingLayout.data + capacity, futureWrite: false)
        (readerPage, readerMapping) = try Self.make(
            "rostrum-reader", RingLayout.readerPageSize, futureWrite: true)
        readable = try EventDescriptor()
        rings = try EdgeWatch(readable)
        (wake, woken) = try WakeSocket.pair()
    }

    public static let handedOverCount = 4
    /// The file descriptors that travel with `hello`, in order.
    public var handedOver: [OwnedDescriptor] { [ring, readerPage, readable.descriptor, woken.descriptor] }

    private static func make(
        _ name: String, _ size: Int, futureWrite: Bool
    ) throws(SystemError) -> (OwnedDescriptor, SharedMapping) {
        let raw = ctransport_memory_descriptor(name)
        guard raw >= 0 else { throw SystemError("memfd_create") }
        let descriptor = OwnedDescriptor(owning: raw)
        guard ftruncate(raw, off_t(size)) == 0 else { throw SystemError("ftruncate") }
        // Map before sealing: existing mappings stay writable, later ones are read-only.
        let mapping = try SharedMapping(descriptor, size: size, writable: true)
        let seals =
            ctransport_seal_shrink | ctransport_seal_grow | ctransport_seal_seal
            | (futureWrite ? ctransport_seal_future_write : 0)
        guard ctransport_add_seals(raw, seals) == 0 else { throw SystemError("F_ADD_SEALS") }
        return (descriptor, mapping)
    }
}
