// SPDX-License-Identifier: Apache-2.0

/// Asks servers, in a process of its own.
///
/// Every server of https is verified. A task that is cancelled ends its request and throws `cancelled`.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the answer with its body.
    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer

    /// Sends a request and writes the body of an answer of 200 or 206 into a file, as it comes.
    ///
    /// A body of 200 is written from the beginning of the file, one of 206 from the first byte that its `Content-Range`
    /// names, whatever was asked for. The file is never made shorter. The body of any other answer is dropped.
    ///
    /// - Parameters:
    ///   - file: A descriptor that is open for writing; it is not closed.
    ///   - progress: Is told, from any thread and at most some times a second, how far the file is written.
    func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer
}

/// The reason why there is no answer.
public struct HTTPFailure: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, CaseIterable {
        /// No address of http or https.
        case address
        /// A redirect that leads to something else than http or https, or from https to http, or one too many.
        case redirect
        /// An address of this machine or of its networks, without leave.
        case privateAddress
        /// A certificate that does not prove the server's identity.
        case certificate
        /// The time limit has passed, or the transfer stood still.
        case timedOut
        /// No such host, no connection, or an answer that is damaged or ends early.
        case network
        /// More bytes than the request allows.
        case tooLarge
        /// Writing into the file failed; `isFull` tells whether there was no room.
        case output
        case cancelled
        /// The process that asks servers cannot be started, or has ended.
        case unavailable
    }

    public var reason: Reason
    /// One line for a person, without credentials.
    public var message: String
    /// `true` for `output` if the disk is full.
    public var isFull = false

    public init(_ reason: Reason, _ message: String, isFull: Bool = false) {
        self.reason = reason
        self.message = message
        self.isFull = isFull
    }
}
