// SPDX-License-Identifier: Apache-2.0

/// The settings that decisions depend on.
///
/// Times are milliseconds. Part of the state, so that a log that is replayed decides by the rules of its own time.
public struct PlaybackRules: Sendable, Codable, Hashable {
    /// From the attempt to play until the item is open (document 002, “Load timeout”).
    public var loadLimit = 10_000
    /// From there to the first audible frame (document 000, “The stall → error watchdog”).
    public var startLimit = 3_000
    /// Until the device has a stream; longer than any output may take.
    ///
    /// Nil: no limit, as in logs of older sessions.
    public var openLimit: Int? = 10_000
    /// Without progress while something should sound.
    public var stuckLimit = 3_000
    /// In place of both for an item of the network: a connection that is slow is not dead.
    public var networkLimit = 20_000
    /// How often a broken engine or stream is brought back before it is an error.
    public var maximumAttempts = 3
    /// How often in a row input that ends the engine is stepped over, each step wider, before it is an error.
    public var maximumSteps = 10
    /// The same of a text, whose steps are sentences and then paragraphs.
    ///
    /// Nil: as above, as in logs of older sessions.
    public var maximumPassages: Int? = 300
    /// How long a sound server that went away is looked for, and how often.
    public var reconnectLimit = 30_000
    public var reconnectInterval = 1_000
    /// After so long a pause the device is given up, so that a headset may go over to the phone; 0: never.
    public var releaseAfterPause = 60_000
    /// Whether sound goes on by itself when the headphones are put back.
    public var resumesOnRouteReturn = false
    /// How far below the place where listening began a place may be saved that nobody chose (document 000, “Resume
    /// protection”).
    public var slipTolerance = 60_000

    public init() {}
}
