// SPDX-License-Identifier: Apache-2.0

/// A line of ornaments that separates scenes: `* * *`, `---`, `⁂`.
enum OrnamentLine {
    private static let ornaments: Set<Unicode.Scalar> = [
        "*", "-", "_", "=", "~", "#", "+", ".", "o", "O", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2015}", "\u{2217}",
        "\u{25CF}", "\u{25CB}", "\u{25C6}", "\u{25C7}", "\u{25A0}", "\u{25A1}", "\u{2605}", "\u{2606}", "\u{2720}",
        "\u{FF0A}", "\u{B7}", "\u{30FB}", "\u{2500}", "\u{2501}", "\u{2550}", "\u{223C}", "\u{FF5E}", "\u{2053}",
    ]
    /// Signs that are a break by themselves.
    private static let single: Set<Unicode.Scalar> = [
        "*", "#", "~", "\u{2042}", "\u{2051}", "\u{2766}", "\u{2767}", "\u{2619}", "\u{2055}", "\u{FF0A}", "\u{2605}",
        "\u{25C6}", "\u{25C7}", "\u{2720}",
    ]

    /// Returns `true` if a line has nothing but ornaments, of two sorts at most.
    static func matches(_ text: some StringProtocol) -> Bool {
        var sorts: Set<Unicode.Scalar> = []
        var count = 0
        for scalar in text.unicodeScalars where !scalar.properties.isWhitespace {
            guard ornaments.contains(scalar) || single.contains(scalar) else { return false }
            sorts.insert(scalar)
            count += 1
            guard sorts.count <= 2 else { return false }
        }
        // Letters and stops alone are words and omissions.
        if sorts.isSubset(of: ["o", "O", "."]) { return false }
        if count == 1 || count == 2 { return sorts.isSubset(of: single) }
        return count >= 3
    }

    /// Returns `true` if a line is one sign again and again, with spaces or without.
    static func isUniform(_ line: ArraySlice<UInt8>) -> Bool {
        guard let sign = line.first else { return false }
        return line.allSatisfy { $0 == sign || $0 == 0x20 || $0 == 0x09 } && sign != 0x3E
    }

    /// Returns the level of the heading that a line of signs underlines, or `nil`.
    static func underline(_ text: some StringProtocol) -> Int? {
        guard let sign = text.unicodeScalars.first, text.unicodeScalars.count >= 3,
            text.unicodeScalars.allSatisfy({ $0 == sign })
        else { return nil }
        switch sign {
        case "=": return 1
        case "-", "~", "\u{2014}": return 2
        default: return nil
        }
    }
}
