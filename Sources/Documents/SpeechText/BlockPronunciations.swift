// SPDX-License-Identifier: Apache-2.0

import ReadingText

/// The document's notes on the speech of parts of one block.
struct BlockPronunciations {
    private let spans: [Pronunciation]

    /// The most spans in one block; a document with more is made up.
    private static let most = 20_000

    /// Takes the spans that lie within the block in order; others are left out.
    init(_ block: TextBlock, _ range: Range<Int>) {
        var spans: [Pronunciation] = []
        for span in block.pronunciations.prefix(Self.most) {
            guard !span.range.isEmpty, span.range.clamped(to: range) == span.range else { continue }
            guard span.range.lowerBound >= spans.last?.range.lowerBound ?? 0 else { continue }
            spans.append(span)
        }
        self.spans = spans
    }

    /// The index of the first span that can reach behind a place, if spans do not lie within one another.
    private func first(behind place: Int) -> Int {
        var low = 0
        var high = spans.count
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].range.upperBound > place { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The stretches of a sentence by their language.
    func parts(of sentence: Range<Int>, language: String?) -> [(range: Range<Int>, language: String?)] {
        guard !spans.isEmpty else { return [(sentence, language)] }
        var parts: [(range: Range<Int>, language: String?)] = []
        var place = sentence.lowerBound
        for span in spans[first(behind: sentence.lowerBound)...] {
            guard span.range.lowerBound < sentence.upperBound else { break }
            guard case .language(let tag) = span.speech, let tag = LanguageTag.valid(tag) else { continue }
            let range = span.range.clamped(to: sentence)
            guard range.lowerBound >= place, !range.isEmpty else { continue }
            if place < range.lowerBound { parts.append((place..<range.lowerBound, language)) }
            parts.append((range, tag))
            place = range.upperBound
        }
        if place < sentence.upperBound { parts.append((place..<sentence.upperBound, language)) }
        return parts
    }

    /// The words, spellings and sounds that the document asks for in a stretch; those that do not lie within it are
    /// left out.
    func islands(
        in range: Range<Int>, language: String, warn: (String) -> Void
    ) -> [SentenceSpeaker.Island] {
        guard !spans.isEmpty else { return [] }
        var islands: [SentenceSpeaker.Island] = []
        for span in spans[first(behind: range.lowerBound)...] {
            guard span.range.lowerBound < range.upperBound else { break }
            guard span.range.lowerBound >= islands.last?.range.upperBound ?? range.lowerBound,
                span.range.upperBound <= range.upperBound
            else { continue }
            switch span.speech {
            case .words(let words): islands.append(.init(range: span.range, speech: .words(words)))
            case .spelled: islands.append(.init(range: span.range, speech: .spelled))
            case .phonemes(let ipa):
                let (notation, unknown) = PhonemeAlphabet.espeak(ipa, language: language)
                guard unknown.isEmpty, !notation.isEmpty else {
                    warn("the document's sounds \"\(ipa.prefix(40))\" are left out, as some of them are not known")
                    continue
                }
                islands.append(.init(range: span.range, speech: .phonemes(notation)))
            case .language: continue
            }
        }
        return islands
    }
}
