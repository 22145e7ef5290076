// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of CLOCK_MONOTONIC, which devices, `poll` and sound servers count in.
public enum MonotonicTime {
    /// Nanoseconds since an arbitrary point that is fixed until the next boot.
    public static func now() -> Int64 {
        let time = timespec(of: CLOCK_MONOTONIC)
        return Int64(time.tv_sec) &* second &+ Int64(time.tv_nsec)
    }

    /// The same time in milliseconds.
    public static func milliseconds() -> Int64 { now() / millisecond }

    public static let millisecond: Int64 = 1_000_000
    public static let second: Int64 = 1_000_000_000
}
