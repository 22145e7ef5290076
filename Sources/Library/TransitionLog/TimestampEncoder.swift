// SPDX-License-Identifier: Apache-2.0

/// Encodes RFC 3339 timestamps in UTC with milliseconds, in quotes: `"2026-01-31T12:00:00.250Z"`.
struct TimestampEncoder {
    private var second: Int64 = .min
    private var prefix: [UInt8] = []

    /// Appends a timestamp.
    ///
    /// - Parameter milliseconds: The time since 1970 in milliseconds.
    mutating func append(milliseconds: Int64, to bytes: inout [UInt8]) {
        let (whole, rest) = Self.divide(milliseconds, by: 1000)
        if whole != second {
            second = whole
            prefix = Self.prefix(of: whole)
        }
        bytes.append(contentsOf: prefix)
        Self.append(rest, digits: 3, to: &bytes)
        bytes.append(contentsOf: "Z\"".utf8)
    }

    private static func prefix(of seconds: Int64) -> [UInt8] {
        let (day, time) = divide(seconds, by: 86_400)
        // Days since 0000-03-01 in the proleptic Gregorian calendar, in eras of 400 years. A year begins in March, so
        // that the leap day is its last day.
        let (era, dayOfEra) = divide(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        append(min(max(year, 0), 9999), digits: 4, to: &bytes)
        for (value, separator) in [
            (month, "-"), (dayOfYear - (153 * shifted + 2) / 5 + 1, "-"), (time / 3600, "T"), (time / 60 % 60, ":"),
            (time % 60, ":"),
        ] {
            bytes.append(contentsOf: separator.utf8)
            append(value, digits: 2, to: &bytes)
        }
        bytes.append(UInt8(ascii: "."))
        return bytes
    }

    /// Divides and rounds down, so that times before 1970 are right as well.
    private static func divide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func append(_ value: Int64, digits: Int, to bytes: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}
