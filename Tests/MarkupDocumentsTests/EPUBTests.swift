// SPDX-License-Identifier: Apache-2.0

import Glibc
import MarkupDocuments
import ReadingText
import Testing

struct EPUBTests {
    static let nav = """
        <nav epub:type="toc"><ol><li><a href="one.xhtml">One</a><ol><li><a href="one.xhtml#b">Part b</a></li></ol></li>
        <li><span>Group</span><ol><li><a href="two.xhtml">Two</a></li></ol></li></ol></nav>
        <nav epub:type="landmarks"><ol><li><a epub:type="dedication" href="zero.xhtml">For</a></li></ol></nav>
        """
    static let navItem = "<item id='nav' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>"
    static let ncxItem = "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>"
    static let chapters = [
        ("zero.xhtml", "<p>For you.</p>"), ("one.xhtml", "<h2>I</h2><p>First.</p><p>Sec<a id='b'/>ond.</p>"),
        ("two.xhtml", "<p>Third.</p>"),
    ]

    func read(_ book: BookFixture) throws -> ReadingDocument {
        let document = try EPUBReader.read(book.bytes, limits: ReadingLimits())
        check(document, sources: document.members.map(book.text))
        return document
    }

    @Test func `a book has its title, its contents and its places`() throws {
        let book = BookFixture.epub(
            Self.chapters, items: Self.navItem, others: [("OPS/nav.xhtml", BookFixture.xhtml(Self.nav))])
        let document = try read(book)
        #expect(document.title == "A Book")
        #expect(document.author == "Ada Author")
        #expect(document.language == "en-GB")
        #expect(
            outline(document) == [
                "paragraph/front: For you.", "heading1: I", "paragraph: First.", "paragraph: Second.",
                "paragraph: Third.",
            ])
        #expect(sections(document) == ["1 One: I", "2 Part b: ond.", "1 Group: Third.", "2 Two: Third."])
        #expect(document.members == ["OPS/zero.xhtml", "OPS/one.xhtml", "OPS/two.xhtml"])
        #expect(document.blocks.allSatisfy { $0.language == "en-GB" })
    }

    @Test func `a book of EPUB 2 has the contents of its control file`() throws {
        let ncx = """
            <ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint id="a"><navLabel><text>One</text></navLabel>
            <content src="one.xhtml"/><navPoint id="b"><navLabel><text>Part  b</text></navLabel><content src="one.xhtml#b"/>
            </navPoint></navPoint><navPoint id="c"><navLabel><text>Two</text></navLabel><content src="two.xhtml"/></navPoint>
            </navMap></ncx>
            """
        let guide = "<reference type='dedication' href='zero.xhtml'/>"
        let document = try read(
            BookFixture.epub(Self.chapters, items: Self.ncxItem, guide: guide, others: [("OPS/toc.ncx", ncx)]))
        #expect(sections(document) == ["1 One: I", "2 Part b: ond.", "1 Two: Third."])
        #expect(outline(document).first == "paragraph/front: For you.")
    }

    @Test func `without contents, headings are the sections`() throws {
        let document = try read(
            BookFixture.epub([("a.xhtml", "<h1>A</h1><p>x</p><h2>B</h2>"), ("b.xhtml", "<h1>C</h1>")]))
        #expect(sections(document) == ["1 A: A", "2 B: B", "1 C: C"])
    }

    @Test(arguments: [
        ("cover.xhtml", "", "/front"), ("titlepage.xhtml", "", "/front"), ("copyright.xhtml", "", "/front"),
        ("ch1.xhtml", "", ""),
        ("index.xhtml", "", "/back"), ("x.xhtml", "epub:type='copyright-page'", "/front"),
        ("x.xhtml", "epub:type='colophon'", "/back"),
        ("chapter-title.xhtml", "epub:type='bodymatter'", ""), ("discover.xhtml", "", ""),
        ("preface.xhtml", "epub:type='preface'", ""),
    ])
    func `parts that a listener skips are marked`(name: String, type: String, matter: String) throws {
        let document = try read(
            BookFixture.epub([(name, "<section \(type)><p>x</p></section>"), ("z.xhtml", "<p>y</p>")]))
        #expect(outline(document) == ["paragraph\(matter): x", "paragraph: y"])
    }

    @Test func `parts out of line come at the end`() throws {
        let document = try read(
            BookFixture.epub(
                [("a.xhtml", "<p>aside</p>"), ("b.xhtml", "<p>text</p>")], spine: ["a.xhtml": "linear='no'"]))
        #expect(outline(document) == ["paragraph: text", "paragraph/back: aside"])
    }

    @Test func `Project Gutenberg's licence is around the book`() throws {
        let document = try read(
            BookFixture.epub([
                (
                    "a.xhtml",
                    "<p>This eBook is free.</p><p>*** START OF THE PROJECT GUTENBERG EBOOK A ***</p><p>text</p>"
                ),
                ("b.xhtml", "<p>last</p><div>*** END OF THE PROJECT GUTENBERG EBOOK A ***</div><p>Licence</p>"),
            ]))
        #expect(document.blocks.map(\.matter) == [.front, .front, .body, .body, .back, .back])
    }

    @Test func `notes in another file stand behind the paragraph`() throws {
        let document = try read(
            BookFixture.epub([
                (
                    "a.xhtml",
                    "<p>One<a epub:type='noteref' href='n.xhtml#n1'>1</a> two<a href='n.xhtml#n2'><sup>2</sup></a>.</p><p>Next.</p>"
                ),
                (
                    "n.xhtml",
                    "<aside epub:type='footnote' id='n1'><p>First <a href='a.xhtml#x'>1</a></p></aside><p id='n2'><a href='a.xhtml#y'>2</a> Second</p><p>Rest</p>"
                ),
            ]))
        #expect(
            outline(document) == [
                "paragraph: One two.", "note: First", "note: Second", "paragraph: Next.", "paragraph: Rest",
            ])
        #expect(document.blocks[1].origins.map(\.member) == [1])
    }

    @Test func `numbers of pages and lines are not read`() throws {
        let document = try read(
            BookFixture.epub([
                ("a.xhtml", "<p>one <span epub:type='pagebreak' id='p1'>12</span>two<span class='lnum'>10</span></p>")
            ]))
        #expect(outline(document) == ["paragraph: one two"])
    }

    @Test func `a recording goes with its text`() throws {
        let smil = """
            <smil xmlns="http://www.w3.org/ns/SMIL" version="3.0"><body>
            <par><text src="a.xhtml#s1"/><audio src="a.mp3" clipBegin="0s" clipEnd="1.5s"/></par>
            <par><text src="a.xhtml#s2"/><audio src="a.mp3" clipBegin="0:00:01.500" clipEnd="3500ms"/></par>
            <par><text src="a.xhtml#no"/><audio src="a.mp3" clipBegin="4s" clipEnd="5s"/></par>
            <par><text src="a.xhtml#d"/><audio src="a.mp3" clipBegin="5s" clipEnd="7s"/></par></body></smil>
            """
        let body = "<p><span id='s1'>One.</span> <span id='s2'>Two.</span></p><div id='d'><p>aaaa</p><p>bbbb</p></div>"
        let document = try read(
            BookFixture.epub(
                [("a.xhtml", body)], items: "<item id='mo' href='a.smil' media-type='application/smil+xml'/>",
                spine: ["item a.xhtml": "media-overlay='mo'"], others: [("OPS/a.smil", smil), ("OPS/a.mp3", "x")]))
        let recordings = document.blocks.flatMap(\.recordings).map {
            "\(words($0.range, document)) \($0.file) \($0.start) \($0.end ?? -1)"
        }
        #expect(
            recordings == [
                "One. OPS/a.mp3 0 1500", "Two. OPS/a.mp3 1500 3500", "aaaa OPS/a.mp3 5000 6000",
                "bbbb OPS/a.mp3 6000 7000",
            ])
    }

    @Test func `phonemes of the book are kept`() throws {
        let document = try read(
            BookFixture.epub([("a.xhtml", "<p ssml:alphabet='ipa'>in <span ssml:ph='ˈlɛstɚ'>Leicester</span></p>")]))
        #expect(pronunciations(document) == ["Leicester = phonemes(\"ˈlɛstɚ\")"])
    }

    @Test func `a file is read as memory is`() throws {
        let book = BookFixture.epub(Self.chapters)
        let file = try #require(tmpfile())
        defer { fclose(file) }
        let descriptor = fileno(file)
        #expect(write(descriptor, book.bytes, book.bytes.count) == book.bytes.count)
        #expect(
            try EPUBReader.read(descriptor: descriptor, limits: ReadingLimits())
                == EPUBReader.read(book.bytes, limits: ReadingLimits()))
    }

    @Test(
        arguments: [
            (
                "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/one.xhtml", "META-INF/rights.xml",
                "http://ns.adobe.com/adept", "Adobe ADEPT"
            ),
            (
                "http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OPS/one.xhtml", "META-INF/license.lcpl", "{}",
                "Readium LCP"
            ),
            (
                "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/one.xhtml", "META-INF/sinf.xml", "x",
                "Apple FairPlay"
            ),
            ("http://www.idpf.org/2008/embedding", "OPS/font.otf", "x", "", nil),
            ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OPS/sound.mp3", "META-INF/license.lcpl", "{}", nil),
        ] as [(String, String, String, String, String?)])
    func `a protected book is refused by name`(
        algorithm: String, path: String, file: String, text: String, name: String?
    ) throws {
        let encryption = """
            <encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData
            xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptionMethod Algorithm="\(algorithm)"/><e:CipherData>
            <e:CipherReference URI="\(path)"/></e:CipherData></e:EncryptedData></encryption>
            """
        let book = BookFixture.epub(Self.chapters, others: [("META-INF/encryption.xml", encryption), (file, text)])
        let failure = failure { () throws(DocumentError) in try EPUBReader.read(book.bytes, limits: ReadingLimits()) }
        #expect(failure?.kind == (name == nil ? nil : .encrypted))
        if let name { #expect(failure?.message.contains(name) == true) }
    }
}
