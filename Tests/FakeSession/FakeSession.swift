// SPDX-License-Identifier: Apache-2.0

public import ControlSocket
import Glibc
public import SessionProtocol
import Synchronization

/// A session that plays nothing: it records the commands and gives the answers that a test chooses.
public final class FakeSession: SessionService {
    public enum Event: Sendable, Hashable {
        case command(SessionCommand, ClientID)
        case subscribed(ClientID)
        case disconnected(ClientID)
    }

    public typealias Answer = @Sendable (SessionCommand, ClientID, [Int32]) async throws(SessionError) -> SessionReply

    private struct State {
        var events: [Event] = []
        var waiters: [(matches: @Sendable (Event) -> Bool, waiter: CheckedContinuation<Event, Never>)] = []
        var subscribers: [ClientID: @Sendable (SessionNotification) -> Void] = [:]
    }

    // The lock is needed because tests read from outside while the server's tasks write.
    private let state = Mutex(State())
    private let answer: Answer
    private let takesUp: @Sendable (SessionCommand) -> Bool

    /// Creates a session; `takesUp` selects the commands that report that they have begun before they are answered.
    public init(
        answer: @escaping Answer = { _, _, _ in .done },
        takesUp: @escaping @Sendable (SessionCommand) -> Bool = { _ in false }
    ) {
        self.takesUp = takesUp
        self.answer = answer
    }

    public var events: [Event] { state.withLock { $0.events } }
    public var commands: [SessionCommand] {
        events.compactMap { event in
            if case .command(let command, _) = event { return command }
            return nil
        }
    }

    /// Returns the first event, past or future, that matches.
    public func event(where matches: @escaping @Sendable (Event) -> Bool) async -> Event {
        await withCheckedContinuation { waiter in
            let past = state.withLock { state -> Event? in
                if let event = state.events.first(where: matches) { return event }
                state.waiters.append((matches, waiter))
                return nil
            }
            if let past { waiter.resume(returning: past) }
        }
    }

    /// Waits for a matching command, however many others come before it.
    public func command(where matches: @escaping @Sendable (SessionCommand) -> Bool) async -> ClientID {
        let event = await event {
            if case .command(let command, _) = $0 { return matches(command) }
            return false
        }
        guard case .command(_, let client) = event else { return ClientID(rawValue: 0) }
        return client
    }

    /// Sends a notification to every subscriber.
    public func tell(_ notification: SessionNotification) {
        for send in state.withLock({ Array($0.subscribers.values) }) { send(notification) }
    }

    public func tell(status: Status) { tell(.status(StatusLine(status))) }

    private func record(_ event: Event) {
        let fitting = state.withLock { state in
            state.events.append(event)
            let fitting = state.waiters.filter { $0.matches(event) }
            state.waiters.removeAll { $0.matches(event) }
            return fitting
        }
        for waiter in fitting { waiter.waiter.resume(returning: event) }
    }

    // MARK: - SessionService

    public func perform(
        _ command: SessionCommand, client: ClientID, descriptors: [Int32], begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply {
        record(.command(command, client))
        if takesUp(command) { begun() }
        defer { for descriptor in descriptors { close(descriptor) } }
        return try await answer(command, client, descriptors)
    }

    public func subscribe(
        _ client: ClientID, _: Subscription, send: @escaping @Sendable (SessionNotification) -> Void
    )
        async
    {
        state.withLock { $0.subscribers[client] = send }
        record(.subscribed(client))
    }

    public func disconnected(_ client: ClientID) async {
        state.withLock { $0.subscribers[client] = nil }
        record(.disconnected(client))
    }
}
