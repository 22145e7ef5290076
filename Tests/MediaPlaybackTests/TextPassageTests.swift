// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MediaPlayback

@Suite struct TextPassageTests {
    @Test(arguments: [
        ("One. Two.", "Two."), ("One! \n Two", "Two"), ("3.14 is more. Than 3.", "Than 3."), ("Really?? Yes", "Yes"),
        ("A heading\n\nIts text.", "Its text."), ("終わり。次の文。", "次の文。"), ("no stop at all", ""), (".", ""), ("", ""),
    ])
    func `the next sentence begins behind the stop`(_ text: String, _ rest: String) {
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes.dropFirst(TextPassage(bytes).sentence), as: UTF8.self) == rest)
    }

    @Test func `a long one without a stop ends between letters`() {
        let bytes = Array(String(repeating: "ü", count: 3_000).utf8.prefix(4_096))
        let length = TextPassage(bytes).sentence
        #expect(length > 4_000 && String(validating: bytes.prefix(length), as: UTF8.self) != nil)
    }

    @Test(arguments: [
        ("One. Two.\n\nThree.", "Three."), ("One.\n  \n Two", "Two"), ("One\nTwo", ""), ("\n\nOne\n\nTwo", "Two"),
        ("", ""),
    ])
    func `the next paragraph begins behind a blank line`(_ text: String, _ rest: String) {
        let bytes = Array(text.utf8)
        #expect(String(decoding: bytes.dropFirst(TextPassage(bytes).paragraph), as: UTF8.self) == rest)
    }

    @Test(arguments: [("One. Two? Three", 3), ("A heading\n\nIts text. ", 2), ("\n \n", 0), ("တစ်။ နှစ်။", 2), ("", 0)])
    func `sentences are counted`(_ text: String, _ count: Int) {
        #expect(TextPassage(Array(text.utf8)).sentenceCount == count)
    }

    @Test func `what cannot be read is no passage`() {
        #expect(TextPassage(.file(path: "/nonexistent"), from: 0) == nil)
        #expect(TextPassage(.url("http://example.org/a.txt", headers: []), from: 0) == nil)
    }
}
