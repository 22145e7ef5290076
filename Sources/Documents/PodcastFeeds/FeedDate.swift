// SPDX-License-Identifier: Apache-2.0

/// A date as feeds write it: RFC 822 as it should be and as it is met, or ISO 8601.
public enum FeedDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    /// The zones of RFC 822, and those that are met beside them, in minutes east of Greenwich.
    private static let zones: [String: Int64] = [
        "ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0, "bst": 60, "ist": 330, "cet": 60, "cest": 120, "met": 60,
        "eet": 120, "eest": 180, "msk": 180, "jst": 540, "aest": 600, "aedt": 660, "edt": -240, "est": -300,
        "cdt": -300, "cst": -360, "mdt": -360, "mst": -420, "pdt": -420, "pst": -480, "akdt": -480, "akst": -540,
        "hst": -600,
    ]

    /// Returns milliseconds since 1970, or `nil` for what is no date.
    ///
    /// A date without a zone is taken as one of Greenwich.
    public static func milliseconds(_ text: String) -> Int64? {
        let text = text.utf8.count > 100 ? "" : text.lowercased()
        return iso(text) ?? rfc(text)
    }

    private static func rfc(_ text: String) -> Int64? {
        var words = text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\n" || $0 == "\r" }[...]
        // The name of the day says nothing that the date does not, and is often wrong.
        if let first = words.first, first.first?.isLetter == true { words = words.dropFirst() }
        // "28-Nov-2026" is one word.
        if let first = words.first, first.contains("-"), first.first?.isNumber == true, first.count > 2 {
            words = (first.split(separator: "-") + words.dropFirst())[...]
        }
        guard words.count >= 3, var day = number(words.popFirst()), let name = words.popFirst() else { return nil }
        let month = months.firstIndex(of: String(name.prefix(3))).map { Int64($0) + 1 }
        guard let month, var year = number(words.popFirst()) else { return nil }
        if day > 31, year <= 31 { swap(&day, &year) }
        // As RFC 2822 reads years of two and three digits.
        if year < 50 { year += 2000 } else if year < 1000 { year += 1900 }
        var clock: [Int64] = [0, 0, 0]
        var isAfternoon: Bool?
        var offset: Int64 = 0
        if let word = words.first, word.contains(":") {
            words = words.dropFirst()
            let parts = word.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count) else { return nil }
            for (index, part) in parts.enumerated() {
                guard let value = number(part.prefix { $0 != "." }) else { return nil }
                clock[index] = value
            }
        }
        if let word = words.first, word == "am" || word == "pm" {
            isAfternoon = word == "pm"
            words = words.dropFirst()
        }
        if let isAfternoon, (1...12).contains(clock[0]) { clock[0] = clock[0] % 12 + (isAfternoon ? 12 : 0) }
        if let word = words.first { offset = zone(word) ?? 0 }
        return instant(year, month, day, clock[0], clock[1], clock[2], 0, offset)
    }

    private static func iso(_ text: String) -> Int64? {
        let text = text.drop(while: \.isWhitespace)
        let date = text.prefix { $0.isNumber || $0 == "-" }
        let parts = date.split(separator: "-", omittingEmptySubsequences: false)
        let values: [Int64]
        if parts.count == 3, parts[0].count == 4 {
            values = parts.compactMap { number($0) }
        } else if parts.count == 1, date.count == 8 {
            values = [date.prefix(4), date.dropFirst(4).prefix(2), date.dropFirst(6)].compactMap { number($0) }
        } else {
            return nil
        }
        guard values.count == 3 else { return nil }
        var rest = text[date.endIndex...].drop(while: \.isWhitespace)
        if rest.first == "t" { rest = rest.dropFirst() }
        let time = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." || $0 == "," }
        let zoneText = rest[time.endIndex...].filter { !$0.isWhitespace }
        guard let offset = zoneText.isEmpty ? 0 : zone(zoneText[...]) else { return nil }
        if time.isEmpty { return instant(values[0], values[1], values[2], 0, 0, 0, 0, offset) }
        let pieces = time.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(pieces.count), let hour = number(pieces[0]), let minute = number(pieces[1]) else {
            return nil
        }
        var (second, fraction): (Int64, Int64) = (0, 0)
        if pieces.count == 3 {
            let whole = pieces[2].prefix { $0.isNumber }
            guard let value = number(whole) else { return nil }
            second = value
            let digits = pieces[2][whole.endIndex...].dropFirst().prefix(3)
            fraction = number((String(digits) + "000").prefix(3)) ?? 0
        }
        return instant(values[0], values[1], values[2], hour, minute, second, fraction, offset)
    }

    private static func zone(_ word: Substring) -> Int64? {
        guard let first = word.first, first == "+" || first == "-" else {
            // "gmt+2" and "utc-05:00" are met.
            if let sign = word.firstIndex(where: { $0 == "+" || $0 == "-" }) { return zone(word[sign...]) }
            return zones[String(word)]
        }
        let digits = word.dropFirst().filter(\.isNumber)
        guard (1...4).contains(digits.count), let value = number(digits[...]) else { return nil }
        let minutes = digits.count <= 2 ? value * 60 : value / 100 * 60 + value % 100
        guard minutes <= 15 * 60 else { return nil }
        return first == "-" ? -minutes : minutes
    }

    /// Returns a number of at most nine ASCII digits.
    private static func number(_ text: (some StringProtocol)?) -> Int64? {
        guard let text, (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    private static func instant(
        _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64, _ minute: Int64, _ second: Int64,
        _ millisecond: Int64, _ offset: Int64
    ) -> Int64? {
        guard (1900...2500).contains(year), (1...12).contains(month), (1...length(month, year)).contains(day),
            (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        let seconds = days(year, month, day) * 86_400 + hour * 3600 + (minute - offset) * 60 + second
        return seconds * 1000 + millisecond
    }

    private static func length(_ month: Int64, _ year: Int64) -> Int64 {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the days from 1970 to a date of the Gregorian calendar.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // Years that begin in March have the leap day at their end.
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
