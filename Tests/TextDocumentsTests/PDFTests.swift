// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct PDFTests {
    private typealias Line = PDFFixture.Line

    private static func read(_ fixture: PDFFixture) throws -> ReadingDocument {
        let document = try PDFReader.read(fixture.bytes, limits: ReadingLimits())
        check(document, source: nil)
        return document
    }

    @Test func `lines make paragraphs, and hyphens at their ends are mended`() throws {
        let page =
            PDFFixture.column(
                [
                    "A paragraph of some words, the last of which is divi-",
                    "ded by a hyphen and goes on to the second line of",
                    "a text with a well-known word at the end, a well-", "known one. It ends here.",
                ], x: 72, y: 700)
            + PDFFixture.column(
                ["Another paragraph begins below a greater gap, and it", "has two lines."], x: 72, y: 640)
        let document = try Self.read(PDFFixture(pages: [page]))
        #expect(
            outline(document) == [
                "paragraph: A paragraph of some words, the last of which is divided by a hyphen and goes on to the second line of "
                    + "a text with a well-known word at the end, a well-known one. It ends here.",
                "paragraph: Another paragraph begins below a greater gap, and it has two lines.",
            ])
        #expect(document.members == ["page 1"])
        let exact = document.blocks.flatMap(\.origins).filter { $0.range.count == $0.source.count }
        #expect(exact.first?.source == 0..<1)
    }

    @Test func `columns are read one after the other, and a paragraph goes on in the next`() throws {
        let left = (0..<20).map { "left column line number \($0) with words" }
        let right = (0..<20).map { "right column line number \($0) of words" }
        let page = PDFFixture.column(left, x: 60, y: 700) + PDFFixture.column(right, x: 330, y: 700)
        let document = try Self.read(PDFFixture(pages: [page]))
        #expect(outline(document) == ["paragraph: " + (left + right).joined(separator: " ")])
    }

    @Test func `heads, feet and page numbers are left out, and paragraphs go on over pages`() throws {
        let words = ["first", "second", "third", "fourth", "fifth", "sixth"]
        let pages = (0..<6).map { number in
            [Line(x: 250, y: 760, size: 9, text: number % 2 == 0 ? "The Running Head" : "Another Head")]
                + PDFFixture.column(
                    (0..<30).map { "\(words[number]) page and line \($0) of a text that goes on and on over the" },
                    x: 72, y: 720)
                + [Line(x: 300, y: 30, size: 9, text: "\(number + 11)")]
        }
        let document = try Self.read(PDFFixture(pages: pages))
        let text = String(decoding: document.text, as: UTF8.self)
        #expect(document.blocks.count == 1)
        #expect(
            !text.contains("Head") && !text.contains("over the 11") && text.contains("over the second page and line 0"))
        #expect(document.members.count == 6)
        let starts = document.pages.map { page in
            "\(page.label): " + String(decoding: document.text[page.start...].prefix { $0 != 0x20 }, as: UTF8.self)
        }
        #expect(starts == words.enumerated().map { "\($0 + 1): \($1)" })
        #expect(Set(document.blocks.flatMap(\.origins).map(\.member)).count == 6)
    }

    @Test func `greater and bold letters are headings; the outline says which are sections`() throws {
        let body = (0..<10).map { "line \($0) of the text that stands below a heading of some kind" }
        let page =
            [
                Line(x: 72, y: 740, size: 20, text: "A Great Title"),
                Line(x: 72, y: 700, size: 14, text: "1. Introduction"),
            ]
            + PDFFixture.column(body, x: 72, y: 675)
            + [Line(x: 72, y: 530, size: 10, text: "A Bold Heading", isBold: true)]
            + PDFFixture.column(body, x: 72, y: 510) + [Line(x: 72, y: 360, size: 14, text: "2. Methods")]
            + PDFFixture.column(body, x: 72, y: 335)
        var fixture = PDFFixture(pages: [page], title: "paper.dvi")
        var document = try Self.read(fixture)
        #expect(document.title == nil)
        #expect(sections(document) == ["1 A Great Title", "2 1. Introduction", "3 A Bold Heading", "2 2. Methods"])
        fixture.outline = ["Introduction", "Methods"]
        fixture.title = "The Paper"
        document = try Self.read(fixture)
        #expect(document.title == "The Paper")
        #expect(sections(document) == ["1 Introduction", "1 Methods"])
        #expect(document.blocks.count { $0.kind == .heading } == 4)
    }

    @Test func `lists, captions, notes and tables of contents have kinds`() throws {
        let body = (0..<12).map { "line \($0) of the text that stands on a page with other things" }
        let contents = (1...6).map { "Chapter \($0) . . . . . . . . . . . . . . . . . . . . . \($0 * 10)" }
        let page =
            PDFFixture.column(body, x: 72, y: 740)
            + PDFFixture.column(["- an item of a list", "- another item"], x: 80, y: 590)
            + [Line(x: 72, y: 540, size: 10, text: "Figure 1: A picture of the town.")]
            + PDFFixture.column(
                ["1 A note at the foot", "of the page.", "2 A second note."], x: 72, y: 80, size: 7, pitch: 9)
        let document = try Self.read(PDFFixture(pages: [PDFFixture.column(contents, x: 72, y: 700), page]))
        let kinds = document.blocks.filter { $0.matter == .body }.map(\.kind)
        #expect(kinds == [.paragraph, .listItem, .listItem, .caption, .note, .note])
        #expect(document.blocks.count { $0.matter == .front } == 6)
    }

    @Test func `a PDF that cannot be read is refused by name`() {
        let line = Line(x: 72, y: 700, size: 10, text: "Words.")
        let cases: [([UInt8], DocumentError.Kind)] = [
            (PDFFixture(pages: [[line]], isEncrypted: true).bytes, .encrypted),
            (PDFFixture(pages: [[], []]).bytes, .empty),
            (Array("%PDF-1.4\nnothing".utf8), .corrupt), ([], .corrupt),
        ]
        for (file, kind) in cases {
            let error = #expect(throws: DocumentError.self) { try PDFReader.read(file, limits: ReadingLimits()) }
            #expect(error?.kind == kind)
        }
        let error = #expect(throws: DocumentError.self) {
            try PDFReader.read(PDFFixture(pages: [[line]]).bytes, limits: ReadingLimits { true })
        }
        #expect(error?.kind == .interrupted)
    }
}
