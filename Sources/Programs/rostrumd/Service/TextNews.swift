// SPDX-License-Identifier: Apache-2.0

import ControlSocket
import MediaPlayback
import SessionProtocol
import Synchronization

/// The parts of texts that clients were sent before all of their sentences were known, and the news when they are.
final class TextNews: Sendable {
    /// The most parts for which one client waits.
    static let mostWaits = 64

    // The lock is needed because a script is made on a thread of its own.
    private let waits = Mutex<[ClientID: Int]>([:])

    /// Tells a client once the sentences of a part are known, whose script is still being made.
    ///
    /// The news may come before the part. The making is not kept alive for it.
    ///
    /// - Parameter send: The way to the client; `nil` if it has not subscribed to anything.
    func follow(_ passage: TextPassage, _ making: ScriptMaking?, of client: ClientID, send: Subscribers.Send?) {
        guard passage.known != nil, let making, let send else { return }
        let isOneTooMany = waits.withLock { waits in
            if waits[client, default: 0] >= Self.mostWaits { return true }
            waits[client, default: 0] += 1
            return false
        }
        if isOneTooMany { return }
        let progress = TextProgress(uri: passage.uri, end: passage.offset + Int64(passage.text.utf8.count))
        making.whenReached(progress.end - 1) { [weak self] outcome in
            if case .success = outcome { send(.text(progress)) }
            self?.waits.withLock { waits in
                guard let count = waits[client] else { return }
                waits[client] = count > 1 ? count - 1 : nil
            }
        }
    }

    /// Forgets a client that has left.
    func forget(_ client: ClientID) { waits.withLock { $0[client] = nil } }
}
