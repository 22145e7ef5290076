// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The two clocks that stamp a record.
public struct TransitionClock: Sendable {
    /// Monotonic nanoseconds.
    public var monotonic: @Sendable () -> Int64
    /// Milliseconds since 1970.
    public var wall: @Sendable () -> Int64

    public init(monotonic: @escaping @Sendable () -> Int64, wall: @escaping @Sendable () -> Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    public static let system = TransitionClock(
        monotonic: {
            let now = read(CLOCK_MONOTONIC)
            return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
        },
        wall: {
            let now = read(CLOCK_REALTIME)
            return Int64(now.tv_sec) &* 1000 &+ Int64(now.tv_nsec) / 1_000_000
        })

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        clock_gettime(clock, &now)
        return now
    }
}
