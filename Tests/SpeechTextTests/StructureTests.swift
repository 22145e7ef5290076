// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText
import Testing

struct StructureTests {
    private static let pauses = SpeechPauses()

    @Test(
        arguments: [
            ([(.paragraph, "One. Two."), (.paragraph, "Three.")], [350, 700, 700]),
            ([(.paragraph, "One."), (.heading, "Title"), (.paragraph, "Two.")], [1200, 900, 700]),
            ([(.listItem, "One."), (.listItem, "Two."), (.paragraph, "Three.")], [450, 450, 700]),
            ([(.paragraph, "One."), (.sceneBreak, "* * *"), (.paragraph, "Two.")], [1600, 700]),
            // An ornament that the document does not know for one.
            ([(.paragraph, "One."), (.paragraph, "* * *"), (.paragraph, "Two.")], [1600, 700]),
            ([(.verse, "Roses are red,\nviolets are blue."), (.paragraph, "Two.")], [180, 700, 700]),
            ([(.code, "let a\nlet b"), (.paragraph, "Two.")], [300, 700, 700]), ([(.table, "a\tb\nc\td")], [300, 700]),
            ([(.heading, "Part One\nThe Sea"), (.paragraph, "Two.")], [300, 900, 700]),
            ([(.quote, "One."), (.note, "Two.")], [700, 700]),
            ([(.sceneBreak, ""), (.paragraph, "Two.")], [700]), ([(.paragraph, ""), (.paragraph, " \n ")], []),
        ] as [([(TextBlock.Kind, String)], [Int])])
    func `structure is heard as silence`(blocks: [(TextBlock.Kind, String)], pauses: [Int]) {
        let document = ReadingDocument(blocks: blocks.map { (kind: $0.0, text: $0.1) })
        var settings = SpeechSettings()
        settings.skipped = []
        #expect(document.utterances(settings: settings).map(\.pause) == pauses)
    }

    @Test(arguments: [(250, 250), (0, 0), (-5, 0), (60_000, 10_000), (Int.max, 10_000)])
    func `a document's own pause holds within bounds`(asked: Int, heard: Int) {
        var document = ReadingDocument(blocks: [(.paragraph, "One."), (.paragraph, "Two.")])
        document.blocks[0].pause = asked
        #expect(document.utterances().map(\.pause) == [heard, 700])
        // A pause without text lengthens the one before it.
        document = ReadingDocument(blocks: [(.paragraph, "One."), (.pause, ""), (.paragraph, "Two.")])
        document.blocks[1].pause = asked
        #expect(document.utterances().map(\.pause) == [max(700, heard), 700])
    }

    @Test func `pauses are the listener's`() {
        var settings = SpeechSettings()
        settings.pauses.sentence = 11
        settings.pauses.paragraph = 22
        #expect(ReadingDocument("One. Two.\n\nThree.").utterances(settings: settings).map(\.pause) == [11, 22, 22])
    }

    // MARK: - What is left out

    @Test(arguments: SpeechSettings.Part.allCases)
    func `a part is skipped by its setting alone`(part: SpeechSettings.Part) {
        let kinds: [SpeechSettings.Part: TextBlock.Kind] = [
            .notes: .note, .code: .code, .formulas: .formula, .tables: .table, .captions: .caption,
        ]
        var document = ReadingDocument(blocks: [
            (.paragraph, "Body."), (kinds[part] ?? .paragraph, "Part."), (.paragraph, "More."),
        ])
        if part == .frontMatter { document.blocks[1].matter = .front }
        if part == .backMatter { document.blocks[1].matter = .back }
        var settings = SpeechSettings()
        settings.skipped = []
        let whole = document.utterances(settings: settings)
        #expect(whole.map(\.spoken) == ["Body.", "Part.", "More."])
        settings.skipped = [part]
        let rest = document.utterances(settings: settings)
        // What is left keeps its place.
        #expect(rest.map(\.range) == [whole[0].range, whole[2].range])
        #expect(rest.map(\.block) == [0, 2])
        let skips = ScriptMaker(settings: settings).skips(in: document)
        #expect(document.blocks.map(skips) == [false, true, false])
    }

    @Test func `front matter is read if there is nothing else`() {
        var document = ReadingDocument(blocks: [(.paragraph, "Imprint.")])
        document.blocks[0].matter = .front
        #expect(document.spoken() == "Imprint.")
    }

