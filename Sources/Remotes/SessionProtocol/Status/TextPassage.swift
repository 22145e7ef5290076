// SPDX-License-Identifier: Apache-2.0

/// The result of `text`: a part of the text that is read aloud.
public struct TextPassage: Sendable, Hashable, Codable {
    /// A sentence, which may begin before the part and end behind it.
    public struct Sentence: Sendable, Hashable, Codable {
        /// Its first byte in the text.
        public var start: Int64
        /// The byte behind its last one.
        public var end: Int64

        public init(start: Int64, end: Int64) {
            self.start = start
            self.end = end
        }
    }

    /// The most sentences of a part.
    public static let mostSentences = 4096

    /// The identity of the item.
    public var uri: String
    /// The size of the whole text in bytes.
    public var size: Int64
    /// The place of the part in the text, in bytes.
    public var offset: Int64
    /// The part; its bytes in UTF-8 are those of the text.
    public var text: String
    /// The sentences of which something is in the part, in order; empty if the engine finds them itself.
    public var sentences: [Sentence]

    public init(uri: String, size: Int64, offset: Int64, text: String, sentences: [Sentence]) {
        self.uri = uri
        self.size = size
        self.offset = offset
        self.text = text
        self.sentences = sentences
    }
}
