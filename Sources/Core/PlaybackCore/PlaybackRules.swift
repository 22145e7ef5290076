// SPDX-License-Identifier: Apache-2.0

/// The settings that decisions depend on.
///
/// Times are in milliseconds. They are part of the state, so that a replayed log decides by the rules of its own time.
public struct PlaybackRules: Sendable, Codable, Hashable {
    /// The time from the attempt to play until the item is open.
    public var loadLimit = 10_000
    /// The time from there to the first audible frame.
    public var startLimit = 3_000
    /// The time until the device has a stream, longer than any output may take.
    ///
    /// `nil` means no limit, as in logs of older sessions.
    public var openLimit: Int? = 10_000
    /// The time without progress while something should sound.
    public var stuckLimit = 3_000
    /// The limit that replaces both for a network item, because a slow connection is not a dead one.
    public var networkLimit = 20_000
    /// The number of times that a broken engine or stream is brought back before it is an error.
    public var maximumAttempts = 3
    /// The number of consecutive times that input that kills the engine is skipped, each step wider, before it is an
    /// error.
    public var maximumSteps = 10
    /// The same number for a text, whose steps are sentences and then paragraphs.
    ///
    /// `nil` means the number above, as in logs of older sessions.
    public var maximumPassages: Int? = 300
    /// The time for which a lost sound server is looked for, and the interval between attempts.
    public var reconnectLimit = 30_000
    public var reconnectInterval = 1_000
    /// The length of a pause after which the device is given up, so that a headset can switch to the phone; 0 for
    /// never.
    public var releaseAfterPause = 60_000
    /// `true` if sound resumes by itself when the headphones are plugged in again.
    public var resumesOnRouteReturn = false
    /// The distance below the floor up to which a place that nobody chose may be saved.
    public var slipTolerance = 60_000

    public init() {}
}
