// SPDX-License-Identifier: Apache-2.0

import EngineABI

/// The text that a voice says in one breath: a sentence, or a clause of a long one.
///
/// Positions and lengths are in units of the document.
public struct SpokenUtterance: Sendable, Hashable {
    /// A word of what is said.
    public struct Word: Sendable, Hashable {
        /// The bytes of ``SpokenUtterance/text``.
        public var spoken: Range<Int>
        /// The units for which it stands; several words may stand for the same.
        public var units: Range<Int64>
        /// The sounds of it, in the notation of eSpeak NG.
        public var phonemes: String?

        public init(spoken: Range<Int>, units: Range<Int64>, phonemes: String? = nil) {
            self.spoken = spoken
            self.units = units
            self.phonemes = phonemes
        }
    }

    public var units: Range<Int64>
    /// The sentence to which it belongs.
    public var sentence: Range<Int64>
    /// The words to say; never empty.
    public var text: String
    /// A BCP 47 tag; `nil` if nothing tells the language.
    public var language: String?
    public var words: [Word]
    /// The silence from the last sound of this utterance to the first one of the next, in milliseconds at rate 1.
    public var pause: Int

    public init(
        units: Range<Int64>, sentence: Range<Int64>, text: String, language: String? = nil, words: [Word] = [],
        pause: Int = 0
    ) {
        self.units = units
        self.sentence = sentence
        self.text = text
        self.language = language
        self.words = words
        self.pause = pause
    }
}

extension SpokenUtterance {
    /// Copies what the host filled in.
    init(_ utterance: rostrum_utterance) {
        let words = UnsafeBufferPointer(start: utterance.words, count: Int(utterance.word_count)).map { word in
            Word(
                spoken: Int(word.offset)..<Int(word.offset) + Int(word.length),
                units: word.position..<max(word.position, word.position + word.position_length),
                phonemes: word.phonemes.map { String(cString: $0) })
        }
        self.init(
            units: utterance.position..<utterance.position + max(0, utterance.length),
            sentence: utterance.sentence..<utterance.sentence + max(0, utterance.sentence_length),
            text: utterance.text.map { String(cString: $0) } ?? "",
            language: utterance.language.map { String(cString: $0) }, words: words, pause: Int(utterance.pause))
    }
}
