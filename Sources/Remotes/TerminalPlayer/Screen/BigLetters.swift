// SPDX-License-Identifier: Apache-2.0

/// Letters of five by three dots, for a screen that is read from afar.
enum BigLetters {
    /// The size of a dot.
    enum Scale {
        /// Two dots in a cell: a letter takes 4 columns and 3 rows.
        case small
        /// A dot in a cell: 4 columns and 5 rows, for terminals without block characters.
        case medium
        /// A dot in two cells: 8 columns and 5 rows.
        case large

        var columns: Int { self == .large ? 8 : 4 }
        var rows: Int { self == .small ? 3 : 5 }
    }

    /// The rows of a letter from above, three bits each, the highest on the left.
    private static let dots: [Character: [UInt8]] = [
        "A": [2, 5, 7, 5, 5], "B": [6, 5, 6, 5, 6], "C": [3, 4, 4, 4, 3], "D": [6, 5, 5, 5, 6], "E": [7, 4, 6, 4, 7],
        "F": [7, 4, 6, 4, 4], "G": [3, 4, 5, 5, 3], "H": [5, 5, 7, 5, 5], "I": [7, 2, 2, 2, 7], "J": [1, 1, 1, 5, 2],
        "K": [5, 5, 6, 5, 5], "L": [4, 4, 4, 4, 7], "M": [5, 7, 7, 5, 5], "N": [6, 5, 5, 5, 5], "O": [2, 5, 5, 5, 2],
        "P": [6, 5, 6, 4, 4], "Q": [2, 5, 5, 6, 3], "R": [6, 5, 6, 5, 5], "S": [3, 4, 2, 1, 6], "T": [7, 2, 2, 2, 2],
        "U": [5, 5, 5, 5, 7], "V": [5, 5, 5, 5, 2], "W": [5, 5, 7, 7, 5], "X": [5, 5, 2, 5, 5], "Y": [5, 5, 2, 2, 2],
        "Z": [7, 1, 2, 4, 7],
        "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7], "4": [5, 5, 7, 1, 1],
        "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 2, 2], "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7],
        " ": [0, 0, 0, 0, 0], ":": [0, 2, 0, 2, 0], "-": [0, 0, 7, 0, 0], "+": [0, 2, 7, 2, 0], ".": [0, 0, 0, 0, 2],
        ",": [0, 0, 0, 2, 4], "'": [2, 2, 0, 0, 0], "\"": [5, 5, 0, 0, 0], ";": [0, 2, 0, 2, 4], "=": [0, 7, 0, 7, 0],
        "!": [2, 2, 2, 0, 2], "?": [6, 1, 2, 0, 2], "/": [1, 1, 2, 4, 4],
        "%": [5, 1, 2, 4, 5], "&": [2, 5, 2, 5, 3], "(": [1, 2, 2, 2, 1], ")": [4, 2, 2, 2, 4],
    ]

    /// Returns the text in rows of cells; `nil` if it has a letter that there is none of.
    static func rows(_ text: String, _ scale: Scale, block: Character) -> [String]? {
        let letters = text.folded.uppercased().map {
            $0 == "’" || $0 == "‘" ? "'" : $0 == "–" || $0 == "—" ? "-" : $0 == "“" || $0 == "”" ? "\"" : $0
        }
        guard letters.allSatisfy({ dots[$0] != nil }) else { return nil }
        return (0..<scale.rows).map { row in
            String(letters.flatMap { cells(of: dots[$0] ?? [], row, scale, block) })
        }
    }

    private static func cells(of dots: [UInt8], _ row: Int, _ scale: Scale, _ block: Character) -> [Character] {
        func isSet(_ row: Int, _ column: Int) -> Bool {
            dots.indices.contains(row) && dots[row] & (4 >> UInt8(column)) != 0
        }
        return (0..<4).flatMap { column -> [Character] in
            guard column < 3 else { return Array(repeating: " ", count: scale == .large ? 2 : 1) }
            switch scale {
            case .large: return Array(repeating: isSet(row, column) ? block : " ", count: 2)
            case .medium: return [isSet(row, column) ? block : " "]
            case .small:
                return switch (isSet(2 * row, column), isSet(2 * row + 1, column)) {
                case (true, true): ["█"]
                case (true, false): ["▀"]
                case (false, true): ["▄"]
                case (false, false): [" "]
                }
            }
        }
    }

    /// Breaks a text into lines of at most so many letters, the last of which ends with `...` if there is more.
    static func lines(_ text: String, letters: Int, most: Int) -> [String] {
        var lines: [String] = []
        var rest = text.split(separator: " ", omittingEmptySubsequences: true).map(String.init)
        while !rest.isEmpty, lines.count < most {
            var line = rest.removeFirst()
            while let word = rest.first, line.count + 1 + word.count <= letters {
                line += " " + word
                rest.removeFirst()
            }
            lines.append(String(line.prefix(letters)))
        }
        if !rest.isEmpty, let last = lines.popLast() { lines.append(last.prefix(max(0, letters - 3)) + "...") }
        return lines
    }
}
