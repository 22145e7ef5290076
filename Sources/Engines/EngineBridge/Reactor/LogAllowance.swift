// SPDX-License-Identifier: Apache-2.0

/// A limit on how many lines an engine may log, so that a runaway engine fills neither memory nor log.
struct LogAllowance {
    private static let linesPerSecond = 200

    private var second: UInt64 = 0
    private var used = 0

    /// Returns `true` if one more line may pass at this time, in nanoseconds.
    mutating func take(at now: UInt64) -> Bool {
        if now / 1_000_000_000 != second {
            second = now / 1_000_000_000
            used = 0
        }
        used += 1
        return used <= Self.linesPerSecond
    }
}
