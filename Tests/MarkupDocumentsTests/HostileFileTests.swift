// SPDX-License-Identifier: Apache-2.0

import Glibc
import MarkupDocuments
import ReadingText
import Synchronization
import Testing

struct HostileFileTests {
    @Test(arguments: [
        "div", "b", "p", "span", "table", "svg", "blockquote", "li", "section", "select", "h1", "math", "x-y",
    ])
    func `very many elements within one another`(tag: String) throws {
        let html = "<!doctype html><body><p>Start</p>" + String(repeating: "<\(tag)>", count: 30_000) + "end"
        let start = ContinuousClock.now
        readHostile(Array(html.utf8), .html)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test(arguments: [("<speak>", "<p>", MarkupFormat.ssml), ("<FictionBook><body>", "<section>", .fb2)])
    func `XML within XML`(head: String, tag: String, format: MarkupFormat) throws {
        let document = try format.read(
            Array((head + String(repeating: tag, count: 100_000) + "<p>end").utf8), limits: ReadingLimits())
        #expect(document.text == Array("end".utf8))
    }

    /// Each of them could be looked for up to the end of the file.
    @Test(arguments: ["<!--a>", "<![CDATA[>", "<![>", "<?a>", "<!'[>"])
    func `very many beginnings without an end`(beginning: String) {
        let text =
            "<FictionBook><body><p>start" + String(repeating: beginning, count: 20_000) + "</p></body></FictionBook>"
        for format in [MarkupFormat.fb2, .html] {
            let start = ContinuousClock.now
            readHostile(Array(text.utf8), format)
            #expect(ContinuousClock.now - start < .seconds(20), "\(format)")
        }
    }

    /// The parser takes the reference for another one, and each letter with an accent is a place of its own in the map.
    @Test func `very many words that cannot be aligned`() throws {
        let words = String(repeating: "aé  b ", count: 4000)
        let html = "<!doctype html><meta charset=iso-8859-1><body><p>Some words first.</p><p>&notit; \(words)</p>"
        let bytes = html.unicodeScalars.map { UInt8($0.value) }
        let start = ContinuousClock.now
        let document = try HTMLReader.read(bytes, charset: nil, limits: ReadingLimits())
        check(document, sources: [bytes])
        #expect(document.text.suffix(5).elementsEqual("aé b".utf8))
        #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `a tag of a hundred thousand attributes`() throws {
        let words = (0..<100_000).map { "a\($0)=1" }.joined(separator: " ")
        #expect(try page("<p \(words)>x</p>").text == Array("x".utf8))
    }

    @Test func `no entity of the file's own is expanded`() throws {
        let lines = (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 - 1);", count: 10))\">" }.joined()
        let document = try FB2Reader.read(
            Array("<!DOCTYPE x [<!ENTITY a0 'ha'>\(lines)]><FictionBook><body><p>&a9; x</p></body></FictionBook>".utf8),
            limits: ReadingLimits())
        #expect(document.text == Array("&a9; x".utf8))
    }

