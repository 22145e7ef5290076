// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import HTTPExchange
public import JSON

/// The reason why an answer cannot be used.
public struct ServerAnswerError: Error, Sendable, Hashable {
    public enum Reason: String, Sendable {
        /// An answer of 2xx that is not what was asked for, such as a page of a proxy.
        case unreadable
        /// 401: the token is not accepted.
        case unauthorized
        /// 403.
        case forbidden
        /// 404.
        case missing
        /// Any other 4xx.
        case refused
        /// 429, with the seconds after which to ask again in ``ServerAnswerError/retryAfter``.
        case tooMany
        /// 5xx.
        case failed
    }

    public var reason: Reason
    public var status: Int
    public var retryAfter: Int64?

    public init(_ reason: Reason, status: Int, retryAfter: Int64? = nil) {
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
    }
}

/// Reads the bodies of answers.
public enum ServerAnswer {
    /// Returns the value in an answer, or throws what its status means.
    public static func value<Value: ServerValue>(
        of answer: HTTPAnswer, as type: Value.Type = Value.self
    ) throws(ServerAnswerError) -> Value {
        guard let value = Value(try json(of: answer)) else {
            throw ServerAnswerError(.unreadable, status: answer.status)
        }
        return value
    }

    /// Returns the body of an answer, or throws what its status means.
    public static func json(of answer: HTTPAnswer) throws(ServerAnswerError) -> JSONValue {
        try check(answer)
        guard let value = json(answer.body) else { throw ServerAnswerError(.unreadable, status: answer.status) }
        return value
    }

    /// Throws what the status of an answer means, unless it is a success.
    public static func check(_ answer: HTTPAnswer) throws(ServerAnswerError) {
        let reason: ServerAnswerError.Reason
        switch answer.status {
        case 200..<300: return
        case 401: reason = .unauthorized
        case 403: reason = .forbidden
        case 404: reason = .missing
        case 429: reason = .tooMany
        case 400..<500: reason = .refused
        default: reason = answer.status >= 500 ? .failed : .unreadable
        }
        throw ServerAnswerError(
            reason, status: answer.status, retryAfter: answer.value("Retry-After").flatMap { Int64($0) })
    }

    /// Returns a text as JSON, or `nil` if it is none.
    public static func json(_ bytes: [UInt8]) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(bytes))
    }
}
