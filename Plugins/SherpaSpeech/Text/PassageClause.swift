// SPDX-License-Identifier: Apache-2.0

/// A part of a text up to a sign at which a voice pauses.
struct PassageClause: Equatable {
    /// Indices of the text's characters, with the sign and the space behind it.
    var range: Range<Int>
    /// The indices of the words themselves.
    var spoken: Range<Int>
    /// The sign as voices know it; `nil` if the text just ends.
    var sign: Unicode.Scalar?

    /// Cuts a text into its clauses, which together are all of it.
    static func all(in text: ArraySlice<Unicode.Scalar>) -> [PassageClause] {
        var clauses: [PassageClause] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            guard let sign = sign(at: index, in: text) else {
                index += 1
                continue
            }
            let spoken = start..<index
            while index < text.endIndex, isAround(text[index]) || signs[text[index]] != nil || text[index] == "." {
                index += 1
            }
            clauses.append(PassageClause(range: start..<index, spoken: spoken, sign: sign))
            start = index
        }
        if start < text.endIndex {
            clauses.append(PassageClause(range: start..<text.endIndex, spoken: start..<text.endIndex, sign: nil))
        }
        return clauses
    }

    /// Returns the sign that ends a clause at an index, or `nil` if none does.
    private static func sign(at index: Int, in text: ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
        let scalar = text[index]
        // A full stop within an utterance ends an abbreviation, so only the last one counts.
        if scalar == "." { return text[(index + 1)...].allSatisfy { isAround($0) || $0 == "." } ? "." : nil }
        guard let sign = signs[scalar] else { return nil }
        // "3,5" and "12:30" are one word. The signs of East Asia stand close.
        let next = text[(index + 1)...].first
        let standsAlone = scalar.value >= 0x2000 || "()[]\u{22}".unicodeScalars.contains(scalar)
        return standsAlone || next.map { isAround($0) || signs[$0] != nil } ?? true ? sign : nil
    }

    /// `true` for what may stand between a sign and the next word.
    private static func isAround(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || "\"'”’»)]".unicodeScalars.contains(scalar)
    }

    private static let signs: [Unicode.Scalar: Unicode.Scalar] = [
        ",": ",", "、": ",", "，": ",", "،": ",", ";": ";", "；": ";", ":": ":", "：": ":", "!": "!", "！": "!", "?": "?",
        "？": "?", "؟": "?", "。": ".", "।": ".", "…": ".", "—": ",", "–": ",", "(": ",", "[": ",",
    ]
}
