// SPDX-License-Identifier: Apache-2.0

/// Rules for cutting characters that are too many to be spoken in one breath.
enum Cut {
    /// Returns the best index at or before `limit` characters, and always beyond the first one.
    ///
    /// It is behind a clause mark in the last two thirds, else behind white space, else between two characters.
    static func near(_ limit: Int, in characters: ArraySlice<TextCharacter>) -> Int {
        guard characters.count > limit else { return characters.endIndex }
        let range = characters.startIndex + limit / 3..<characters.startIndex + limit
        return range.last { isClauseEnd($0, in: characters) }.map { afterSpace($0 + 1, in: characters) }
            ?? range.last { isSpace($0, in: characters) }.map { $0 + 1 } ?? boundary(range.upperBound, in: characters)
    }

    /// Returns the end of the first clause with at least `least` and at most `most` characters before it.
    static func firstClause(
        from least: Int, to most: Int, in characters: ArraySlice<TextCharacter>
    ) -> Int? {
        guard characters.count > least else { return nil }
        let range = characters.startIndex + least..<min(characters.startIndex + most, characters.endIndex)
        return range.first { isClauseEnd($0, in: characters) }.map { afterSpace($0 + 1, in: characters) }
    }

    private static func isSpace(_ index: Int, in characters: ArraySlice<TextCharacter>) -> Bool {
        characters[index].kind == .space || characters[index].kind == .newline
    }

    private static func afterSpace(_ index: Int, in characters: ArraySlice<TextCharacter>) -> Int {
        characters[index...].firstIndex { $0.kind != .space && $0.kind != .newline } ?? characters.endIndex
    }

    /// Returns `true` for a mark at which a voice pauses, with white space behind it where its script uses that.
    static func isClauseEnd(_ index: Int, in characters: ArraySlice<TextCharacter>) -> Bool {
        switch characters[index].scalar {
        case "、", "，", "；", "：", "،", "؛": true
        case ",", ";", ":", "—", "–", "!", "?", "·":
            index + 1 < characters.endIndex && isSpace(index + 1, in: characters)
        default: false
        }
    }

    /// Moves back over marks and joiners, so that no letter loses its accent.
    private static func boundary(_ index: Int, in characters: ArraySlice<TextCharacter>) -> Int {
        var cut = index
        let least = max(characters.startIndex + 1, index - 16)
        while cut > least,
            characters[cut].kind == .mark || characters[cut].kind == .ignorable
                || characters[cut - 1].scalar == "\u{200D}"
        {
            cut -= 1
        }
        return cut > least ? cut : index
    }
}
