// SPDX-License-Identifier: Apache-2.0

public import JSON
public import PlaybackCore

/// What a log that is replayed needs, beside what a person reads.
public enum TransitionTape: Sendable, Hashable {
    /// Of a snapshot: the whole state of the machine.
    case state(PlaybackState)
    /// Of an event: it, and every decision that it led to.
    case step(PlaybackEvent, [PlaybackEffect])
}

/// One record of the transition log, before it has a number and a time.
public struct TransitionEntry: Sendable, Hashable {
    public enum Kind: String, Sendable {
        case snapshot, event, transition, session, engine, remote, place
    }

    public enum Cause: String, Sendable {
        case user, remote, interruption, route, engine, timer, restore, recovery
    }

    public var kind: Kind
    public var cause: Cause
    /// Ties a request to all that it led to.
    public var command: String?
    public var attempt: Int?
    public var engine: EngineID?
    public var owner: OwnerID?
    public var from: JSONValue?
    public var to: JSONValue?
    /// The fields of its kind, written beside the others.
    ///
    /// A name that the record has already (`v`, `seq`, `t`, …) is
    /// left out.
    public var fields: JSONObject
    /// Monotonic nanoseconds of what is recorded; nil: when it was recorded.
    public var time: Int64?
    public var tape: TransitionTape?

    public init(
        _ kind: Kind, cause: Cause, command: String? = nil, attempt: Int? = nil, engine: EngineID? = nil,
        owner: OwnerID? = nil, from: JSONValue? = nil, to: JSONValue? = nil, fields: JSONObject = [:],
        time: Int64? = nil, tape: TransitionTape? = nil
    ) {
        self.kind = kind
        self.cause = cause
        self.command = command
        self.attempt = attempt
        self.engine = engine
        self.owner = owner
        self.from = from
        self.to = to
        self.fields = fields
        self.time = time
        self.tape = tape
    }
}

/// Writes down what happened and why.
///
/// Never blocks and never fails what it records: what cannot be written is counted,
/// and the count is written when it can be.
///
/// Nothing secret goes in: no header, no credential; URIs are clean already.
public protocol TransitionRecorder: Sendable {
    /// From any thread but the output callback; in the order of the calls of one thread.
    func record(_ entry: TransitionEntry)

    /// Returns when everything recorded before is written, or could not be.
    func flush() async

    /// Lines as they are recorded, without the newline. Bounded: a subscriber that is too slow loses the oldest.
    /// Ends when the recorder is closed.
    func subscribe() -> AsyncStream<String>
}
