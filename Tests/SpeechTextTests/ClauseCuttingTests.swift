// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText
import Testing

struct ClauseCuttingTests {
    private static func utterances(_ text: String, limit: Int, language: String = "en") -> [Utterance] {
        var settings = SpeechSettings()
        settings.longestUtterance = limit
        return ReadingDocument(text, language: language).utterances(settings: settings)
    }

    @Test(arguments: [
        // At marks before words, and near the middle.
        (
            "The dog ran over the hill, the cat slept on the mat.", 40,
            "The dog ran over the hill, | the cat slept on the mat."
        ),
        (
            "The dog ran over the hill and the cat slept on the mat.", 40,
            "The dog ran over the hill | and the cat slept on the mat."
        ),
        (
            "The dog ran; the cat slept, the bird sang in the tree.", 40,
            "The dog ran; the cat slept, | the bird sang in the tree."
        ),
        (
            "He came — she went. They all were very tired of that.", 60,
            "He came — she went. | They all were very tired of that."
        ),
        (
            "One two three four five six seven eight nine ten eleven", 30,
            "One two three four five six | seven eight nine ten eleven"
        ),
        // A number is not cut.
        ("It has 123456789012 parts of one kind or another in it.", 60, nil),
        // Short enough.
        (
            "The dog ran over the hill, the cat slept on the mat.", 60,
            "The dog ran over the hill, the cat slept on the mat."
        ),
    ])
    func `a long sentence is cut where a reader breathes`(text: String, limit: Int, expected: String?) {
        let utterances = Self.utterances(text, limit: limit)
        if let expected {
            #expect(utterances.map(\.spoken).joined(separator: " | ") == expected)
        } else {
            for utterance in utterances { #expect(Set(utterance.words.map(\.range)).isDisjoint(with: [7..<10])) }
        }
        #expect(utterances.last?.range.upperBound == text.utf8.count)
    }

    @Test func `clauses of a sentence have its range and a short silence`() {
        let text = "The dog ran over the hill, the cat slept on the mat and the bird sang in the old tree."
        let utterances = Self.utterances(text, limit: 40)
        #expect(utterances.count == 3)
        #expect(Set(utterances.map(\.sentence)) == [0..<text.utf8.count])
        #expect(utterances.map(\.pause) == [120, 0, 700])
    }

    @Test(arguments: ["zh", "ja", "th"])
    func `scripts without spaces are cut between words`(language: String) {
        let sentences = [
            "zh": "今天天气很好我们去公园玩然后回家", "ja": "今日は天気がいいので公園に行って遊びました", "th": "วันนี้อากาศดีเราไปเที่ยวกันที่สวนสาธารณะ",
        ]
        let text = String(repeating: sentences[language] ?? "", count: 20)
        let utterances = Self.utterances(text, limit: 90, language: language)
        #expect(utterances.count > 5)
        // East Asian characters take the time of three.
        for utterance in utterances { #expect(utterance.spoken.unicodeScalars.count <= (language == "th" ? 90 : 30)) }
        #expect(utterances.map(\.spoken).joined() == text)
    }

    @Test(arguments: [0, -7, 1, Int.max])
    func `a limit that makes no sense is bounded`(limit: Int) {
        let text = String(repeating: "word after word, ", count: 2000)
        let utterances = Self.utterances(text, limit: limit)
        for utterance in utterances { #expect(utterance.spoken.utf8.count <= (limit == .max ? 4000 : 20)) }
        #expect(utterances.count >= (limit == .max ? 8 : 1500))
    }

    @Test func `a sentence of a megabyte is cut into bounded ones`() {
        let document = ReadingDocument(String(repeating: "and so on and ", count: 75_000))
        var count = 0
        var end = 0
        ScriptMaker().make(document) { utterance in
            count += 1
            #expect(utterance.spoken.utf8.count <= 200 && utterance.range.lowerBound >= end)
            end = utterance.range.upperBound
        }
        #expect(count > 5000)
        #expect(end == document.text.count - 1)
    }
}
