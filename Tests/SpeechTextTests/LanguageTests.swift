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
    private static let short =
        "She had never been so far from the house, and the path behind her was hidden by tall grass."
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
        // The document's own language comes back sooner than another one comes.
        ("en", [french, short, french, short, french], ["fr", "en", "fr", "en", "fr"]),
        (nil, [english, english, french, short, french], ["en", "en", "fr", "en", "fr"]),
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

    private static let spanish = """
        Considerando que la libertad, la justicia y la paz en el mundo tienen por base el reconocimiento de la dignidad \
        intrínseca y de los derechos iguales e inalienables de todos los miembros de la familia humana, y que han proclamado.
        """
    /// The first sentence of the first article of the Universal Declaration of Human Rights.
    private static let article = [
        "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
        "en": "All human beings are born free and equal in dignity and rights.",
        "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos.",
        "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
        "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.",
        "sv": "Alla människor är födda fria och lika i värde och rättigheter.",
        "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar.",
    ]

    @Test(arguments: article.keys.sorted(), [english, german, french, spanish])
    func `a sentence in another language is told beyond doubt`(language: String, around: String) throws {
        let sentence = try #require(Self.article[language])
        let found = Self.languages(
            ReadingDocument(blocks: [around, sentence, around].map { (.paragraph, $0) }, language: nil))
        #expect(found == [found[0], language, found[0]])
    }

    @Test(arguments: [
        // Names, cries, headings and words of a language in between.
        "“ORANGE MARMALADE,”", "Rosencrantz and Guildenstern, Polonius, Laertes", "Hocus pocus, abracadabra!",
        "Santa Maria, Rio Grande, Los Angeles", "Laban skyndade", "Il barbiere di Siviglia", "ni le pied",
        "hans bröder. Så gick", "de un país independiente,", "Ja, ja.", "mal! Laban", "bir zaruret", "Boohoo! Boohoo!",
        "CHAPTER XII. Da Capo al Fine", "C'est la vie.", "Kyrie eleison. Christe eleison.",
    ])
    func `a few words go with their neighbours`(words: String) {
        for around in [Self.english, Self.german, Self.french] {
            let found = Self.languages(
                ReadingDocument(blocks: [around, words, around].map { (.paragraph, $0) }, language: nil))
            #expect(found == [found[0], found[0], found[0]])
        }
    }

    @Test(arguments: [
        // From the Spanish declaration: as a whole, it is taken for English.
        "mayor importancia para el pleno cumplimiento de dicho compromiso, La Asamblea General Proclama la presente "
            + "Declaración",
        "General Proclama la presente Declaración Universal de",
        "declarado resueltos a promover el progreso social y a elevar el nivel de vida",
    ])
    func `words that are taken for the document's language stay with their neighbours`(words: String) {
        for declared in ["en", nil] {
            let document = ReadingDocument(
                blocks: [Self.english, Self.spanish, words, Self.spanish].map { (.paragraph, $0) }, language: declared)
            #expect(Self.languages(document) == ["en", "es", "es", "es"])
        }
    }

    @Test(arguments: [
        ("Good morning to you all.", "en"), ("Guten Morgen, wie geht es Ihnen heute?", "de"),
        ("Bonjour, comment allez-vous ?", "fr"),
        ("Buenos días, ¿cómo está usted?", "es"), ("God morgon, hur mår du i dag?", "sv"),
        ("Dobré ráno, jak se máte?", "cs"), ("Jó reggelt, hogy van ma?", "hu"),
        // What is less than sure is left to the engine.
        ("“ORANGE MARMALADE,”", "-"), ("Hm.", "-"), ("Ja.", "-"), ("Guten Morgen.", "-"), ("mal! Laban", "-"),
        ("bir zaruret", "-"),
        // A script without a language of its own.
        ("𐐜 𐐔𐐇𐐝𐐀𐐡𐐇𐐓 𐐙𐐊𐐡𐐝𐐓/𐐝𐐇𐐗𐐊𐐤𐐔", "-"),
    ])
    func `a few words alone tell their language if it is hardly another`(words: String, language: String) {
        #expect(Self.languages(ReadingDocument(blocks: [(.paragraph, words)], language: nil)) == [language])
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
