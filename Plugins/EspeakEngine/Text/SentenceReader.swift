// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// A reader that cuts a document into sentences, from any character on.
struct SentenceReader {
    /// The length at which a sentence is cut, so that text without punctuation costs no more memory or time than other
    /// text.
    static let longest = 1000
    /// The number of characters behind a full stop that must be known to judge it.
    private static let lookahead = 64

    private var reader: CharacterReader
    private var buffer: [TextCharacter] = []
    private var isComplete = false

    init(_ reader: CharacterReader) {
        self.reader = reader
    }

    /// Returns the next sentence with the white space behind it, or `nil` at the end of the document.
    ///
    /// White space in front is left out.
    mutating func next() throws(EngineFailure) -> [TextCharacter]? {
        repeat {
            try fill()
            guard !buffer.isEmpty else { return nil }
            let start = buffer.firstIndex { $0.kind != .space && $0.kind != .newline && $0.kind != .ignorable }
            buffer.removeFirst(start ?? buffer.count)
        } while buffer.isEmpty
        try fill()
        let end = SentenceEnd(in: buffer[...], isComplete: isComplete).find()
        let cut =
            end.flatMap { $0 <= Self.longest + Self.lookahead ? $0 : nil } ?? Cut.near(Self.longest, in: buffer[...])
        defer { buffer.removeFirst(cut) }
        return Array(buffer[..<cut])
    }

    private mutating func fill() throws(EngineFailure) {
        while !isComplete && buffer.count < Self.longest + Self.lookahead {
            guard let character = try reader.next() else {
                isComplete = true
                return
            }
            buffer.append(character)
        }
    }
}
