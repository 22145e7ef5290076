// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// A command of a remote on its way to the session.
struct RemoteWork: Sendable {
    let number: UInt64
    let command: SessionCommand
    let action: String
    let sender: RemoteSender
    /// `true` if the answer says that nothing is audible any more.
    ///
    /// WirePlumber moves streams to another device as soon as `Pause` is answered.
    let endsSound: Bool
    /// `true` if there was nothing to play when the call arrived.
    ///
    /// The specification gives no error to a `Play` that has no effect.
    let mayBeEmpty: Bool

    /// Carries out commands one after the other, the next one when the one before has begun.
    static func carryOut(_ works: AsyncStream<RemoteWork>, by service: any RemoteService, _ mailbox: Mailbox) async {
        for await work in works {
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            Task {
                let failure = await work.perform(by: service) {
                    mailbox.put { $0.results.append((work.number, nil)) }
                    begin.finish()
                }
                begin.finish()
                if failure == nil, work.endsSound { await service.settled() }
                mailbox.put { $0.results.append((work.number, failure)) }
            }
            for await _ in begun {}
        }
    }

    private func perform(by service: any RemoteService, begun: @escaping @Sendable () -> Void) async -> SessionError? {
        do throws(SessionError) {
            try await service.perform(command, action: action, sender: sender, begun: begun)
            return nil
        } catch {
            return mayBeEmpty && error.code == .unavailable ? nil : error
        }
    }
}
