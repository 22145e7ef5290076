// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import MediaPlayback

/// A place in a text that is changed afterwards.
@Suite struct `A place in a changed text` {
    /// Sentences that all differ.
    private static let sentences = (0..<400).map { number in
        "Sentence \(number) tells of the \(number * 7919 % 1009) ships that left port \(number * 31 % 97) in the rain."
    }
    private static let text = sentences.joined(separator: " ")

    private final class TextFile {
        let descriptor: Int32

        init(_ text: String) throws {
            var path = Array("/tmp/rostrum-text-XXXXXX".utf8CString)
            descriptor = mkstemp(&path)
            unlink(path)
            let bytes = Array(text.utf8)
            try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        }

        deinit { close(descriptor) }
    }

    /// The byte at which some words begin.
    private func byte(of words: String, in text: String) throws -> Int64 {
        let range = try #require(text.firstRange(of: words), "“\(words)” is not there")
        return Int64(text.utf8.distance(from: text.startIndex, to: range.lowerBound))
    }

    private func place(
        of words: String, in before: String, now: String
    ) throws -> (position: Int64, match: TextContext.Match) {
        let old = try TextFile(before)
        let context = try #require(TextContext(at: try byte(of: words, in: before), in: old.descriptor))
        let new = try TextFile(now)
        return try #require(context.place(in: new.descriptor))
    }

    @Test func `stays where the words still stand`() throws {
        let words = Self.sentences[200]
        let changed = Self.text.replacing("Sentence 399", with: "The last sentence")
        let found = try place(of: words, in: Self.text, now: changed)
        let expected = try byte(of: words, in: Self.text)
        #expect(found.match == .unmoved && found.position == expected)
    }

    @Test(arguments: [0, 1, 200, 399])
    func `moves with its words`(_ number: Int) throws {
        let words = Self.sentences[number]
        let changed = "A new preface, which is long. " + Self.text.replacing("Sentence 300 ", with: "")
        let found = try place(of: words, in: Self.text, now: changed)
        let expected = try byte(of: words, in: changed)
        #expect(found.match == .moved && found.position == expected)
    }

    @Test func `moves with its words across a text of many parts`() throws {
        let words = Self.sentences[200]
        let changed = String(repeating: "Nothing of this was there. ", count: 120_000) + Self.text
        let found = try place(of: words, in: Self.text, now: changed)
        let expected = try byte(of: words, in: changed)
        #expect(found.match == .moved && found.position == expected)
    }

    @Test func `is found if the lines are broken elsewhere`() throws {
        let words = Self.sentences[200]
        let changed =
            "Title\n\n" + Self.text.replacing(" the ", with: "\n   the\t").replacing(" ships ", with: " ships\r\n")
        let found = try place(of: words, in: Self.text, now: changed)
        let expected = try byte(of: "Sentence 200 ", in: changed)
        #expect(found.match == .moved && found.position == expected)
    }

    @Test func `is the nearest of several`() throws {
        let chorus = "And the sea was as it had ever been, grey and without end. "
        var verses = Self.sentences.map { $0 + " " }
        for index in stride(from: 20, to: 400, by: 20) { verses[index] = chorus }
        let text = verses.joined()
        let old = try TextFile(text)
        let start = Int64(verses[..<200].reduce(0) { $0 + $1.utf8.count })
        // Only the chorus itself is left of the context.
        verses[199] = "Something else. "
        verses[201] = "Sentences that nobody had heard before. "
        let changed = "Preface. " + verses.joined()
        let new = try TextFile(changed)
        var context = try #require(TextContext(at: start, in: old.descriptor))
        context.before = []
        let found = try #require(context.place(in: new.descriptor))
        let expected = Int64("Preface. ".utf8.count + verses[..<200].reduce(0) { $0 + $1.utf8.count })
        #expect(found.match == .moved && found.position == expected)
    }

    @Test(arguments: ["", "One that is wholly new, and says something else about it all. "])
    func `is behind the words before it if its own are gone`(_ instead: String) throws {
        let changed = "Preface. " + Self.text.replacing(Self.sentences[200] + " ", with: instead)
        let found = try place(of: Self.sentences[200], in: Self.text, now: changed)
        let expected = try byte(of: Self.sentences[199], in: changed) + Int64(Self.sentences[199].utf8.count) + 1
        #expect(found.match == .moved && abs(found.position - expected) <= 1)
    }

    @Test func `is near the words that are left`() throws {
        // What stood around the place is gone: the sentence, and most of those beside it.
        let changed =
            "Preface. "
            + Self.text.replacing(Self.sentences[200], with: "New.").replacing(
                Self.sentences[199], with: "Other words."
            )
            .replacing(Self.sentences[201], with: "Not this either.")
        let found = try place(of: Self.sentences[200], in: Self.text, now: changed)
        let expected = try byte(of: "New.", in: changed)
        #expect(found.match == .near && abs(found.position - expected) < 200, "\(found) for \(expected)")
    }

    @Test func `is at its share of a text with no word of it`() throws {
        let changed = String(repeating: "xyzzy plugh. ", count: 1000)
        let found = try place(of: Self.sentences[200], in: Self.text, now: changed)
        #expect(found.match == .share)
        let share = Double(try byte(of: Self.sentences[200], in: Self.text)) / Double(Self.text.utf8.count)
        #expect(abs(Double(found.position) / Double(changed.utf8.count) - share) < 0.001)
    }

    @Test func `is within the text whatever is left of it`() throws {
        let old = try TextFile(Self.text)
        let size = Int64(Self.text.utf8.count)
        for position in [0, 1, size / 2, size - 1, size] {
            let context = try #require(TextContext(at: position, in: old.descriptor))
            for now in ["", "x", "   ", "Sentence", String(Self.text.prefix(300)), Self.text] {
                let file = try TextFile(now)
                let found = try #require(context.place(in: file.descriptor))
                #expect((0...Int64(now.utf8.count)).contains(found.position), "\(position) in “\(now.prefix(20))”")
            }
        }
    }

    @Test func `has no context outside of the text, or where there is none`() throws {
        let file = try TextFile("Words.")
        #expect(TextContext(at: 7, in: file.descriptor) == nil)
        #expect(TextContext(at: -1, in: file.descriptor) == nil)
        #expect(TextContext(at: 0, in: try TextFile("").descriptor) == nil)
        #expect(TextContext(at: 0, in: -1) == nil)
        #expect(TextContext(at: 6, in: file.descriptor)?.after == [])
    }
}
