// SPDX-License-Identifier: Apache-2.0

import SpeechScript
import Testing

@Suite struct `Sentences and paragraphs` {
    /// Two paragraphs: a sentence in two breaths and a short one, then another one.
    private static let utterances = [
        Utterance(range: 0..<5, sentence: 0..<9, block: 0, spoken: "a"),
        Utterance(range: 5..<9, sentence: 0..<9, block: 0, spoken: "b"),
        Utterance(range: 10..<14, sentence: 10..<14, block: 0, spoken: "c"),
        Utterance(range: 20..<24, sentence: 20..<24, block: 3, spoken: "d"),
    ]

    @Test(
        arguments: [(.sentence, [true, false, true, true]), (.paragraph, [true, false, false, true])]
            as [(SpokenUnit, [Bool])])
    func `are counted where they begin`(unit: SpokenUnit, begins: [Bool]) {
        var count = SpokenUnitCount(unit)
        #expect(Self.utterances.map { count.take($0) } == begins)
        #expect(count.count == begins.count { $0 })
    }
}
