// SPDX-License-Identifier: Apache-2.0

public import ProgressSync

/// An answer of a server, with the time of its clock.
public struct Dated<Value: Sendable>: Sendable {
    public var value: Value
    /// Milliseconds since 1970; `nil` if the server did not say.
    public var date: Int64?

    public init(_ value: Value, date: Int64?) {
        self.value = value
        self.date = date
    }
}

/// The outcome of a session that was reported.
public struct SessionReport: Sendable, Hashable {
    public var id: String
    /// `false` if the server has no such item any more.
    public var isKnown: Bool

    public init(id: String, isKnown: Bool) {
        self.id = id
        self.isKnown = isKnown
    }
}

/// The reason why a server did not do what it was asked for.
public struct ProgressFailure: Error, Sendable, Hashable {
    public enum Reason: String, Sendable, CaseIterable {
        /// The server has no such item.
        case notFound
        /// The server refuses the request, and would do so again.
        case rejected
        /// The server answers that it cannot; other requests may succeed.
        case failing
        /// There is no network, or nobody answers.
        case unreachable
        /// The listener must log in again.
        case unauthorized
    }

    public var reason: Reason
    /// One line for a person.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

/// The part of a server that has to do with places; records have the stamps of its clock.
public protocol ProgressServing: Sendable {
    /// Returns all records of the user.
    func progress() async throws(ProgressFailure) -> Dated<[ServedItem: ProgressRecord]>

    /// Returns the record of an item; `nil` if there is none, as for a new book.
    func progress(of item: ServedItem) async throws(ProgressFailure) -> Dated<ProgressRecord?>

    func write(_ write: ProgressWrite, to item: ServedItem) async throws(ProgressFailure)

    /// Reports times of listening, whose times are the server's.
    func report(_ sessions: [ListeningSession]) async throws(ProgressFailure) -> [SessionReport]
}

/// The session that plays, as far as places of servers matter to it.
public protocol ProgressAudience: Sendable {
    /// Returns `true` if the item plays now, so that nobody else may move its place.
    func isPlaying(_ item: ServedItem) async -> Bool

    /// Goes on from a place of the server, and keeps the move in the history.
    ///
    /// - Parameter jump: The move that `undo` takes back; it may lead to the place that stays, too. `nil` for none.
    func follow(_ place: ProgressRecord?, jump: ProgressStep.Jump?, of item: ServedItem) async

    func tell(_ news: ProgressNews, of item: ServedItem) async
}