    @Test func `a member that unpacks to more than is read`() {
        var limits = ReadingLimits()
        limits.memberSize = 1 << 20
        let book = BookFixture.epub([("a.xhtml", "<p>" + String(repeating: "a", count: 2 << 20))])
        #expect(
            failure { () throws(DocumentError) in try EPUBReader.read(book.bytes, limits: limits) }?.kind == .tooLarge)
        limits = ReadingLimits()
        limits.unpackedSize = 3 << 20
        let chapters = (0..<4).map { ("\($0).xhtml", "<p>" + String(repeating: "a", count: 1 << 20)) }
        #expect(
            failure { () throws(DocumentError) in try EPUBReader.read(BookFixture.epub(chapters).bytes, limits: limits)
            }?.kind == .tooLarge)
    }

    @Test func `too many members`() {
        var limits = ReadingLimits()
        limits.members = 10
        let book = BookFixture.epub([("a.xhtml", "<p>a</p>")], others: (0..<20).map { ("x\($0)", "") })
        #expect(
            failure { () throws(DocumentError) in try EPUBReader.read(book.bytes, limits: limits) }?.kind == .tooLarge)
    }

    @Test(arguments: ["../out.xhtml", "/abs.xhtml", "a/../../out.xhtml"])
    func `no name leads out of the archive`(name: String) throws {
        let book = BookFixture.epub(
            [("a.xhtml", "<p>in</p>")], items: "<item id='o' href='../\(name)' media-type='text/html'/>",
            others: [(name, "<p>out</p>"), ("OPS/a.xhtml", "<p>twice</p>")])
        let document = try EPUBReader.read(book.bytes, limits: ReadingLimits())
        #expect(document.text == Array("in".utf8))
        #expect(document.warnings.count == 2)
    }

    @Test(
        arguments: [
            ([], .corrupt), ([(name: "META-INF/container.xml", text: BookFixture.container)], .corrupt),
            (
                [(name: "META-INF/container.xml", text: BookFixture.container), (name: "OPS/book.opf", text: "<x/>")],
                .corrupt
            ),
            (BookFixture.epub([("a.xhtml", "<img src='x'/>")]).files, .empty), (BookFixture.epub([]).files, .corrupt),
        ] as [([(name: String, text: String)], DocumentError.Kind)])
    func `no book`(files: [(name: String, text: String)], kind: DocumentError.Kind) {
        let bytes = BookFixture(files: files).bytes
        #expect(
            failure { () throws(DocumentError) in try EPUBReader.read(bytes, limits: ReadingLimits()) }?.kind == kind)
    }

    @Test func `a limit of text`() {
        var limits = ReadingLimits()
        limits.textSize = 1000
        let html = Array("<p>\(String(repeating: "word ", count: 1000))</p>".utf8)
        #expect(
            failure { () throws(DocumentError) in try HTMLReader.read(html, charset: nil, limits: limits) }?.kind
                == .tooLarge)
        limits = ReadingLimits()
        limits.blocks = 10
        let many = Array(String(repeating: "<p>word</p>", count: 100).utf8)
        #expect(
            failure { () throws(DocumentError) in try HTMLReader.read(many, charset: nil, limits: limits) }?.kind
                == .tooLarge)
    }

    @Test(arguments: [1, 2, 5, 20, 100])
    func `reading ends when it is to`(question: Int) throws {
        let count = Mutex(0)
        let limits = ReadingLimits(isInterrupted: {
            count.withLock { count in
                count += 1
                return count >= question
            }
        })
        let html = Array(String(repeating: "<p>word <b>more</b></p>", count: 100_000).utf8)
        #expect(
            failure { () throws(DocumentError) in try HTMLReader.read(html, charset: nil, limits: limits) }?.kind
                == .interrupted)
    }

    @Test(arguments: [1, 2, 3, 5, 8, 13])
    func `changed bytes do no harm`(seed: UInt64) {
        var random = Random(state: seed)
        let epub = BookFixture.epub(
            EPUBTests.chapters, items: EPUBTests.navItem, others: [("OPS/nav.xhtml", BookFixture.xhtml(EPUBTests.nav))])
        let html = Array(
            "<html lang=en><h1 class='a b'>T&amp;</h1><p>x<br>y<a href='#n'>1</a></p><table><tr><td>1<td>2</table><p id=n>n"
                .utf8)
        for (bytes, format) in [
            (epub.bytes, MarkupFormat.epub), (Array(OtherFormatsTests.fb2.utf8), .fb2), (html, .html), (html, .ssml),
        ] {
            for _ in 0..<100 {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let place = Int.random(in: 0..<changed.count, using: &random)
                    changed[place] = UInt8.random(in: 0...255, using: &random)
                }
                readHostile(changed, format)
                readHostile(Array(bytes[..<Int.random(in: 0..<bytes.count, using: &random)]), format)
            }
        }
    }
}

/// Numbers that are the same at each run.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
