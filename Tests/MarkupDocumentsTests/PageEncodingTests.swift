// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import ReadingText
import Testing

struct PageEncodingTests {
    static let cafe: [UInt8] = [0x63, 0x61, 0x66, 0xE9]

    @Test(
        arguments: [
            (Array("<p>café".utf8), nil), (Array("<p>".utf8) + cafe, nil), (Array("<p>".utf8) + cafe, "ISO-8859-1"),
            (Array("<meta charset=windows-1252><p>".utf8) + cafe, nil),
            (Array("<meta charset=utf-16><p>café".utf8), nil),
            (Array("<meta http-equiv=Content-Type content='text/html; charset=cp850'><p>caf".utf8) + [0x82], nil),
            (Array("<?xml version='1.0' encoding='macintosh'?><p>caf".utf8) + [0x8E], nil),
            ([0xEF, 0xBB, 0xBF] + Array("<p>café".utf8), "windows-1251"), ([0xFF, 0xFE] + wide("<p>café"), nil),
            ([0xFE, 0xFF] + wide("<p>café").chunked(), nil), (Array("<p>café".utf8), "no-such-encoding"),
        ] as [([UInt8], String?)])
    func `a page is decoded`(bytes: [UInt8], charset: String?) throws {
        let document = try HTMLReader.read(bytes, charset: charset, limits: ReadingLimits())
        check(document, sources: [bytes])
        #expect(document.text == Array("café".utf8))
    }

    static func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }

    @Test(
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("shift_jis", [0x93, 0xFA], "日"),
            ("gb2312", [0xC4, 0xE3], "你"),
            ("euc-kr", [0xB0, 0xA1], "가"), ("koi8-r", [0xF0], "П"),
        ] as [(String, [UInt8], String)])
    func `the transport's word counts`(charset: String, bytes: [UInt8], text: String) throws {
        let file = Array("<p>".utf8) + bytes
        let document = try HTMLReader.read(file, charset: charset, limits: ReadingLimits())
        check(document, sources: [file])
        #expect(String(decoding: document.text, as: UTF8.self) == text)
    }

    @Test func `a place in a decoded file is near`() throws {
        let line =
            Array("<p>".utf8) + (0..<300).flatMap { _ in [0xCF, 0xF0, 0xE8, 0x20] as [UInt8] } + Array("here</p>".utf8)
        let document = try HTMLReader.read(line, charset: "windows-1251", limits: ReadingLimits())
        check(document, sources: [line])
        let last = try #require(document.blocks[0].origins.last)
        #expect(abs(last.source.upperBound - (line.count - 4)) <= 32)
        #expect(document.blocks[0].origins.count > 30)
    }

    @Test func `bytes of no encoding are marked`() throws {
        let file = Array("<meta charset=utf-8><p>a".utf8) + [0xFF, 0xC0, 0x00] + Array("b".utf8)
        let document = try HTMLReader.read(file, charset: nil, limits: ReadingLimits())
        check(document, sources: [file])
        #expect(String(decoding: document.text, as: UTF8.self) == "a\u{FFFD}\u{FFFD}\u{FFFD}b")
    }
}

extension [UInt8] {
    /// The bytes with each two exchanged.
    func chunked() -> [UInt8] { stride(from: 0, to: count - 1, by: 2).flatMap { [self[$0 + 1], self[$0]] } }
}
