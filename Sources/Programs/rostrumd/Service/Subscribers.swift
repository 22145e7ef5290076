// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol
import Synchronization

/// The clients that are told about changes.
///
/// The status is sent within the controller's own step. If it had to wait for another thread, it would be late whenever
/// the machine is busy with the sound of the same command.
final class Subscribers: Sendable {
    typealias Send = @Sendable (SessionNotification) -> Void

    private struct Subscriber {
        /// The owner from whose point of view it sees the status; `nil` for the owner that has audio focus.
        var owner: OwnerID?
        var wantsStatus: Bool
        var send: Send
    }

    // The lock is needed because the service adds and removes, and the controller's steps send; it is held for a copy.
    private let table = Mutex<[ClientID: Subscriber]>([:])

    var isEmpty: Bool { table.withLock { $0.isEmpty } }

    subscript(client: ClientID) -> Send? { table.withLock { $0[client]?.send } }

    func add(_ client: ClientID, _ subscription: Subscription, send: @escaping Send) {
        let subscriber = Subscriber(
            owner: subscription.owner.map { OwnerID($0) }, wantsStatus: subscription.topics.contains(.status),
            send: send)
        table.withLock { $0[client] = subscriber }
    }

    func remove(_ client: ClientID) { table.withLock { $0[client] = nil } }

    func tell(_ notification: SessionNotification) {
        for subscriber in table.withLock({ Array($0.values) }) { subscriber.send(notification) }
    }

    /// Sends a change to all subscribers.
    func tell(_ snapshot: PlaybackSnapshot) { tell(snapshot, table.withLock { Array($0.values) }) }

    /// Sends the first status to one subscriber.
    func tell(_ client: ClientID, _ snapshot: PlaybackSnapshot) {
        tell(snapshot, table.withLock { [$0[client]].compactMap(\.self) })
    }

    private func tell(_ snapshot: PlaybackSnapshot, _ subscribers: [Subscriber]) {
        var first: StatusLine?
        for subscriber in subscribers where subscriber.wantsStatus {
            if let owner = subscriber.owner, owner != snapshot.state.owner {
                subscriber.send(.status(StatusLine(Status(snapshot.seen(by: owner)))))
                continue
            }
            let line = first ?? StatusLine(Status(snapshot))
            first = line
            subscriber.send(.status(line))
        }
    }
}
