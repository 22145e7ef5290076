// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct PlainTextTests {
    private static let wrapped = """
        It was a bright day at the end of a long winter, and nobody in the town
        could remember a spring that had come so late. The baker opened his door
        before the bell had rung six times, and looked up at the sky.

        There was no cloud to be seen, and the smoke of the chimneys rose up as
        straight as the masts of the ships in the harbour used to stand before
        the last of them had left for the south.
        """

    @Test(arguments: [
        (
            "Chapter 1\n\nThe Beginning\n\n\(wrapped)\n\nChapter 2\n\nThe End\n\n\(wrapped)\n",
            ["1 Chapter 1: The Beginning", "1 Chapter 2: The End"]
        ),
        (
            "PART ONE\n\nCHAPTER I. The Town\n\n\(wrapped)\n\nCHAPTER II. The Sea\n\n\(wrapped)",
            ["1 PART ONE", "2 CHAPTER I. The Town", "2 CHAPTER II. The Sea"]
        ),
        ("Erstes Kapitel\n\n\(wrapped)\n\nZweites Kapitel\n\n\(wrapped)\n", ["1 Erstes Kapitel", "1 Zweites Kapitel"]),
        ("I\n\n\(wrapped)\n\nII\n\n\(wrapped)\n\nIII\n\n\(wrapped)\n", ["1 I", "1 II", "1 III"]),
        ("The Title\n=========\n\n\(wrapped)\n\nA Part\n------\n\n\(wrapped)\n", ["1 The Title", "2 A Part"]),
        ("第一章 開始\n\n何人も、自由である。\n\n第二章\n\n何人も、奴隷にされ、又は苦役に\n", ["1 第一章 開始", "1 第二章"]),
        (wrapped, []),
    ])
    func `headings begin sections`(text: String, expected: [String]) throws {
        let document = try PlainTextReader.read(Array(text.utf8), limits: ReadingLimits())
        #expect(sections(document) == expected)
        check(document, source: Array(text.utf8))
    }

    @Test func `the lines of a wrapped text make paragraphs, whose range has them all`() throws {
        let document = try PlainTextReader.read(Array(Self.wrapped.utf8), limits: ReadingLimits())
        #expect(document.blocks.map(\.kind) == [.paragraph, .paragraph])
        let parts = Self.wrapped.split(separator: "\n\n").map { "paragraph: \($0)" }
        #expect(outline(document) == parts)
    }

    @Test(arguments: [
        (
            "\(wrapped)\n\n* * *\n\n\(wrapped)\n",
            [TextBlock.Kind.paragraph, .paragraph, .sceneBreak, .paragraph, .paragraph]
        ),
        ("\(wrapped)\n\n- one thing\n- another thing\n", [.paragraph, .paragraph, .listItem, .listItem]),
        (
            "\(wrapped)\n\n    O rose so red,\n    O winter white,\n    The day has fled\n    Into the night\n",
            [.paragraph, .paragraph, .verse]
        ),
        (
            "\(wrapped)\n\n[Illustration: the harbour]\n\n[Footnote 1: Of the town.]\n",
            [.paragraph, .paragraph, .caption, .note]
        ),
        (
            "One sentence on a line.\nAnother one on the next, which is longer than it.\nA third.\n",
            [.paragraph, .paragraph, .paragraph]
        ),
    ])
    func `blocks have kinds`(text: String, kinds: [TextBlock.Kind]) throws {
        let document = try PlainTextReader.read(Array(text.utf8), limits: ReadingLimits())
        #expect(document.blocks.map(\.kind) == kinds)
        check(document, source: Array(text.utf8))
    }

    @Test func `the header and the licence of Project Gutenberg are front and back`() throws {
        let text = """
            The Project Gutenberg eBook of The Town

            Title: The Town
            Author: A. Writer
            Language: English

            *** START OF THE PROJECT GUTENBERG EBOOK THE TOWN ***

            \(Self.wrapped)

            *** END OF THE PROJECT GUTENBERG EBOOK THE TOWN ***

            You may copy it under the terms of the licence.
            """
        let document = try PlainTextReader.read(Array(text.utf8), limits: ReadingLimits())
        #expect(document.title == "The Town" && document.author == "A. Writer" && document.language == "en")
        let body = document.blocks.filter { $0.matter == .body }
        #expect(body.count == 2)
        #expect(document.blocks.first?.matter == .front && document.blocks.last?.matter == .back)
    }

    @Test func `one line of a megabyte is one paragraph`() throws {
        let text = Array(String(repeating: "word and more, ", count: 70_000).utf8)
        let document = try PlainTextReader.read(text, limits: ReadingLimits())
        #expect(document.blocks.count == 1)
        #expect(document.blocks.first?.range == 0..<text.count - 1)
    }

    @Test(
        .enabled(if: Corpus.folder != nil, "there is no ../shared/media"),
        arguments: ["plain", "udhr", "genesis", "inaugural", "nasty"])
    func `real texts are read whole`(folder: String) throws {
        let files = Corpus.files(folder)
        #expect(!files.isEmpty)
        for path in files {
            let file = try #require(bytes(ofFile: path))
            let isUTF8 = String(validating: file, as: UTF8.self) != nil
            let document = try PlainTextReader.read(file, limits: ReadingLimits())
            check(document, source: isUTF8 ? file : nil)
            if isUTF8 { #expect(document.text == file, "\(path)") }
            // Every visible character is in a block.
            var gaps = Set(document.text.indices)
            for block in document.blocks { gaps.subtract(block.range) }
            let rest = String(decoding: gaps.sorted().map { document.text[$0] }, as: UTF8.self)
            #expect(
                rest.unicodeScalars.allSatisfy {
                    $0.properties.isWhitespace || $0.value < 0x20 || "\u{FEFF}\u{200B}".unicodeScalars.contains($0)
                }, "\(path)")
        }
    }

    @Test(
        .enabled(if: Corpus.folder != nil, "there is no ../shared/media"),
        arguments: [
            ("udhr/French_Francais-Latin1.txt", "dignité"), ("udhr/German_Deutsch-Latin1.txt", "Würde"),
            ("udhr/Polish-Latin2.txt", "Artykuł"), ("udhr/Spanish-Latin1.txt", "Artículo"),
            ("udhr/Swedish_Svenska-Latin1.txt", "mänskliga"), ("udhr/Arabic_Alarabia-Arabic.txt", "المادة"),
            ("genesis/french.txt", "créa"), ("genesis/german.txt", "schuf"), ("genesis/swedish.txt", "begynnelsen"),
        ])
    func `the encodings of real texts are found`(name: String, word: String) throws {
        let folder = try #require(Corpus.folder)
        let file = try #require(bytes(ofFile: "\(folder)/\(name)"))
        let document = try PlainTextReader.read(file, limits: ReadingLimits())
        let text = String(decoding: document.text, as: UTF8.self)
        #expect(text.contains(word) && !text.contains("\u{FFFD}"))
    }

    @Test(.enabled(if: Corpus.folder != nil, "there is no ../shared/media"))
    func `a real book has its chapters`() throws {
        let folder = try #require(Corpus.folder)
        let file = try #require(bytes(ofFile: "\(folder)/plain/alice.txt"))
        let document = try PlainTextReader.read(file, limits: ReadingLimits())
        #expect(document.sections.count == 12)
        #expect(sections(document).last == "1 Chapter 12: Alice’s Evidence")
    }
}
