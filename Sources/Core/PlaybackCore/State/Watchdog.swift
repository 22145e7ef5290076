// SPDX-License-Identifier: Apache-2.0

/// The clock that watches over what is waited for.
public struct Watchdog: Sendable, Codable, Hashable {
    /// The clock that runs; `nil` if nothing is waited for.
    public internal(set) var clock: PlaybackClock?
    /// The number of clocks so far, which is the ID of the last one.
    public internal(set) var last: UInt64 = 0
}

/// The clock that runs, which decides whether something takes too long.
public struct PlaybackClock: Sendable, Codable, Hashable {
    public enum Kind: String, Sendable, Codable, Hashable {
        /// The time from the attempt to play until the item is open.
        case load
        /// The time from there until the device has a stream; it catches an output that misses its own deadlines.
        case open
        /// The time from there to the first audible frame.
        case start
        /// The time without a move of the audible position; the clock fires only then.
        case stuck
        /// The time until the next attempt to reach a lost sound server.
        case reconnect
        /// A long pause.
        case release
    }

    public var id: UInt64
    public var kind: Kind
    public var generation: UInt32
    public var attempt: Int
}
