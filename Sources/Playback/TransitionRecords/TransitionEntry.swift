// SPDX-License-Identifier: Apache-2.0

public import JSON
public import PlaybackCore

/// The data that replaying a log needs, beside what a person reads.
public enum TransitionValues: Sendable, Hashable {
    /// The whole state of the machine, for a snapshot.
    case state(PlaybackState)
    /// An event with every decision that it led to.
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
    /// The id that ties a request to everything it led to.
    public var command: String?
    public var attempt: Int?
    public var engine: EngineID?
    public var owner: OwnerID?
    public var from: JSONValue?
    public var to: JSONValue?
    /// The fields of its kind, written beside the others.
    ///
    /// A name that the record already has (`v`, `seq`, `t`, …) is left out.
    public var fields: JSONObject
    /// The monotonic time of what is recorded, in nanoseconds; `nil` for the time of recording.
    public var time: Int64?
    public var values: TransitionValues?

    public init(
        _ kind: Kind, cause: Cause, command: String? = nil, attempt: Int? = nil, engine: EngineID? = nil,
        owner: OwnerID? = nil, from: JSONValue? = nil, to: JSONValue? = nil, fields: JSONObject = [:],
        time: Int64? = nil, values: TransitionValues? = nil
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
        self.values = values
    }
}
