// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct SubtitleTests {
    @Test(arguments: [
        (
            "1\n00:00:01,000 --> 00:00:02,000\nI went <i>to</i>\nthe sea\n\n2\n00:00:02,100 --> 00:00:03,000\nand came back.\n\n"
                + "3\n00:00:03,100 --> 00:00:04,000\nNow.\n",
            ["paragraph: I went to the sea and came back.", "paragraph: Now."]
        ),
        (
            "1\n00:00:01,000 --> 00:00:02,000\nno stop\n\n2\n00:00:04,500 --> 00:00:05,000\nafter silence\n",
            ["paragraph: no stop", "paragraph: after silence"]
        ),
        (
            "1\r\n00:00:01,000 --> 00:00:02,000\r\n- Who?\r\n- {\\an8}Me &amp; you.\r\n2\r\n00:00:02,100 --> 00:00:03,000\r\nYes.\r\n",
            ["paragraph: Who?", "paragraph: Me & you.", "paragraph: Yes."]
        ),
        (
            "WEBVTT - title\nKind: captions\n\nNOTE a\nnote\n\nSTYLE\n::cue { }\n\nid\n00:01.000 --> 00:02.000 align:start\n"
                + "<v Fred>Hello, <c.red>you</c>\n\n00:02.000 --> 01:00:03.000\nthere &lt;3&nbsp;x.\n",
            ["paragraph: Hello, you there <3 x."]
        ),
        (
            "WEBVTT\n\n00:01.000 --> 00:02.000\nthe first line\n\n00:02.000 --> 00:03.000\nthe first line\nand the second<00:02.500><c> word</c>\n\n"
                + "00:03.000 --> 00:03.010\nand the second word\n\n00:03.010 --> 00:04.000\nand the second word\nis over.\n",
            ["paragraph: the first line and the second word is over."]
        ),
        (
            "1\n00:00:01,000 --> 00:00:02,000\nNo.\n\n2\n00:00:02,400 --> 00:00:03,000\nNo.\n",
            ["paragraph: No.", "paragraph: No."]
        ),
        ("1\n00:00:01,000 --> 00:00:02,000\na < b and 2 > 1 {x}\n", ["paragraph: a < b and 2 > 1 {x}"]),
    ])
    func `cues become paragraphs`(source: String, expected: [String]) throws {
        let document = try SubtitleReader.read(Array(source.utf8), limits: ReadingLimits())
        #expect(outline(document) == expected)
        check(document, source: Array(source.utf8))
    }

    @Test(arguments: [
        ("just text\n", DocumentError.Kind.format), ("WEBVTT\n", .format),
        ("1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n", .empty),
        ("1\n99999999999999:00:01,000 --> 00:00:02,000\nx", .format),
    ])
    func `a file without a cue is refused by name`(source: String, kind: DocumentError.Kind) {
        let error = #expect(throws: DocumentError.self) {
            try SubtitleReader.read(Array(source.utf8), limits: ReadingLimits())
        }
        #expect(error?.kind == kind)
    }

    @Test func `captions without any stop are divided`() throws {
        let cues = (0..<400).map {
            "\($0)\n00:\($0 / 60):\($0 % 60),000 --> 00:\($0 / 60):\($0 % 60),900\nwords of cue \($0)\n\n"
        }
        let document = try SubtitleReader.read(Array(cues.joined().utf8), limits: ReadingLimits())
        #expect(document.blocks.count > 2)
        #expect(document.blocks.allSatisfy { $0.range.count < 2000 })
    }
}
