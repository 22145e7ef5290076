// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Nanoseconds of CLOCK_MONOTONIC: what devices, poll and sound servers count in.
public enum MonotonicTime {
    public static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    public static let millisecond: Int64 = 1_000_000
    public static let second: Int64 = 1_000_000_000
}
