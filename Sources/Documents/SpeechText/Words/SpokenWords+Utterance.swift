// SPDX-License-Identifier: Apache-2.0

import SpeechScript

extension SpokenWords {
    /// The utterance of a stretch of words; `nil` if there is nothing to say.
    func utterance(
        _ stretch: Range<Int>, range: Range<Int>, sentence: Range<Int>, block: Int, tags: [String?], pause: Int
    ) -> Utterance? {
        guard let first = stretch.first, items.indices.contains(first) else { return nil }
        var spoken: [UInt8] = []
        var words: [Utterance.Word] = []
        words.reserveCapacity(stretch.count)
        for item in items[stretch] {
            if item.hasSpace, !spoken.isEmpty { spoken.append(0x20) }
            let shift = spoken.count - item.lead
            spoken.append(contentsOf: bytes[item.lead..<item.tail])
            words.append(
                Utterance.Word(
                    spoken: item.word.lowerBound + shift..<item.word.upperBound + shift,
                    range: item.range.clamped(to: range), phonemes: item.phonemes))
        }
        return Utterance(
            range: range, sentence: sentence, block: block, spoken: String(decoding: spoken, as: UTF8.self),
            words: words,
            language: tags.indices.contains(items[first].language) ? tags[items[first].language] : nil, pause: pause)
    }
}
