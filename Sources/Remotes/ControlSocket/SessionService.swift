// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// One connection to the control socket.
public struct ClientID: Hashable, Sendable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A status for any number of clients, encoded once.
public struct StatusLine: Sendable {
    let bytes: [UInt8]?

    public init(_ status: Status) { bytes = try? SessionLine.status(status) }
}

/// What a subscribed or attached client is told without asking.
public enum SessionNotification: Sendable {
    case status(StatusLine)
    /// One line of the transition log, as JSON.
    case transition(String)
    /// To an attached player: what it started is over (nil), or failed; `warning`: it is over, but not all of it is there.
    case finished(SessionError?, warning: String? = nil)
    /// To the client whose import it is.
    case library(LibraryProgress)
}

/// The session as its remotes see it; implemented in `rostrumd`.
///
/// Calls may begin on the socket's thread, and must not block it: everybody's requests would wait.
public protocol SessionService: Sendable {
    /// Carries out one command. `descriptors` came with the request and belong to the callee.
    ///
    /// Calls for one client come one after the other, those of several clients at the same time. `descriptor:N`
    /// in the items is checked to be one of `descriptors`.
    ///
    /// `begun`: may be called once the command has been taken up and only its answer is to come, as that of a `play` which
    /// waits for sound. The client's next call may come from then on; nobody's pause waits for his own `play`.
    func perform(
        _ command: SessionCommand, client: ClientID, descriptors: [Int32], begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply

    /// The client wants `status` and `transition` notifications from now on, after a first status, and `finished`
    /// of what it attaches to. `send` never waits; topics that the client did not ask for go nowhere.
    func subscribe(
        _ client: ClientID, _ subscription: Subscription, send: @escaping @Sendable (SessionNotification) -> Void
    ) async

    /// The connection is over. What it left playing ends if it was the last attached player.
    ///
    /// Comes at once, while a request of the client may still be under way; then once more when the last one is done.
    func disconnected(_ client: ClientID) async
}
