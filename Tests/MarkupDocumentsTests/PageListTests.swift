// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import ReadingText
import Testing

/// The pages of the printed book in an EPUB.
struct PageListTests {
    private static let chapters = [
        ("one.xhtml", "<p>First<span epub:type='pagebreak' id='p2'>2</span> of all.</p><p id='p3'>Second.</p>"),
        ("two.xhtml", "<p>Third<a id='p5' hidden='hidden' role='doc-pagebreak' aria-label='5'></a> one.</p>"),
    ]

    private func read(
        _ chapters: [(name: String, body: String)] = chapters, nav: String? = nil, ncx: String? = nil
    ) throws -> ReadingDocument {
        var items = ""
        var others: [(name: String, text: String)] = []
        if let nav {
            items += EPUBTests.navItem
            others.append(("OPS/nav.xhtml", BookFixture.xhtml(nav)))
        }
        if let ncx {
            items += EPUBTests.ncxItem
            others.append(("OPS/toc.ncx", "<ncx xmlns='http://www.daisy.org/z3986/2005/ncx/'>\(ncx)</ncx>"))
        }
        let book = BookFixture.epub(chapters, items: items, others: others)
        let document = try EPUBReader.read(book.bytes, limits: ReadingLimits())
        check(document, sources: document.members.map(book.text))
        return document
    }

    @Test func `EPUB 3 lists them, in order of the text and never spoken`() throws {
        let nav = """
            <nav epub:type='toc'><ol><li><a href='one.xhtml'>One</a></li></ol></nav>
            <nav epub:type='page-list' hidden=''><ol><li><a href='two.xhtml#p5'>Page 5</a></li>
            <li><a href='one.xhtml'>xii</a></li><li><a href='one.xhtml#p2'>2</a></li><li><a href='one.xhtml#p3'>3</a></li>
            <li><a href='two.xhtml'>4</a></li><li><a href='two.xhtml#gone'>6</a></li><li><a href='lost.xhtml'>7</a></li>
            <li><a href='one.xhtml'> </a></li></ol></nav>
            """
        let document = try read(nav: nav)
        #expect(outline(document) == ["paragraph: First of all.", "paragraph: Second.", "paragraph: Third one."])
        #expect(pages(document) == ["xii: First of", "2: of all.", "3: Second.", "4: Third on", "5: one."])
        #expect(sections(document) == ["1 One: First of all"])
    }

    @Test func `EPUB 2 lists them beside its contents, also where the contents are those of EPUB 3`() throws {
        let list = """
            <pageList><pageTarget type="front" value="1"><navLabel><text>i</text></navLabel><content src="one.xhtml"/></pageTarget>
            <pageTarget type="normal" value="3"><content src="one.xhtml#p3"/></pageTarget></pageList>
            """
        let map = """
            <navMap><navPoint id="a"><navLabel><text>Old</text></navLabel><content src="two.xhtml"/></navPoint></navMap>
            """
        let old = try read(ncx: map + list)
        #expect(pages(old) == ["i: First of", "3: Second."] && sections(old) == ["1 Old: Third one."])
        let nav = "<nav epub:type='toc'><ol><li><a href='one.xhtml'>New</a></li></ol></nav>"
        let both = try read(nav: nav, ncx: map + list)
        #expect(pages(both) == pages(old) && sections(both) == ["1 New: First of all"])
    }

    @Test(
        arguments: [
            ("<p>a <span epub:type='pagebreak' title='12'/>b</p>", ["12: b"]),
            ("<p>a</p><div role='doc-pagebreak' aria-label=' page xii '></div><p>b</p>", ["xii: b"]),
            ("<p>a <span class='pagenum'><a id='Page_7'>[Pg 7]</a></span>b</p>", ["7: b"]),
            ("<p>a <span class='pagenum' style='display:none'>8</span>b</p>", []),
            ("<p>a <span class='lnum'>10</span>b</p>", []), ("<p>a <span epub:type='pagebreak' id='x'/>b</p>", []),
            ("<p>a b</p><span epub:type='pagebreak' title='9'/>", []),
        ] as [(String, [String])])
    func `without a list, their marks in the text are the pages`(body: String, expected: [String]) throws {
        let document = try read([("one.xhtml", body)])
        #expect(pages(document) == expected)
        #expect(!String(decoding: document.text, as: UTF8.self).contains { $0.isNumber })
    }

    @Test func `a target within the number of a page is found`() throws {
        let nav = "<nav epub:type='page-list'><ol><li><a href='a.xhtml#Page_7'>7</a></li></ol></nav>"
        let body = "<p>one <span class='pagenum'><a id='Page_7'>[Pg 7]</a></span>two</p>"
        #expect(pages(try read([("a.xhtml", body)], nav: nav)) == ["7: two"])
    }

    @Test(
        arguments: [
            ("12", "12"), (" [Pg 12] ", "12"), ("Page xii", "xii"), ("p. 4", "4"), ("S. 4", "4"), ("s", "s"),
            ("A-3", "A-3"),
            ("Plate 2", "Plate 2"), ("", nil), ("[]", nil), ("page", "page"),
            ("0123456789012345678901234567890123456789", nil), ("1\u{9B}2", nil), ("1\u{7F}", nil),
            (String(repeating: "p ", count: 1 << 20) + "7", nil),
        ] as [(String, String?)])
    func `a label is the number as it is printed`(text: String, label: String?) {
        #expect(TextPage.label(text) == label)
    }
}
