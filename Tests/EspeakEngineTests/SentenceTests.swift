// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EspeakEngine

struct SentenceTests {
    @Test(arguments: [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Smith met Mrs. Jones.", ["Dr. Smith met Mrs. Jones."]),
        ("J. R. R. Tolkien wrote. He did.", ["J. R. R. Tolkien wrote.", "He did."]),
        ("The U.S. Army came.", ["The U.S. Army came."]),
        ("Pi is 3.14 or so. Yes.", ["Pi is 3.14 or so.", "Yes."]),
        ("It was I. He knew.", ["It was I.", "He knew."]),
        ("1. First item here.", ["1. First item here."]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("He left… She stayed.", ["He left…", "She stayed."]),
        ("“Stop!” said he. “Why?” She ran.", ["“Stop!” said he.", "“Why?”", "She ran."]),
        ("(It rained.) He ran.", ["(It rained.)", "He ran."]),
        ("z. B. hier, d. h. dort.", ["z. B. hier, d. h. dort."]),
        ("a line\nthat goes on. Next", ["a line\nthat goes on.", "Next"]),
        ("A heading\n\nText here", ["A heading", "Text here"]),
        ("A heading\r\n\r\nText here", ["A heading", "Text here"]),
        ("one\r\nline", ["one\r\nline"]),
        ("Say\n- this\n- that", ["Say", "- this", "- that"]),
        ("page\u{0C}page", ["page", "page"]),
        ("你好。你是谁？我是。", ["你好。", "你是谁？", "我是。"]),
        ("هل انت هنا؟ نعم.", ["هل انت هنا؟", "نعم."]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("www.example.org is. It", ["www.example.org is.", "It"]),
        ("   \n\n ", []),
    ])
    func `text is cut into sentences`(text: String, sentences: [String]) throws {
        #expect(try SpokenText.sentences(text) == sentences)
    }

    @Test(arguments: ["word ", "x", "字", "a, ", "e\u{301}", "...", "\u{200D}🙂", "(", "\n", " "])
    func `text without sentences is cut as well`(unit: String) throws {
        let document = try SpokenText.document(Array(String(repeating: unit, count: 60_000).utf8))
        var reader = PhraseReader(SentenceReader(CharacterReader(document, encoding: .utf8, offset: 0)))
        var end: Int64 = 0
        while let phrase = try reader.next() {
            #expect((1...PhraseReader.longest + 200).contains(phrase.characters.count))
            let first = try #require(phrase.characters.first)
            #expect(first.offset >= end)
            end = try #require(phrase.characters.last).end
        }
        let isSpace = unit.allSatisfy(\.isWhitespace)
        #expect(isSpace ? end == 0 : end == document.size)
    }

    @Test func `the first phrase is short, and the phrases together make the sentence`() throws {
        let text = "It was the White Rabbit, trotting slowly back again, and looking anxiously about as it went along."
        let document = try SpokenText.document(Array(text.utf8))
        var reader = PhraseReader(SentenceReader(CharacterReader(document, encoding: .utf8, offset: 0)))
        let first = try #require(try reader.next())
        #expect(SpokenText.string(first.characters) == "It was the White Rabbit, ")
        #expect(first.sentence == 0..<document.size)
        #expect(first.endsWithPause)
        let second = try #require(try reader.next())
        #expect(SpokenText.string(first.characters) + SpokenText.string(second.characters) == text)
        #expect(second.sentence == nil)
        #expect(try reader.next() == nil)
    }
}
