// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// A piece of text that is spoken in one go: a sentence, or a part of a long one.
struct Phrase: Equatable {
    /// The characters, with the white space behind them.
    var characters: ArraySlice<TextCharacter>
    /// The bytes of the sentence that begins here; `nil` within a sentence.
    var sentence: Range<Int64>?
    /// `true` if a voice pauses at its end.
    var endsWithPause: Bool
    /// The language, if the phrase has one of its own: a BCP 47 tag.
    var language: String?
    var phonemes: [PhonemeRun] = []
    /// The silence behind the phrase; `nil` for the pause that the voice makes.
    var silence: Silence?

    /// A silence of an exact length.
    struct Silence: Equatable {
        /// The length at rate 1.
        var milliseconds: Int
        /// The place at which the next phrase begins.
        var end: Int64
    }

    /// Returns what remains from a character on, for a second attempt.
    func dropping(before index: Int) -> Phrase {
        var rest = self
        rest.characters = characters[max(index, characters.startIndex)...]
        rest.sentence = nil
        return rest
    }
}

/// A reader that cuts sentences into phrases.
struct PhraseReader: PhraseSource {
    /// The maximum number of characters of a phrase.
    ///
    /// It is twelve seconds of English, which libespeak-ng renders in some 8 ms. It is also below the 800 bytes at
    /// which the library would cut by itself, out of our sight.
    static let longest = 180
    /// The length of the first phrase in characters.
    ///
    /// The first sound waits for it, so a clause is enough.
    static let lead = 16...90

    private var sentences: SentenceReader
    private var rest: ArraySlice<TextCharacter> = []
    private var isFirst = true

    init(_ sentences: SentenceReader) {
        self.sentences = sentences
    }

    /// Returns the next phrase, or `nil` at the end of the document.
    mutating func next() throws(EngineFailure) -> Phrase? {
        var sentence: Range<Int64>?
        if rest.isEmpty {
            guard let characters = try sentences.next(), let first = characters.first else { return nil }
            rest = characters[...]
            let last = characters.last { $0.kind != .space && $0.kind != .newline }
            sentence = first.offset..<(last?.end ?? first.end)
        }
        var cut = Cut.near(Self.longest, in: rest)
        if isFirst {
            cut = min(cut, Cut.firstClause(from: Self.lead.lowerBound, to: Self.lead.upperBound, in: rest) ?? cut)
            isFirst = false
        }
        let spoken = rest[..<cut]
        rest = rest[cut...]
        return Phrase(characters: spoken, sentence: sentence, endsWithPause: Self.endsWithPause(spoken) || rest.isEmpty)
    }

    private static func endsWithPause(_ characters: ArraySlice<TextCharacter>) -> Bool {
        guard let last = characters.lastIndex(where: { $0.kind != .space && $0.kind != .newline }) else { return false }
        return Cut.isClauseEnd(last, in: characters)
    }
}
