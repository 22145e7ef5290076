// SPDX-License-Identifier: Apache-2.0

public import SessionProtocol

/// One connection to the control socket.
public struct ClientID: Hashable, Sendable {
    public var rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A status, encoded once for any number of clients.
public struct StatusLine: Sendable {
    let bytes: [UInt8]?

    public init(_ status: Status) { bytes = try? SessionLine.status(status) }
}

/// A notification to a subscribed or attached client.
public enum SessionNotification: Sendable {
    case status(StatusLine)
    /// One line of the transition log, as JSON.
    case transition(String)
    /// The end of what an attached player started.
    ///
    /// The error is `nil` if it did not fail; `warning` says that part of it was not played.
    case finished(SessionError?, warning: String? = nil)
    /// The progress of an import, for the client that requested it.
    case library(LibraryProgress)
    /// The progress of the making of peaks, for every subscriber.
    case peaks(WaveformProgress)
    /// The progress of a text, for the client that asked for a part of it.
    case text(TextProgress)
}

/// The session as its clients see it; implemented in `rostrumd`.
///
/// Calls may begin on the socket's thread and must not block it, because the requests of all clients would wait.
public protocol SessionService: Sendable {
    /// Carries out one command.
    ///
    /// Calls for one client are made one after the other, those for different clients concurrently. Each `descriptor:N`
    /// in the items has been checked against `descriptors`.
    ///
    /// - Parameters:
    ///   - descriptors: The file descriptors that came with the request. The callee owns them.
    ///   - begun: May be called once the command has been taken up and only its answer is outstanding, as that of a
    ///     `play` that waits for sound. From then on, the client's next command may be performed, so that a `pause`
    ///     does not wait for the client's own `play`.
    func perform(
        _ command: SessionCommand, client: ClientID, descriptors: [Int32], begun: @escaping @Sendable () -> Void
    ) async throws(SessionError) -> SessionReply

    /// Sends `status` and `transition` notifications to the client from now on, beginning with a status.
    ///
    /// It also sends `finished` for whatever the client attaches to. `send` never blocks; it drops topics that the
    /// client did not request.
    func subscribe(
        _ client: ClientID, _ subscription: Subscription, send: @escaping @Sendable (SessionNotification) -> Void
    ) async

    /// Notes that the connection is closed; what it left playing ends if it was the last attached player.
    ///
    /// It is called at once, while a request of the client may still be under way, and again when the last one is done.
    func disconnected(_ client: ClientID) async
}
