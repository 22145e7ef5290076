// SPDX-License-Identifier: Apache-2.0

/// The digits, letters and signs of which an expression with numbers is made.
struct NumberRuns {
    enum Run: Equatable {
        /// Digits, without the marks between groups.
        case integer(String)
        case decimal(String, fraction: String)
        case letters(String)
        case sign(Character)
    }

    private(set) var runs: [Run] = []
    /// One character for each run: `n` for an integer, `f` for a decimal, `a` for letters, and each sign as it stands.
    private(set) var shape = ""
    /// `true` if digits are grouped, so that no number of them is a year.
    private(set) var isGrouped = false

    /// - Parameters:
    ///   - group: The mark between groups of three digits.
    ///   - decimal: The mark before decimals.
    init(_ core: String, group: Character, decimal: Character) {
        let characters = Array(core)
        var index = 0
        while index < characters.count {
            let character = characters[index]
            if character.isNumberDigit {
                let (integer, end) = Self.integer(characters, index, group)
                if end - index > integer.count { isGrouped = true }
                index = end
                let isFraction =
                    index + 1 < characters.count && characters[index] == decimal && characters[index + 1].isNumberDigit
                let fractionEnd = isFraction ? Self.endOfDigits(characters, index + 1) : index
                // A second mark makes it a version or a date: "1.2.3".
                if isFraction, !Self.continues(characters, fractionEnd, decimal), runs.last != .sign(decimal) {
                    append(.decimal(integer, fraction: String(characters[index + 1..<fractionEnd])), "f")
                    index = fractionEnd
                } else {
                    append(.integer(integer), "n")
                }
            } else if character.isLetter, character != "º", character != "ª" {
                var end = index + 1
                while end < characters.count, characters[end].isLetter, characters[end] != "º", characters[end] != "ª" {
                    end += 1
                }
                append(.letters(String(characters[index..<end])), "a")
                index = end
            } else {
                append(.sign(character), Self.shape(of: character))
                index += 1
            }
        }
    }

    /// The last of the runs of an expression.
    init(_ runs: ArraySlice<Run>) { self.runs = Array(runs) }

    private mutating func append(_ run: Run, _ shape: Character) {
        runs.append(run)
        self.shape.append(shape)
    }

    private static func shape(of character: Character) -> Character {
        switch character {
        case "–", "‑", "—": "-"
        case "n", "a", "f": "?"
        default: character
        }
    }

    private static func endOfDigits(_ characters: [Character], _ start: Int) -> Int {
        var end = start
        while end < characters.count, characters[end].isNumberDigit { end += 1 }
        return end
    }

    private static func continues(_ characters: [Character], _ end: Int, _ mark: Character) -> Bool {
        end + 1 < characters.count && characters[end] == mark && characters[end + 1].isNumberDigit
    }

    /// Reads digits with the marks between groups of three.
    private static func integer(_ characters: [Character], _ start: Int, _ group: Character) -> (String, Int) {
        var end = endOfDigits(characters, start)
        var digits = String(characters[start..<end])
        guard digits.count <= 3, digits != "0" else { return (digits, end) }
        while end < characters.count, characters[end] == group || isSpace(characters[end]) || characters[end] == "’" {
            let next = endOfDigits(characters, end + 1)
            guard next - end == 4 else { break }
            digits += String(characters[end + 1..<next])
            end = next
        }
        return (digits, end)
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\u{A0}" || character == "\u{202F}" || character == "\u{2009}"
    }
}

extension Character {
    /// A digit from 0 to 9 of ASCII; others are left to the voice.
    var isNumberDigit: Bool { self >= "0" && self <= "9" && isASCII }
}
