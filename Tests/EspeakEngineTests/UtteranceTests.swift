// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EspeakEngine

struct UtteranceTests {
    private func spoken(_ text: String) -> String {
        String(decoding: EspeakUtterance(SpokenText.characters(text)[...]).text, as: UTF8.self)
    }

    @Test(arguments: [
        "Hello, world.", "It’s “well-known” (yes) – no?", "3.14 and 1,234,567.89", "naïve Straße 你好 नमस्ते 🙂",
        "U.S.A. and e.g. this", "http://example.com/foo?x=1", "می‌خواهم", "C++ & D#",
    ])
    func `common text is unchanged`(text: String) {
        let expected = text == "C++ & D#" ? "C+ & D#" : text
        #expect(spoken(text) == expected)
    }

    @Test(arguments: [
        ("a\r\n b", "a b"), ("a\u{0}\u{7}b", "a b"), ("beep..", "beep…"), ("wait.....what", "wait…what"),
        ("-----", "—"), ("a--b", "a—b"), ("!?!?!?!?", "!?!?"),
        ("!!!!", "!!"), ("\u{E000}x\u{FFFE}y", "x y"), ("so\u{AD}ft\u{200B}er", "softer"),
        ("e" + String(repeating: "\u{301}", count: 50), "e\u{301}\u{301}\u{301}\u{301}"),
        ("s's's's's's", "s's s's s's"), ("🙂🙂🙂", "🙂"), ("🙂👩🏽", "🙂 👩 🏽"), ("   ", ""),
        (
            String(repeating: "x", count: 90),
            [40, 40, 10].map { String(repeating: "x", count: $0) }.joined(separator: " ")
        ),
    ])
    func `sequences that crash libespeak-ng are replaced`(text: String, expected: String) {
        #expect(spoken(text) == expected)
    }

    @Test func `a chain of initials is cut`() {
        let text = spoken(String(repeating: "a.b.", count: 40))
        #expect(text.count { $0 == "." } == EspeakUtterance.mostStops)
    }

    @Test(arguments: ["naïve 🙂 a\r\n\r\nb … 1.5", "a\u{0}\u{0}b....c", "字字 e\u{301}\u{301}\u{301}\u{301}\u{301}x"])
    func `each character has its origin in the phrase`(text: String) throws {
        let characters = SpokenText.characters(text)
        let utterance = EspeakUtterance(characters[...])
        let scalars = Array(String(decoding: utterance.text, as: UTF8.self).unicodeScalars)
        try #require(scalars.count == utterance.origins.count)
        #expect(utterance.origins == utterance.origins.sorted())
        for (scalar, origin) in zip(scalars, utterance.origins) where scalar != " " && scalar != "…" {
            #expect(characters[origin].scalar == scalar)
        }
    }

    @Test(arguments: [
        ("Hello, world", ["Hello", "world"]), ("don't well-known 3.14", ["don't", "well-known", "3.14"]),
        ("你好 ab", ["你", "好", "ab"]), ("(yes) — “no”", ["yes", "no"]), ("e\u{301}te\u{301}", ["e\u{301}te\u{301}"]),
        ("http://a.org/b", ["http", "a.org", "b"]), ("...", []),
    ])
    func `a phrase is split into words`(text: String, words: [String]) {
        let characters = SpokenText.characters(text)[...]
        #expect(Word.all(in: characters).filter(\.isSpoken).map { SpokenText.string(characters[$0.range]) } == words)
    }

    private func spokenPhrase(_ text: String, _ events: [(Int, Int)], isCut: Bool = false) -> SpokenPhrase {
        let characters = SpokenText.characters(text)[...]
        return SpokenPhrase(
            Phrase(characters: characters, sentence: nil, endsWithPause: true), utterance: EspeakUtterance(characters),
            events: events.map { Synthesizer.Event(character: $0.0, frame: $0.1) }, frames: 1000, isCut: isCut)
    }

    @Test(arguments: [
        // In order, repeated, going back, beyond the text, none at all, a word left out.
        [(0, 0), (4, 300), (8, 600)], [(0, 0), (0, 100), (4, 300), (2, 400), (8, 600)],
        [(0, 0), (4, 300), (900, 400), (-3, 500), (8, 600)],
    ])
    func `misleading events do not count`(events: [(Int, Int)]) {
        let made = spokenPhrase("one two tri.", events)
        #expect(made.segments.map(\.frames) == [0..<300, 300..<600, 600..<1000])
        #expect(made.segments.map(\.bytes) == [0..<4, 4..<8, 8..<12])
        #expect(made.segments.map(\.word) == [0..<3, 4..<7, 8..<11])
    }

    @Test func `a word without an event gets its share of the sound`() {
        let made = spokenPhrase("one two tri.", [(0, 0), (8, 600)])
        #expect(made.segments.map(\.frames) == [0..<300, 300..<600, 600..<1000])
        let silent = spokenPhrase("one two tri.", [])
        #expect(silent.segments.map(\.frames) == [0..<333, 333..<666, 666..<1000])
    }

    @Test func `a sound that was cut ends before the incomplete word`() {
        let made = spokenPhrase("one two tri.", [(0, 0), (4, 300)], isCut: true)
        #expect(made.segments.map(\.frames) == [0..<300])
        #expect(made.remainder == 4)
        let single = spokenPhrase("one two tri.", [(0, 0)], isCut: true)
        #expect(single.segments.map(\.frames) == [0..<1000])
        #expect(single.remainder == 4)
    }
}
