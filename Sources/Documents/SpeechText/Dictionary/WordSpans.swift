// SPDX-License-Identifier: Apache-2.0

/// The words of a text as a dictionary sees them: letters, digits and what joins them inside of a word.
enum WordSpans {
    static func spans(of text: ScalarText, in range: Range<Int>, each: (Range<Int>) -> Void) {
        var place = range.lowerBound
        var start: Int?
        while place < range.upperBound {
            let (scalar, size) = text.scalar(at: place, before: range.upperBound)
            let belongs =
                scalar.isSpoken || scalar.isMark
                || (start != nil && joins(scalar, text, place + size, range.upperBound))
            if belongs {
                if start == nil { start = place }
            } else if let first = start {
                each(first..<place)
                start = nil
            }
            place += size
        }
        if let start { each(start..<range.upperBound) }
    }

    /// An apostrophe between letters.
    private static func joins(_ scalar: Unicode.Scalar, _ text: ScalarText, _ next: Int, _ end: Int) -> Bool {
        guard scalar == "'" || scalar == "’", next < end else { return false }
        let scalar = text.scalar(at: next, before: end).scalar
        return scalar.isUpper || scalar.isLower
    }

    /// The words of a written form, with straight apostrophes.
    static func words(of string: String) -> [String] {
        let text = ScalarText(bytes: Array(string.utf8))
        var words: [String] = []
        spans(of: text, in: 0..<text.bytes.count) { words.append(normal(text, $0)) }
        return words
    }

    static func normal(_ text: ScalarText, _ range: Range<Int>) -> String {
        var word = text.string(range)
        if word.unicodeScalars.contains("’") {
            word = String(String.UnicodeScalarView(word.unicodeScalars.map { $0 == "’" ? "'" : $0 }))
        }
        return word
    }
}
