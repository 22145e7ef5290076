// SPDX-License-Identifier: Apache-2.0

/// The text that a voice says in one breath: a sentence, or a clause of a long one.
public struct Utterance: Sendable, Hashable {
    /// A word of the spoken text.
    public struct Word: Sendable, Hashable {
        /// The bytes of the spoken text.
        public var spoken: Range<Int>
        /// The bytes of the document's text for which they stand; several words may stand for the same.
        public var range: Range<Int>
        /// The sounds of the word in the notation of eSpeak NG, if a dictionary or the document gives them.
        public var phonemes: String?

        public init(spoken: Range<Int>, range: Range<Int>, phonemes: String? = nil) {
            self.spoken = spoken
            self.range = range
            self.phonemes = phonemes
        }
    }

    /// The bytes of the document's text that are spoken.
    ///
    /// Utterances are in order and do not overlap.
    public var range: Range<Int>
    /// The sentence to which it belongs, which has the same range unless it was too long for one breath.
    public var sentence: Range<Int>
    /// The index of the block to which it belongs.
    public var block: Int
    /// The words that are said: numbers, abbreviations and the like are already words.
    ///
    /// Never empty.
    public var spoken: String
    /// The words, in order of the spoken text.
    public var words: [Word]
    /// A BCP 47 tag; `nil` if nothing tells the language.
    public var language: String?
    /// The silence between the end of this utterance's sound and the beginning of the next, in milliseconds at rate 1.
    public var pause: Int

    public init(
        range: Range<Int>, sentence: Range<Int>, block: Int, spoken: String, words: [Word] = [],
        language: String? = nil, pause: Int = 0
    ) {
        self.range = range
        self.sentence = sentence
        self.block = block
        self.spoken = spoken
        self.words = words
        self.language = language
        self.pause = pause
    }
}
