// SPDX-License-Identifier: Apache-2.0

/// The sleep timer, and where the one that ended the sound was set.
public struct SleepState: Sendable, Codable, Hashable {
    public internal(set) var timer: SleepTimer?
    /// The place where the timer that ended the sound was set.
    ///
    /// `undo` leads back there until the user has listened for a while.
    public internal(set) var slept: Playing?
    /// The number of timers so far, which is the ID of the last one.
    public internal(set) var last: UInt64 = 0
}
