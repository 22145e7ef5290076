// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import Glibc
import SessionProtocol
import Synchronization

/// What tasks hand to the socket's thread.
final class Outbox: Sendable {
    enum Kind: Sendable {
        /// Ends one request of the client.
        case answer
        case notification(Subscription.Topic?)
    }

    struct Parcel: Sendable {
        var client: ClientID
        var kind: Kind
        /// Empty: the request wanted no answer.
        var line: [UInt8]
    }

    struct Contents: Sendable {
        var parcels: [Parcel] = []
        var subscriptions: [(ClientID, Subscription)] = []
        /// All requests of these clients are answered, and no more can come.
        var quiet: [ClientID] = []
        var isStopping = false
    }

    /// Readable when there is something to take.
    let wake: Int32
    // Reason for the lock: any task puts, the socket's thread takes; held for an append or a swap.
    private let contents = Mutex(Contents())

    init() throws(SessionError) {
        wake = gnu_wake_descriptor()
        guard wake >= 0 else {
            throw SessionError(.unavailable, "cannot make an eventfd: \(reason(errno)); close programs")
        }
    }

    deinit { close(wake) }

    func put(_ parcel: Parcel) { change { $0.parcels.append(parcel) } }
    func subscribe(_ client: ClientID, _ subscription: Subscription) {
        change { $0.subscriptions.append((client, subscription)) }
    }
    func quiet(_ client: ClientID) { change { $0.quiet.append(client) } }
    func stop() { change { $0.isStopping = true } }

    private func change(_ body: (inout Contents) -> Void) {
        contents.withLock { body(&$0) }
        var one: UInt64 = 1
        _ = write(wake, &one, MemoryLayout<UInt64>.size)
    }

    func take() -> Contents {
        var count: UInt64 = 0
        _ = read(wake, &count, MemoryLayout<UInt64>.size)
        return contents.withLock { contents in
            defer { contents = Contents(isStopping: contents.isStopping) }
            return contents
        }
    }
}
