// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct MarkdownTests {
    @Test(arguments: [
        ("# One *two*\n\ntext\n\nThree\n-----\n", ["heading1: One two", "paragraph: text", "heading2: Three"]),
        ("A line\nand `code` **goes**\non.", ["paragraph: A line and code goes on."]),
        ("hard  \nbreak", ["paragraph: hard\nbreak"]),
        ("a \\* b &amp; c &copy; d &#65;", ["paragraph: a * b & c © d A"]),
        ("&copy;&eacute; \\\\ \\_x\\_", ["paragraph: ©é \\ _x_"]),
        ("[a *b*](http://x.y \"title\") and <http://z.org> www.q.com", ["paragraph: a b and http://z.org www.q.com"]),
        ("![a picture](x.png)", ["caption: a picture"]),
        ("see ![it](x.png) here", ["paragraph: see it here"]),
        ("- a\n- b\n  - c\n    more\n\n1. d\n", ["listItem1: a", "listItem1: b", "listItem2: c more", "listItem1: d"]),
        ("- [x] done\n- [ ] ~~open~~\n", ["listItem1: done", "listItem1: open"]),
        ("> a\n> b\n>\n> - c\n", ["quote: a b", "listItem1: c"]),
        ("a\n\n***\n\nb", ["paragraph: a", "sceneBreak: ", "paragraph: b"]),
        ("```swift\nlet a = 1\n\n  b\n```\n\n    c d\n", ["code: let a = 1\n  b", "code: c d"]),
        ("```math\nx^2\n```", ["formula: x^2"]),
        ("| a | b |\n|---|---|\n| 1 | *2* \\| 3 |\n| | 4 |\n", ["table: a, b\n1, 2 | 3\n4"]),
        ("<div>\nhidden\n</div>\n\nb<b>old</b> x<br>y <!-- z -->", ["paragraph: bold x\ny"]),
        (
            "a[^x] b\n\nc[^x][^y]\n\n[^x]: Note *one*.\n\n    More.\n[^y]: Two.\n",
            ["paragraph: a b", "note: Note one.", "note: More.", "paragraph: c", "note: Two."]
        ),
        ("日本語の*文*です。\n次の行。", ["paragraph: 日本語の文です。 次の行。"]),
    ])
    func `markup becomes blocks`(source: String, expected: [String]) throws {
        let document = try MarkdownReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(outline(document) == expected)
        check(document, source: Array(source.utf8))
    }

    @Test func `origins are the bytes of the file where they are the same`() throws {
        let source = "---\ntitle: T\n---\n> - *deep* words\n>   and **more** &amp; \\* x\n"
        let document = try MarkdownReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(outline(document) == ["listItem1: deep words and more & * x"])
        let block = try #require(document.blocks.first)
        let exact = block.origins.filter { $0.range.count == $0.source.count }
        let words = exact.map { String(decoding: document.text[$0.range], as: UTF8.self) }
        #expect(
            words == ["deep", " words", "and", "more", "*", "x"] || words == ["deep", "words", "and", "more", "* x"])
        let entity = try #require(block.origins.first { $0.range.count != $0.source.count })
        #expect(Array(source.utf8)[entity.source].elementsEqual("&amp;".utf8))
        check(document, source: Array(source.utf8))
    }

    @Test(arguments: [
        ("---\ntitle: \"A: B\" # x\nauthor: [One, Two]\nlang: en-GB\n---\n\nText", "A: B", "One, Two", "en-GB"),
        ("---\nauthor:\n- name: One\n- Two\ntitle: 'It'\n...\nText", "It", "One, Two", nil),
        ("---\n\nText\n\n---\n", nil, nil, nil), ("---\nText: no end", nil, nil, nil), ("Text\n", nil, nil, nil),
    ])
    func `front matter is metadata, not text`(source: String, title: String?, author: String?, language: String?) throws
    {
        let document = try MarkdownReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(document.title == title && document.author == author && document.language == language)
        #expect(String(decoding: document.text, as: UTF8.self).hasPrefix("Text"))
    }

    @Test func `headings begin sections`() throws {
        let source = "# A\n\n## B\n\ntext\n\n### *C* `d`\n\n> # no section\n"
        let document = try MarkdownReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(sections(document) == ["1 A", "2 B", "3 C d"])
    }

    @Test(arguments: [
        String(repeating: ">", count: 5000) + " a", String(repeating: "- ", count: 5000) + "a",
        String(repeating: "1. ", count: 300) + String(repeating: "> ", count: 300) + "a",
    ])
    func `too deep nesting is refused`(source: String) {
        let error = #expect(throws: DocumentError.self) {
            try MarkdownReader.read(Array(source.utf8), limits: ReadingLimits())
        }
        #expect(error?.kind == .tooLarge)
    }

    @Test(arguments: [
        String(repeating: "*a _b ", count: 20_000), String(repeating: "[", count: 50_000),
        String(repeating: "![", count: 20_000), String(repeating: "`", count: 50_000) + "a",
        String(repeating: "<", count: 50_000), String(repeating: "a|", count: 20_000),
        String(repeating: "|", count: 20_000) + "\n" + String(repeating: "|-", count: 20_000),
        String(repeating: "-", count: 100_000),
        String(repeating: "&amp", count: 30_000),
        String(repeating: "|x", count: 50_000) + "\n" + String(repeating: "|-", count: 50_000),
        String(repeating: "a\u{0}", count: 1000),
        String(repeating: "[^a]", count: 5000) + "\n\n[^a]: x", String(repeating: "\\", count: 50_000),
    ])
    func `text that is costly to parse comes to an end`(source: String) {
        let clock = ContinuousClock()
        let time = clock.measure { _ = readHostile(Array(source.utf8), .markdown) }
        #expect(time < .seconds(20))
    }

    @Test(.enabled(if: Corpus.folder != nil, "there is no ../shared/media"))
    func `real texts are read, their origins exact`() throws {
        let files = Corpus.files("markdown")
        #expect(!files.isEmpty)
        for path in files {
            let file = try #require(bytes(ofFile: path))
            let document = try MarkdownReader.read(file, limits: ReadingLimits())
            check(document, source: file)
            let exact = document.blocks.flatMap(\.origins).filter { $0.range.count == $0.source.count }
            let share = exact.reduce(0) { $0 + $1.range.count }
            #expect(share * 100 >= document.text.count * 90, "\(path)")
        }
    }
}
