// SPDX-License-Identifier: Apache-2.0

/// A word of a phrase, as indices of its characters.
struct Word: Equatable {
    var range: Range<Int>
    /// `true` if it has letters or digits.
    ///
    /// A symbol that stands alone is heard only if the voice has a name for it.
    var isSpoken: Bool

    /// Returns the words of a phrase in order.
    ///
    /// Characters that no voice could speak belong to no word.
    static func all(in characters: ArraySlice<TextCharacter>) -> [Word] {
        var words: [Word] = []
        var index = characters.startIndex
        while index < characters.endIndex {
            switch characters[index].kind {
            case .letter, .digit, .mark:
                let end = wordEnd(from: index, in: characters)
                words.append(Word(range: index..<end, isSpoken: characters[index..<end].contains { $0.kind != .mark }))
                index = end
            case .ideograph:
                words.append(Word(range: index..<index + 1, isSpoken: true))
                index += 1
            case .punctuation, .symbol:
                words.append(Word(range: index..<index + 1, isSpoken: false))
                index += 1
            case .space, .newline, .ignorable:
                index += 1
            }
        }
        return words
    }

    private static func wordEnd(from start: Int, in characters: ArraySlice<TextCharacter>) -> Int {
        var index = start
        while index < characters.endIndex {
            switch characters[index].kind {
            case .letter, .digit, .mark, .ignorable: break
            case .ideograph, .space, .newline: return index
            case .punctuation, .symbol:
                // "don't", "well-known", "3.14", "U.S": a sign between two letters or digits.
                guard isConnector(characters[index].scalar), index + 1 < characters.endIndex else { return index }
                guard characters[index + 1].kind == .letter || characters[index + 1].kind == .digit else {
                    return index
                }
            }
            index += 1
        }
        return index
    }

    private static func isConnector(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "'", "’", "-", "\u{2010}", "\u{2011}", ".", ",", "_": true
        default: false
        }
    }

    /// Returns the start of the word that holds the character at `index`, or of the next word if none does.
    static func start(at index: Int, in characters: ArraySlice<TextCharacter>) -> Int {
        let words = all(in: characters)
        return words.first { $0.range.upperBound > index && $0.isSpoken }?.range.lowerBound ?? index
    }
}
