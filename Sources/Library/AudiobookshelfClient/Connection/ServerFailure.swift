// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange

/// The reason why a server did not do what it was asked for.
public struct ServerFailure: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, CaseIterable {
        /// No address of http or https.
        case address
        /// No account of that name.
        case unknown
        /// A name that cannot be given.
        case name
        /// No connection, no such host, or an answer that broke off; later it may be different.
        case unreachable
        case timedOut
        /// A certificate that does not prove the server's identity.
        case certificate
        /// Something answers, but not Audiobookshelf.
        case notAudiobookshelf
        /// A server without a user.
        case notSetUp
        case tooOld
        /// A server on which passwords are of no use, or one that takes no keys.
        case loginKind
        case wrongPassword
        /// The tokens are not accepted any more; everything else is kept.
        case logInAgain
        /// Too many requests; `retryAfter` says when it may be different.
        case rateLimited
        /// Any other status that is no success.
        case refused
        /// An answer that cannot be read.
        case damaged
        /// More bytes than were allowed.
        case tooLarge
        /// Writing into a file failed.
        case output
        /// Tokens cannot be kept or read.
        case storage
        case cancelled
    }

    public var reason: Reason
    /// One line for a person: what failed, on which server, what to do; without secrets.
    public var message: String
    /// The status of an answer.
    public var status: Int?
    /// The seconds after which to try again.
    public var retryAfter: Int?
    /// The failure of the request, if there was no answer.
    public var transport: HTTPFailure?

    public init(
        _ reason: Reason, _ message: String, status: Int? = nil, retryAfter: Int? = nil, transport: HTTPFailure? = nil
    ) {
        self.reason = reason
        self.message = message
        self.status = status
        self.retryAfter = retryAfter
        self.transport = transport
    }

    init(_ failure: HTTPFailure, at address: ServerAddress) {
        let reason: Reason =
            switch failure.reason {
            case .address: .address
            case .redirect: .notAudiobookshelf
            case .certificate: .certificate
            case .timedOut: .timedOut
            case .privateAddress, .network, .unavailable: .unreachable
            case .tooLarge: .tooLarge
            case .output: .output
            case .cancelled: .cancelled
            }
        self.init(reason, "\(address): \(failure.message)", transport: failure)
    }

    /// A failure for an answer with a status that is no success.
    static func status(_ answer: HTTPAnswer, at address: ServerAddress, doing what: String) -> ServerFailure {
        if answer.status == 429 { return rateLimited(answer, at: address) }
        return ServerFailure(
            .refused, "\(address): the server refuses \(what) (status \(answer.status))", status: answer.status)
    }

    static func rateLimited(_ answer: HTTPAnswer, at address: ServerAddress) -> ServerFailure {
        let seconds = answer.value("Retry-After").flatMap { Int($0.trimmed) }.map { min(max($0, 1), 86_400) } ?? 60
        return ServerFailure(
            .rateLimited, "\(address): the server wants no more requests for now; try again in \(seconds) s",
            status: answer.status, retryAfter: seconds)
    }
}
