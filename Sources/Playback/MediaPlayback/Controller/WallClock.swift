// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day, for what is shown to people and compared across restarts.
enum WallClock {
    /// Since 1970.
    static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
