// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// A call of a remote on its way to the session.
struct RemoteWork: Sendable {
    enum Action: Sendable {
        case command(SessionCommand)
        case quit
        /// Nothing, for the reason that the log gives.
        case ignore(String)
    }

    let number: UInt64
    let action: Action
    /// The name of the method or property.
    let name: String
    let sender: RemoteSender
    /// `true` if the answer says that nothing is audible any more.
    ///
    /// WirePlumber moves streams to another device as soon as `Pause` is answered.
    let endsSound: Bool
    /// `true` if there was nothing to play when the call arrived.
    ///
    /// The specification gives no error to a `Play` that has no effect.
    let mayBeEmpty: Bool

    /// The time that the next call waits for one that has not begun: a slow disk must not keep a pause.
    private static let order = Duration.milliseconds(300)

    /// Carries out calls one after the other, the next one when the one before has begun.
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
            let limit = Task {
                try await Task.sleep(for: order)
                begin.finish()
            }
            for await _ in begun {}
            limit.cancel()
        }
    }

    private func perform(by service: any RemoteService, begun: @escaping @Sendable () -> Void) async -> SessionError? {
        switch action {
        case .quit: await service.quit(sender: sender)
        case .ignore(let reason): await service.ignored(name, sender: sender, because: reason)
        case .command(let command):
            do throws(SessionError) {
                try await service.perform(command, action: name, sender: sender, begun: begun)
            } catch {
                return mayBeEmpty && error.code == .unavailable ? nil : error
            }
        }
        return nil
    }
}
