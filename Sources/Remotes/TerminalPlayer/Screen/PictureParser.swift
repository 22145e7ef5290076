// SPDX-License-Identifier: Apache-2.0

/// A parser of pictures in characters and colours, as `chafa --format symbols` prints them.
public enum PictureParser {
    /// Returns the cells of at most so many columns and rows; sequences that it does not know are left out.
    public static func cells(of bytes: [UInt8], columns: Int, rows: Int) -> [[Screen.Cell]] {
        var picture: [[Screen.Cell]] = []
        var row: [Screen.Cell] = []
        var colours = Colours()
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = rest.popFirst(), picture.count < rows {
            switch scalar {
            case "\u{1B}":
                guard rest.first == "[" else { continue }
                rest.removeFirst()
                let parameters = rest.prefix { !(0x40...0x7E).contains($0.value) }
                rest = rest.dropFirst(parameters.count)
                if rest.popFirst() == "m" { colours.take(String(String.UnicodeScalarView(parameters))) }
            case "\n":
                picture.append(row)
                row = []
            case _ where scalar.value < 32: continue
            default:
                if row.count < columns { row.append(Screen.Cell(character: Character(scalar), style: colours.style)) }
            }
        }
        if !row.isEmpty, picture.count < rows { picture.append(row) }
        return picture
    }

    private struct Colours {
        var foreground: Int16 = -1
        var background: Int16 = -1
        var isReversed = false

        var style: Style {
            isReversed
                ? .picture(foreground: background, background: foreground)
                : .picture(foreground: foreground, background: background)
        }

        /// Takes the parameters of a sequence that selects colours.
        mutating func take(_ text: String) {
            var numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }[...]
            while let number = numbers.popFirst() {
                switch number {
                case 0: self = Colours()
                case 7: isReversed = true
                case 27: isReversed = false
                case 30...37: foreground = Int16(number - 30)
                case 40...47: background = Int16(number - 40)
                case 90...97: foreground = Int16(number - 90 + 8)
                case 100...107: background = Int16(number - 100 + 8)
                case 39: foreground = -1
                case 49: background = -1
                case 38, 48:
                    guard numbers.popFirst() == 5, let index = numbers.popFirst(), (0...255).contains(index) else {
                        return
                    }
                    if number == 38 { foreground = Int16(index) } else { background = Int16(index) }
                default: break
                }
            }
        }
    }
}