    @Test func `emoji are silent or said by name`() {
        var settings = SpeechSettings()
        let document = ReadingDocument("Well done 🎉 all.")
        #expect(document.spoken() == "Well done all.")
        settings.saysEmoji = true
        #expect(document.spoken(settings: settings) == "Well done party popper all.")
    }

    // MARK: - Pronunciations of the document

    private static func document(_ text: String, _ part: String, _ speech: Pronunciation.Speech) -> ReadingDocument {
        var document = ReadingDocument(text)
        document.blocks[0].pronunciations = [Pronunciation(text.range(part), speech)]
        return document
    }

    @Test(
        arguments: [
            ("The WWW is big.", "WWW", .words("World Wide Web"), "The World Wide Web is big."),
            ("Ask SQL now.", "SQL", .spelled, "Ask S Q L now."),
            ("Say 1,5 now.", "1,5", .spelled, "Say 1 , 5 now."),
            ("A tomato.", "tomato", .phonemes("təˈmeɪtoʊ"), "A tomato."),
            // What makes no sense is left as it is.
            ("A tomato.", "tomato", .phonemes("☃"), "A tomato."), ("A tomato.", "tomato", .phonemes(""), "A tomato."),
            ("A word.", "word", .words(""), "A."),
        ] as [(String, String, Pronunciation.Speech, String)])
    func `the document says how words are said`(text: String, part: String, speech: Pronunciation.Speech, said: String)
    {
        let document = Self.document(text, part, speech)
        #expect(document.spoken() == said)
        for utterance in document.utterances() {
            for word in utterance.words { #expect(utterance.range.clamped(to: word.range) == word.range) }
        }
    }

    @Test func `sounds are turned into those of the voice, and unknown ones are told`() {
        let tomato = Self.document("A tomato.", "tomato", .phonemes("təˈmeɪtoʊ"))
        #expect(tomato.utterances().flatMap(\.words).map(\.phonemes) == [nil, "t@'meItoU"])
        var warnings: [String] = []
        warnings = ScriptMaker().make(Self.document("A tomato.", "tomato", .phonemes("☃"))) { _ in }.warnings
        #expect(warnings == ["the document's sounds \"☃\" are left out, as some of them are not known"])
    }

    @Test func `words of another language are an utterance of their own`() {
        let text = "He said bon appétit to us."
        let document = Self.document(text, "bon appétit", .language("fr-FR"))
        let utterances = document.utterances()
        #expect(utterances.map(\.spoken) == ["He said", "bon appétit", "to us."])
        #expect(utterances.map(\.language) == ["en", "fr-FR", "en"])
        #expect(utterances.map(\.pause) == [0, 0, 700])
        #expect(Set(utterances.map(\.sentence)) == [0..<text.utf8.count])
        #expect(Self.document(text, "bon appétit", .language("no tag!")).utterances().count == 1)
    }

    @Test func `the listener's word goes before the document's`() throws {
        let dictionary = try PronunciationDictionary(parsing: Array("www = the web".utf8))
        #expect(
            Self.document("The WWW is big.", "WWW", .words("World Wide Web")).spoken(dictionary: dictionary)
                == "The the web is big.")
    }

    @Test func `pronunciations that overlap or lie outside are left out`() {
        var document = ReadingDocument("One two three.\n\nFour.")
        document.blocks[0].pronunciations = [
            Pronunciation(0..<7, .words("A")), Pronunciation(4..<13, .words("B")), Pronunciation(0..<3, .words("C")),
            Pronunciation(5..<5, .words("D")), Pronunciation(8..<900, .words("E")), Pronunciation(16..<20, .words("F")),
        ]
        #expect(document.spoken() == "A three. | Four.")
    }

    // MARK: - Making

    @Test func `making ends where it is told to`() {
        let document = ReadingDocument(String(repeating: "One. Two.\n\n", count: 100))
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try ScriptMaker().make(document) { (_: Utterance) throws(Enough) in
                count += 1
                if count == 7 { throw Enough() }
            }
        }
        #expect(count == 7)
        count = 0
        let outcome = ScriptMaker(isInterrupted: { true }).make(document) { _ in count += 1 }
        #expect(!outcome.isComplete && count == 0 && outcome.utterances == 0)
        let whole = ScriptMaker().make(document) { _ in count += 1 }
        #expect(whole.isComplete && whole.utterances == 200 && count == 200)
    }
}
