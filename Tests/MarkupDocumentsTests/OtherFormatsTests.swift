// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import ReadingText
import Testing

struct OtherFormatsTests {
    static let fb2 = """
        <?xml version="1.0" encoding="UTF-8"?>
        <FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" xmlns:l="http://www.w3.org/1999/xlink"><description><title-info>
        <author><first-name>Anna</first-name><last-name>Petrova</last-name></author><book-title>Повесть</book-title><lang>ru</lang>
        </title-info></description><body><title><p>Повесть</p><p>о доме</p></title><section><title><p>Глава 1</p></title>
        <epigraph><p>Эпиграф</p><text-author>Автор</text-author></epigraph><p>Текст<a l:href="#n1" type="note">[1]</a>.</p><empty-line/>
        <poem><stanza><v>Раз</v><v>Два</v></stanza></poem><section><title><p>Часть</p></title><p>Ещё &mdash; &nbsp;да.</p></section>
        </section></body><body name="notes"><section id="n1"><title><p>1</p></title><p>Сноска</p></section></body>
        <binary id="x">AAAA</binary></FictionBook>
        """

    @Test func `a FictionBook`() throws {
        let bytes = Array(Self.fb2.utf8)
        let document = try FB2Reader.read(bytes, limits: ReadingLimits())
        check(document, sources: [bytes])
        #expect(document.title == "Повесть")
        #expect(document.author == "Anna Petrova")
        #expect(document.language == "ru")
        #expect(document.warnings == [])
        #expect(
            outline(document) == [
                "heading1: Повесть\nо доме", "heading1: Глава 1", "quote: Эпиграф", "quote: Автор", "paragraph: Текст.",
                "note: Сноска",
                "sceneBreak: ", "verse: Раз\nДва", "heading2: Часть", "paragraph: Ещё — да.",
            ])
        #expect(document.sections.map(\.title) == ["Повесть о доме", "Глава 1", "Часть"])
    }

    @Test func `a FictionBook in an archive`() throws {
        let book = BookFixture(files: [("книга.fb2", Self.fb2)])
        let document = try FB2Reader.read(book.bytes, limits: ReadingLimits())
        #expect(document.members == ["книга.fb2"])
        #expect(document.title == "Повесть")
    }

    @Test(arguments: [
        (
            "<speak xml:lang='en'><p><s>One.</s> <s>Two.</s></p><p>Three</p></speak>",
            ["paragraph: One. Two.", "paragraph: Three"], []
        ),
        (
            "<speak>a <sub alias='World Wide Web'>WWW</sub></speak>", ["paragraph: a WWW"],
            ["WWW = words(\"World Wide Web\")"]
        ),
        ("<speak><say-as interpret-as='characters'>abc</say-as> d</speak>", ["paragraph: abc d"], ["abc = spelled"]),
        (
            "<speak><phoneme alphabet='ipa' ph='təˈmɑːtəʊ'>tomato</phoneme></speak>", ["paragraph: tomato"],
            ["tomato = phonemes(\"təˈmɑːtəʊ\")"]
        ),
        ("<speak><phoneme alphabet='x-sampa' ph='t@'>tomato</phoneme></speak>", ["paragraph: tomato"], []),
        (
            "<speak xml:lang='en'>a <lang xml:lang='fr'>b <emphasis>c</emphasis></lang></speak>", ["paragraph: a b c"],
            ["b c = language(\"fr\")"]
        ),
        ("plain <break/> words", ["paragraph: plain", "paragraph: words"], []),
        ("<speak>&lt;a&gt; &amp; &eacute;</speak><speak>b</speak>", ["paragraph: <a> & é", "paragraph: b"], []),
        (
            "<!DOCTYPE s [<!ENTITY x SYSTEM 'file:///etc/hostname'><!ENTITY y 'boo'>]><speak>a &x; &y; b</speak>",
            ["paragraph: a &x; &y; b"], []
        ),
    ])
    func `text with markup for speech`(ssml: String, blocks: [String], speech: [String]) throws {
        let bytes = Array(ssml.utf8)
        let document = try SSMLReader.read(bytes, limits: ReadingLimits())
        check(document, sources: [bytes])
        #expect(outline(document) == blocks)
        #expect(pronunciations(document) == speech)
    }

    @Test(
        arguments: [
            ("<break time='500ms'/>", 500), ("<break time='1.5s'/>", 1500), ("<break time='1h'/>", 10_000),
            ("<break strength='strong'/>", 700),
            ("<break time='x'/>", 350), ("<break strength='none'/>", nil),
            ("<break time='1s'/><break time='1s'/>", 2000),
        ] as [(String, Int?)])
    func `pauses`(element: String, pause: Int?) throws {
        let document = try SSMLReader.read(Array("<speak>a \(element) b</speak>".utf8), limits: ReadingLimits())
        #expect(document.blocks[0].pause == pause)
        #expect(document.blocks.count == (pause == nil ? 1 : 2))
    }

    @Test func `DAISY 3`() throws {
        let package = """
            <package xmlns="http://openebook.org/namespaces/oeb-package/1.0/"><metadata><dc-metadata
            xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:Title>x</dc:Title><dc:title>Talking</dc:title><dc:language>en</dc:language></dc-metadata>
            </metadata><manifest><item id="t" href="t.xml" media-type="application/x-dtbook+xml"/></manifest><spine/></package>
            """
        let text = """
            <?xml version="1.0"?><!DOCTYPE dtbook PUBLIC "-//NISO//DTD dtbook 2005-3//EN" "http://example.invalid/dtbook.dtd">
            <dtbook xmlns="http://www.daisy.org/z3986/2005/dtbook/"><head><title>no</title></head><book><bodymatter><level1><h1>One</h1>
            <pagenum id="p1">1</pagenum><p><linenum>5</linenum>Text<noteref idref="#n1">1</noteref>.</p><level2><h2>Two</h2><list><li>a</li></list></level2>
            <note id="n1"><p>Note</p></note></level1></bodymatter></book></dtbook>
            """
        let document = try DAISYReader.read(
            BookFixture(files: [("b.opf", package), ("t.xml", text)]).bytes, limits: ReadingLimits())
        check(document, sources: [Array(text.utf8)])
        #expect(document.title == "Talking")
        #expect(
            outline(document) == ["heading1: One", "paragraph: Text.", "note: Note", "heading2: Two", "listItem1: a"])
        #expect(pages(document) == ["1: Text."])
    }

    @Test func `DAISY 2.02`() throws {
        let ncc = """
            <html><head><title>no</title><meta name="dc:title" content="Talking"/><meta name="dc:creator" content="Ann"/></head><body>
            <h1 id="a"><a href="s.smil#x">One</a></h1></body></html>
            """
        let smil = "<smil><body><seq><par><text src='text.html#x'/><audio src='a.mp3'/></par></seq></body></smil>"
        let text =
            "<html lang='en'><body><h1 id='x'>One</h1><p>Words<span class='page-normal' id='p'>iv</span> of one.</p></body></html>"
        let book = BookFixture(files: [("ncc.html", ncc), ("s.smil", smil), ("text.html", text)])
        let document = try DAISYReader.read(book.bytes, limits: ReadingLimits())
        check(document, sources: [Array(text.utf8)])
        #expect(document.title == "Talking")
        #expect(document.author == "Ann")
        #expect(outline(document) == ["heading1: One", "paragraph: Words of one."])
        #expect(pages(document) == ["iv: of one."])
        #expect(try MarkupFormat.zip.read(book.bytes, limits: ReadingLimits()) == document)
    }

    @Test(
        arguments: [
            ("<!doctype html><p>x", "a", .html), ("\u{FEFF} <!-- c --><HTML>", "a.txt", .html), ("<p>x</p>", "", .html),
            ("x", "a.HTM", .html),
            ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "a", .xhtml),
            ("<FictionBook>", "a.xml", .fb2),
            ("<?xml version='1.0'?><speak>", "x", .ssml), ("words", "x.ssml", .ssml), ("words", "x.txt", nil),
            ("<svg>", "x.svg", nil),
            ("a < b and </p>", "x.md", nil), ("PK\u{3}\u{4}", "x.epub", .epub), ("PK\u{3}\u{4}", "x.fb2.zip", .fb2),
            ("PK\u{3}\u{4}", "x.zip", .zip),
            ("PK\u{3}\u{4}", "x.docx", nil), ("<html " + String(repeating: "x", count: 5000), "x", .html),
            ("<m:html>", "x", .html),
        ] as [(String, String, MarkupFormat?)])
    func `a format is told`(text: String, name: String, format: MarkupFormat?) {
        #expect(MarkupFormat.detect(Array(text.utf8), name: name) == format)
    }

    @Test func `an EPUB says so itself`() {
        #expect(MarkupFormat.detect(BookFixture.epub([("a.xhtml", "x")]).bytes, name: "book.zip") == .epub)
    }
}
