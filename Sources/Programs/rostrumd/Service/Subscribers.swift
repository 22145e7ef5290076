// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import PlaybackCore
import SessionProtocol
import Synchronization

/// Who is told what happens.
///
/// The status is told within the controller's own step: what waits for another thread comes late as soon as the machine
/// is busy with the sound of the same command.
final class Subscribers: Sendable {
    typealias Send = @Sendable (SessionNotification) -> Void

    private struct Subscriber {
        /// As whom it sees the status; nil: as whoever holds the stage.
        var owner: OwnerID?
        var send: Send
    }

    // Reason for the lock: the service adds and removes, the controller's steps tell; held for a copy.
    private let table = Mutex<[ClientID: Subscriber]>([:])

    var isEmpty: Bool { table.withLock { $0.isEmpty } }

    subscript(client: ClientID) -> Send? { table.withLock { $0[client]?.send } }

    func add(_ client: ClientID, owner: OwnerID?, send: @escaping Send) {
        table.withLock { $0[client] = Subscriber(owner: owner, send: send) }
    }

    func remove(_ client: ClientID) { table.withLock { $0[client] = nil } }

    func tell(_ notification: SessionNotification) {
        for subscriber in table.withLock({ Array($0.values) }) { subscriber.send(notification) }
    }

    /// What changed, to everybody.
    func tell(_ snapshot: PlaybackSnapshot) {
        let told = table.withLock { Array($0.values) }
        guard !told.isEmpty else { return }
        let stage = Status(snapshot)
        for subscriber in told {
            let isAside = subscriber.owner.map { $0 != snapshot.state.owner } ?? false
            subscriber.send(.status(isAside ? Status(snapshot.seen(by: subscriber.owner)) : stage))
        }
    }

    /// The first status of one of them.
    func tell(_ client: ClientID, _ snapshot: PlaybackSnapshot) {
        guard let subscriber = table.withLock({ $0[client] }) else { return }
        subscriber.send(.status(Status(snapshot.seen(by: subscriber.owner))))
    }
}
