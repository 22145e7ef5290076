// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Times of day in the listener's time zone.
enum LocalTime {
    /// Returns a time of day as `21:05`; `ms` counts from 1970.
    static func clock(_ ms: Int64) -> String {
        let parts = parts(of: ms)
        return "\(pad(parts.tm_hour)):\(pad(parts.tm_min))"
    }

    /// Returns `11-26 21:05`.
    static func date(_ ms: Int64) -> String {
        let parts = parts(of: ms)
        return "\(pad(parts.tm_mon + 1))-\(pad(parts.tm_mday)) \(pad(parts.tm_hour)):\(pad(parts.tm_min))"
    }

    private static func parts(of ms: Int64) -> tm {
        var seconds = time_t(ms / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    private static func pad(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
