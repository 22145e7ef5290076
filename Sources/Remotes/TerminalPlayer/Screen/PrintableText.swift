// SPDX-License-Identifier: Apache-2.0

import CGNUSource

extension String {
    /// The text without control characters, since titles come from files and servers and a terminal would obey them.
    public var printable: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text.append(" ")
            // Direction overrides could reverse the rest of the line.
            case .format where scalar.value != 0x200D && scalar.value != 0x200C: break
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// The number of columns on a terminal; wide East Asian characters and emoji take two.
    ///
    /// `gnu_use_unicode_characters` must have been called before.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// Returns the end of the text that takes at most so many columns.
    func tail(columns limit: Int) -> String {
        var used = 0
        return String(
            reversed().prefix { character in
                used += character.columns
                return used <= limit
            }.reversed())
    }

    /// Returns the text in at most `limit` columns, with `…` where it was cut off.
    public func fitted(to limit: Int) -> String {
        if columns <= limit { return self }
        var result = ""
        var used = 0
        for character in self {
            if used + character.columns > limit - 1 { break }
            result.append(character)
            used += character.columns
        }
        return limit > 0 ? result + "…" : ""
    }
}

extension Character {
    var columns: Int {
        let scalars = unicodeScalars
        // An emoji sequence or a flag is displayed as one picture.
        let isPicture =
            scalars.count > 1
            && scalars.contains { $0.value == 0x200D || $0.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains($0.value) }
        if isPicture { return 2 }
        return scalars.reduce(0) { $0 + max(0, Int(gnu_column_width($1.value))) }
    }
}

/// Returns a time as `0:12:34`, or `-:--` if it is `nil`, which means unknown.
public func clockText(_ ms: Int64?) -> String {
    guard let ms, ms >= 0 else { return "-:--" }
    let seconds = ms / 1000
    let pad: (Int64) -> String = { $0 < 10 ? "0\($0)" : "\($0)" }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    return hours > 0 ? "\(hours):\(pad(minutes)):\(pad(seconds % 60))" : "\(minutes):\(pad(seconds % 60))"
}

/// Returns a time as `1:02:03.456`.
public func preciseClockText(_ ms: Int64) -> String {
    let ms = max(0, ms)
    let rest = String(ms % 1000)
    return clockText(ms) + "." + String(repeating: "0", count: 3 - rest.count) + rest
}

/// Returns a speed as `1.25x`, with one or two decimals.
public func rateText(_ rate: Double) -> String {
    guard rate.isFinite, abs(rate) < 1000 else { return "?x" }
    let hundredths = Int((rate * 100).rounded())
    let digits =
        hundredths % 10 == 0 ? "\(hundredths / 10 % 10)" : (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    return "\(hundredths / 100).\(digits)x"
}

public func percentText(_ fraction: Double) -> String {
    guard fraction.isFinite, abs(fraction) < 1000 else { return "?%" }
    return "\(Int((fraction * 100).rounded()))%"
}
