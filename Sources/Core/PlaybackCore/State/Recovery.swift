// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The attempts to bring sound back, and what they are for.
public struct Recovery: Sendable, Codable, Hashable {
    /// The number of attempts to recover a broken engine or stream since sound last continued for a while.
    public internal(set) var attempt = 0
    /// The position from which the last attempt continued.
    public internal(set) var recoveredFrom: MediaPosition?
    /// The position at which the engine last died in this item.
    public internal(set) var fatal: FatalPlace?
    /// The part of this text that could not be spoken.
    public internal(set) var unspoken: UnspokenText?
    /// The position at which the last process of an engine was to continue for another one.
    public internal(set) var carried: CarriedOn?
    /// The engine that plays the item if the present one fails for good; `nil` if there is none.
    public internal(set) var standIn: EngineID?
    /// The error that is reported if the attempts fail.
    public internal(set) var fault: PlaybackError?
    /// The milliseconds for which a lost sound server has been looked for; then ``Suppressions/outage`` holds the
    /// sound.
    public internal(set) var outage: Int?
}

/// A position at which an engine died.
public struct FatalPlace: Sendable, Codable, Hashable {
    public var position: MediaPosition
    /// The number of times that content before it was skipped.
    public var steps: Int
    /// The start of the first of these steps.
    public var origin: MediaPosition?
}

/// The amount of a text that kills the engine that is to speak it.
public struct UnspokenText: Sendable, Codable, Hashable {
    public var sentences: Int
    /// The number of sentences in the whole text; `nil` if they were not counted.
    public var total: Int?
    /// `true` if some of the text was heard before, or in between.
    public var wasHeard: Bool

    public init(sentences: Int, total: Int?, wasHeard: Bool = false) {
        self.sentences = sentences
        self.total = total
        self.wasHeard = wasHeard
    }
}

/// The number of consecutive times that another process of an engine was to continue at the same position.
public struct CarriedOn: Sendable, Codable, Hashable {
    public var position: MediaPosition
    public var times: Int
}
