// SPDX-License-Identifier: Apache-2.0

/// A limit on how many lines an engine may log, so that a runaway engine fills neither memory nor log.
///
/// What its libraries print on stderr counts for itself: a flood there does not push out what the engine says.
struct LogAllowance {
    private static let linesPerSecond = 200

    private var second: UInt64 = 0
    private var said = 0
    private var printed = 0

    /// Returns `true` if one more line may pass at this time, in nanoseconds.
    mutating func take(isPrinted: Bool, at now: UInt64) -> Bool {
        if now / 1_000_000_000 != second {
            second = now / 1_000_000_000
            (said, printed) = (0, 0)
        }
        if isPrinted { printed += 1 } else { said += 1 }
        return (isPrinted ? printed : said) <= Self.linesPerSecond
    }
}
