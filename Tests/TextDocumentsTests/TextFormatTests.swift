// SPDX-License-Identifier: Apache-2.0

import ReadingText
import Testing
import TextDocuments

struct TextFormatTests {
    @Test(arguments: [
        ("%PDF-1.4\n", "x.txt", TextFormat.pdf), ("junk\n%PDF-1.7", "x", .pdf), ("WEBVTT\n\n", "x", .webVTT),
        ("\u{FEFF}WEBVTT - t", "x", .webVTT), ("WEBVTTX", "x", .plain),
        ("1\n00:00:01,000 --> 00:00:02,000\nx", "x.txt", .srt),
        ("a\n", "b.MD", .markdown), ("a\n", "dir.md/b", .plain), ("a", "b.tex", .latex), ("a", "b.srt", .srt),
        ("% c\n  \\documentclass{a}\n", "b", .latex), ("The \\documentclass command", "b", .plain), ("", "a", .plain),
        ("Grüße", "a.txt", .plain),
    ])
    func `a format is told by its beginning, then by its name`(text: String, name: String, format: TextFormat) {
        #expect(TextFormat.detect(Array(text.utf8), name: name) == format)
    }

    @Test(arguments: [
        [UInt8](repeating: 0, count: 100), [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1], Array("OggS".utf8) + [0, 2, 0, 0],
        [0x50, 0x4B, 3, 4] + Array("mimetypeapplication/epub+zip".utf8), (0..<200).map { UInt8($0) },
    ])
    func `a file that is no text has no format`(bytes: [UInt8]) {
        #expect(TextFormat.detect(bytes, name: "a.txt") == nil)
    }

    @Test func `wide encodings are texts, and their content counts`() throws {
        let file = try TextEncodingTests.encode("1\n00:00:01,000 --> 00:00:02,000\nHello\n", "UTF-16")
        #expect(TextFormat.detect(file, name: "a") == .srt)
        #expect(try outline(TextFormat.srt.read(file, limits: ReadingLimits())) == ["paragraph: Hello"])
        #expect(TextFormat.detect(try TextEncodingTests.encode("Any text at all", "UTF-32"), name: "a") == .plain)
    }
}
