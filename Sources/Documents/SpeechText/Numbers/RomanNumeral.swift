// SPDX-License-Identifier: Apache-2.0

/// A number from 1 to 3999 in its usual Roman form.
struct RomanNumeral: Hashable {
    let value: Int

    private static let digits: [Character: Int] = ["I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000]
    private static let steps: [(String, Int)] = [
        ("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10),
        ("IX", 9),
        ("V", 5), ("IV", 4), ("I", 1),
    ]

    /// - Parameter text: In capitals throughout, or in small letters throughout.
    init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 15 else { return nil }
        let upper = text.uppercased()
        guard text == upper || text == text.lowercased() else { return nil }
        var value = 0
        var before = Int.max
        for character in upper {
            guard let digit = Self.digits[character] else { return nil }
            value += digit
            if digit > before { value -= 2 * before }
            before = digit
        }
        guard value > 0, value < 4000, Self.text(value) == upper else { return nil }
        self.value = value
    }

    private static func text(_ value: Int) -> String {
        var text = ""
        var rest = value
        for (digits, size) in steps {
            while rest >= size {
                text += digits
                rest -= size
            }
        }
        return text
    }
}
