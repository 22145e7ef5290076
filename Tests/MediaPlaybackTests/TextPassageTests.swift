// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import Testing

@testable import MediaPlayback

@Suite struct TextPassageTests {
    @Test(arguments: [
        ("One. Two.", "Two."), ("One! \n Two", "Two"), ("3.14 is more. Than 3.", "Than 3."), ("Really?? Yes", "Yes"),
        ("A heading\n\nIts text.", "Its text."), ("終わり。次の文。", "次の文。"), ("no stop at all", ""), (".", ""), ("", ""),
    ])
    func `the next sentence begins after the full stop`(_ text: String, _ rest: String) {
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes.dropFirst(PassageText(bytes).sentence), as: UTF8.self) == rest)
    }

    @Test func `a long sentence without a full stop ends between letters`() {
        let bytes = Array(String(repeating: "ü", count: 3_000).utf8.prefix(4_096))
        let length = PassageText(bytes, isCut: true).sentence
        #expect(length > 4_000 && String(validating: bytes.prefix(length), as: UTF8.self) != nil)
    }

    @Test(arguments: [
        ("One. Two.\n\nThree.", "Three."), ("One.\n  \n Two", "Two"), ("One\nTwo", ""), ("\n\nOne\n\nTwo", "Two"),
        ("", ""),
    ])
    func `the next paragraph begins after a blank line`(_ text: String, _ rest: String) {
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes.dropFirst(PassageText(bytes).paragraph), as: UTF8.self) == rest)
    }

    @Test(arguments: [("One. Two? Three", 3), ("A heading\n\nIts text. ", 2), ("\n \n", 0), ("တစ်။ နှစ်။", 2), ("", 0)])
    func `sentences are counted`(_ text: String, _ count: Int) {
        #expect(PassageText(Array(text.utf8)).sentenceCount == count)
    }

    private static let codings: [(String.Encoding, Bool)] = [
        (.utf16LittleEndian, true), (.utf16BigEndian, true), (.utf32LittleEndian, true), (.utf32BigEndian, true),
        (.utf16LittleEndian, false), (.utf16BigEndian, false), (.utf32LittleEndian, false), (.utf32BigEndian, false),
        (.utf8, true), (.utf8, false),
    ]

    @Test(arguments: codings)
    func `sentences do not depend on the encoding`(_ encoding: String.Encoding, _ hasMark: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/text.txt"
        let words = (hasMark ? "\u{FEFF}" : "") + "A heading\n\nIts text is 3.14 long! Then more. 終わり。次の文。 The end"
        let document = try #require(words.data(using: encoding))
        try document.write(to: URL(fileURLWithPath: path))
        #expect(PassageText(.file(path: path), from: 0)?.sentenceCount == 6)
        var sentences: [String] = []
        var place = 0
        while place < document.count {
            let length = try #require(PassageText(.file(path: path), from: Int64(place))).sentence
            sentences.append(String(data: document[place..<place + length], encoding: encoding) ?? "?")
            place += length
        }
        #expect(sentences.first?.hasSuffix("A heading\n\n") == true)
        #expect(
            sentences.dropFirst() == ["Its text is 3.14 long! ", "Then more. ", "終わり。", "次の文。 ", "The end"])
        // If a place lies within a letter, what begins after that letter counts.
        let width = try #require("x".data(using: encoding)).count
        let inside = try #require(PassageText(.file(path: path), from: Int64(document.count - 3 * width - 1)))
        #expect(inside.sentence == 3 * width + 1 && inside.sentenceCount == 1)
    }

    @Test func `the sentences of a text longer than the passage are not counted`() {
        #expect(PassageText(Array("One. Two.".utf8), isCut: true).sentenceCount == nil)
        #expect(PassageText(Array("One. Two.".utf8), isCut: true).sentences(upTo: 9) == 2)
    }

    @Test(.timeLimit(.minutes(1))) func `a pipe is not opened`() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let writer = Glibc.open(folder.path + "/pipe", O_RDWR | O_CLOEXEC)
        defer { close(writer) }
        #expect(PassageText(.file(path: folder.path + "/pipe"), from: 0) == nil)
    }

    @Test func `an unreadable file has no passage`() {
        #expect(PassageText(.file(path: "/nonexistent"), from: 0) == nil)
        #expect(PassageText(.url("http://example.org/a.txt", headers: []), from: 0) == nil)
    }
}
