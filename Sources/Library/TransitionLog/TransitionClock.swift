// SPDX-License-Identifier: Apache-2.0

import Clocks

/// The two clocks for the timestamps of a record.
public struct TransitionClock: Sendable {
    /// Returns the monotonic time in nanoseconds.
    public var monotonic: @Sendable () -> Int64
    /// Returns the time since 1970 in milliseconds.
    public var wall: @Sendable () -> Int64

    public init(monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    public static let system = TransitionClock(
        monotonic: { MonotonicTime.now() }, wall: { WallClock.milliseconds() })
}
