// SPDX-License-Identifier: Apache-2.0

/// A length of time as feeds write it.
public enum FeedDuration {
    /// Returns milliseconds, or `nil` for what is no length of time.
    ///
    /// It is a number of seconds, or hours, minutes and seconds between colons, with units, or as in ISO 8601.
    public static func milliseconds(_ text: String) -> Int64? {
        let text = text.utf8.count > 60 ? "" : text.lowercased().filter { !$0.isWhitespace }
        guard let first = text.first else { return nil }
        let result: Double?
        if first == "p" {
            result = units(text.dropFirst().filter { $0 != "t" })
        } else if text.contains(where: \.isLetter) {
            result = units(text)
        } else {
            result = clock(text)
        }
        guard let result, result.isFinite, result >= 0, result * 1000 <= Double(FeedLimits.duration) else { return nil }
        return Int64((result * 1000).rounded())
    }

    private static func clock(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 4 else { return nil }
        // Four parts are days, or frames of a cutter's clock; nobody can tell.
        if parts.count == 4 { return nil }
        var total = 0.0
        for (index, part) in parts.enumerated() {
            // "12:" is twelve minutes.
            let text = part.isEmpty && index > 0 ? "0" : part
            guard let value = number(text, isLast: index == parts.count - 1) else { return nil }
            total = total * 60 + value
        }
        return total
    }

    private static func units(_ text: String) -> Double? {
        var (rest, total) = (text[...], 0.0)
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
            guard let value = number(digits, isLast: true) else { return nil }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix(while: \.isLetter)
            rest = rest[unit.endIndex...].drop { $0 == "," || $0 == "." }
            switch unit {
            case "d", "day", "days": total += value * 86_400
            case "h", "hr", "hrs", "hour", "hours", "std": total += value * 3600
            case "m", "min", "mins", "minute", "minutes": total += value * 60
            case "s", "sec", "secs", "second", "seconds": total += value
            default: return nil
            }
        }
        return total
    }

    private static func number(_ text: Substring, isLast: Bool) -> Double? {
        let text = text.map { $0 == "," ? "." : $0 }
        guard text.contains(where: \.isNumber), text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            isLast || !text.contains(".")
        else { return nil }
        return Double(String(text))
    }

    private static func number(_ text: String, isLast: Bool) -> Double? { number(text[...], isLast: isLast) }
}
