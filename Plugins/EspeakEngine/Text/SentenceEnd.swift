// SPDX-License-Identifier: Apache-2.0

/// A search for the end of the first sentence in a run of characters.
struct SentenceEnd {
    private let characters: ArraySlice<TextCharacter>
    /// `true` if the document ends with `characters`.
    private let isComplete: Bool

    init(in characters: ArraySlice<TextCharacter>, isComplete: Bool) {
        self.characters = characters
        self.isComplete = isComplete
    }

    /// Returns the index behind the sentence and the white space after it; `nil` if no end is in sight.
    func find() -> Int? {
        var index = characters.startIndex
        while index < characters.endIndex {
            let character = characters[index]
            if character.kind == .newline, let end = paragraphEnd(at: index) { return end }
            if Self.isFullEnd(character.scalar) {
                return skipSpace(from: skipClosers(from: skipTerminators(from: index)))
            }
            if Self.isTerminator(character.scalar) {
                let stop = skipTerminators(from: index)
                if let end = sentenceEnd(first: index, stop: stop) { return end }
                index = stop
                continue
            }
            index += 1
        }
        return isComplete && !characters.isEmpty ? characters.endIndex : nil
    }

    /// Returns `true` if the character ends a sentence in its script, with or without white space behind it.
    private static func isFullEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // CJK, Devanagari, Arabic question mark and Urdu full stop, Armenian, Ethiopic, Khmer, Burmese.
        case 0x3002, 0xFF01, 0xFF0E, 0xFF1F, 0xFF61, 0x0964, 0x0965, 0x061F, 0x06D4, 0x0589, 0x1362, 0x1367, 0x17D4,
            0x104B:
            true
        default: false
        }
    }

    private static func isTerminator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", "‼", "⁇", "⁈", "⁉": true
        default: false
        }
    }

    /// Returns the end of a paragraph: a blank line, a page break, or a line after which a list item or heading begins.
    private func paragraphEnd(at newline: Int) -> Int? {
        var lines = 0
        var index = newline
        while index < characters.endIndex, characters[index].kind == .newline || characters[index].kind == .space {
            switch characters[index].scalar {
            case "\u{0C}", "\u{2029}": lines += 2
            case "\r" where index + 1 < characters.endIndex && characters[index + 1].scalar == "\n": break
            default: if characters[index].kind == .newline { lines += 1 }
            }
            index += 1
        }
        if lines > 1 { return index }
        guard index < characters.endIndex else { return nil }
        switch characters[index].scalar {
        case "#", "•", "◦", "▪": return index
        case "-", "*", "+":
            let next = index + 1
            return next < characters.endIndex && characters[next].kind == .space ? index : nil
        default: return nil
        }
    }

    /// Returns the end of the sentence if the run of `.`, `!`, `?` over `first..<stop` ends it.
    private func sentenceEnd(first: Int, stop: Int) -> Int? {
        let closed = skipClosers(from: stop)
        guard closed < characters.endIndex else { return isComplete ? closed : nil }
        let behind = characters[closed].kind
        guard behind == .space || behind == .newline || behind == .ideograph else { return nil }
        let next = skipSpace(from: closed)
        if behind == .ideograph || paragraphBreak(in: closed..<next) { return next }
        guard let opening = firstReadable(from: next) else { return isComplete ? next : nil }
        if opening.kind == .letter && opening.scalar.properties.isLowercase { return nil }
        let isSingleStop = characters[first].scalar == "." && stop == first + 1
        if isSingleStop && isAbbreviation(before: first) { return nil }
        return next
    }

    private func paragraphBreak(in range: Range<Int>) -> Bool {
        range.contains { characters[$0].kind == .newline && paragraphEnd(at: $0) != nil }
    }

    private func isAbbreviation(before stop: Int) -> Bool {
        var start = stop
        while start > characters.startIndex {
            let before = characters[start - 1]
            guard before.kind == .letter || before.kind == .mark || before.kind == .digit || before.scalar == "." else {
                break
            }
            // No abbreviation is this long. The limit also bounds the work on a text without spaces.
            guard stop - start < 12 else { return false }
            start -= 1
        }
        guard start < stop else { return false }
        let word = characters[start..<stop]
        if word.allSatisfy({ $0.kind == .digit }) {
            // "1. First": the number of a list item, not a sentence of its own.
            return characters[..<start].allSatisfy { !$0.kind.isSpeakable }
        }
        if word.count == 1, let only = word.first {
            // An initial, or "z. B."; "I" is more often the end: "It was I. He knew."
            return only.kind == .letter && only.scalar != "I"
        }
        // "U.S.", "J.R.R.": letters with a full stop after each.
        if word.enumerated().allSatisfy({ $0.offset % 2 == 0 ? $0.element.kind == .letter : $0.element.scalar == "." })
        {
            return true
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: word.map(\.scalar))
        return Abbreviations.contains(String(text).lowercased())
    }

    private func firstReadable(from index: Int) -> TextCharacter? {
        characters[index...].first { $0.kind.isSpeakable }
    }

    private func skipTerminators(from index: Int) -> Int {
        skip(from: index) { Self.isTerminator($0.scalar) || Self.isFullEnd($0.scalar) }
    }

    private func skipClosers(from index: Int) -> Int {
        skip(from: index) { character in
            if character.scalar == "\"" || character.scalar == "'" { return true }
            switch character.scalar.properties.generalCategory {
            case .closePunctuation, .finalPunctuation: return true
            default: return false
            }
        }
    }

    private func skipSpace(from index: Int) -> Int {
        skip(from: index) { $0.kind == .space || $0.kind == .newline || $0.kind == .ignorable }
    }

    private func skip(from index: Int, while condition: (TextCharacter) -> Bool) -> Int {
        characters[index...].firstIndex { !condition($0) } ?? characters.endIndex
    }
}
