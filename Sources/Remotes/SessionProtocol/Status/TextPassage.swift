// SPDX-License-Identifier: Apache-2.0

/// The result of `text`: a part of the text that is read aloud.
public struct TextPassage: Sendable, Hashable, Codable {
    /// A sentence, which may begin before the part and end behind it.
    public struct Sentence: Sendable, Hashable, Codable {
        /// Its first byte in the text.
        public var start: Int64
        /// The byte behind its last one.
        public var end: Int64
        /// The time of the recording at which it is said, in milliseconds of the book; `nil` if a text is read.
        public var atMs: Int64?

        public init(start: Int64, end: Int64, atMs: Int64? = nil) {
            self.start = start
            self.end = end
            self.atMs = atMs
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
    /// The recording of this text that plays; `nil` if the text itself is read.
    public var recording: Recording?
    /// The byte of the text up to which the sentences are known, which lies before the end of the part; `nil` if they all
    /// are.
    public var known: Int64?

    /// A recording that the text follows.
    public struct Recording: Sendable, Hashable, Codable {
        public var uri: String
        /// One of `exact`, `aligned`, `anchored`, `proportional`: the grade of the times at the place that is heard.
        public var grade: String
        /// The bound of the error of these times, in milliseconds.
        public var errorMs: Int64

        public init(uri: String, grade: String, errorMs: Int64) {
            self.uri = uri
            self.grade = grade
            self.errorMs = errorMs
        }
    }

    public init(
        uri: String, size: Int64, offset: Int64, text: String, sentences: [Sentence], recording: Recording? = nil,
        known: Int64? = nil
    ) {
        self.uri = uri
        self.size = size
        self.offset = offset
        self.text = text
        self.sentences = sentences
        self.recording = recording
        self.known = known
    }
}

/// The news that more of a text is made ready: the sentences up to a byte are known.
public struct TextProgress: Sendable, Hashable, Codable {
    /// The identity of the text.
    public var uri: String
    /// The byte of the text behind the last one whose sentence is known.
    public var end: Int64

    public init(uri: String, end: Int64) {
        self.uri = uri
        self.end = end
    }
}
