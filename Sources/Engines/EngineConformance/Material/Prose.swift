// SPDX-License-Identifier: Apache-2.0

/// A short text in UTF-8, with words whose positions are known.
enum Prose {
    static let text = """
        The kit reads this text aloud. It has short words and some longer ones, two paragraphs, and 12 numbers.

        Naïve cafés sell “crème brûlée” to anybody. A plain sentence comes after them, and it is the last.

        """

    static let bytes = Array(text.utf8)

    /// Plain words that are in the text once each, from front to back.
    static let words = ["reads", "short", "paragraphs", "anybody", "sentence"]

    /// Returns the byte at which a word begins.
    static func start(of word: String) -> Int64 {
        let needle = Array(word.utf8)
        let places = 0...(bytes.count - needle.count)
        return Int64(places.first { bytes[$0..<$0 + needle.count].elementsEqual(needle) } ?? 0)
    }
}
