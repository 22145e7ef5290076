// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day, for what is shown to people and compared across restarts.
///
/// It can be set back.
public enum WallClock {
    /// Milliseconds since 1970.
    public static func milliseconds() -> Int64 {
        let time = timespec(of: CLOCK_REALTIME)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}
