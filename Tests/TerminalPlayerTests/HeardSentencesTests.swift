// SPDX-License-Identifier: Apache-2.0

import FakeSession
import SessionProtocol
import Testing

@testable import TerminalPlayer

/// The sentences that the plain player prints as they are heard.
@Suite struct HeardSentencesTests {
    private static let recording = "file:///books/moby"
    private static let words = "Call me Ishmael. Some years\nago. Never mind how long."

    /// Three sentences, said at 10, 20 and 30 s.
    private static func passage(grade: String = "aligned") -> TextPassage {
        TextPassage(
            uri: "file:///texts/moby.epub", size: Int64(words.utf8.count), offset: 0, text: words,
            sentences: [
                .init(start: 0, end: 16, atMs: 10_000), .init(start: 17, end: 32, atMs: 20_000),
                .init(start: 33, end: 53, atMs: 30_000),
            ], recording: .init(uri: recording, grade: grade, errorMs: 200))
    }

    private static func status(
        _ uri: String = recording, atMs position: Int64 = 0, is state: String = "playing", rate: Double = 1,
        heard: Int64? = nil
    ) -> Status {
        .paused.with {
            $0.status = state
            $0.intent = "play"
            $0.rate = rate
            $0.item = .init(uri: uri, title: "Moby Dick", author: nil)
            $0.position = .init(ms: position, provenance: "heard")
            $0.duration = .init(ms: 100_000, confidence: "exact")
            $0.chapter = nil
            $0.text = heard.map { .init(offset: $0, length: 4) }
        }
    }

    /// A narrator that follows what plays, and has asked for its text.
    private static func narrator(_ status: Status, _ passage: TextPassage?) -> PlainNarrator {
        var narrator = PlainNarrator()
        _ = narrator.lines(for: status, at: 0)
        // Nobody wants to read along yet.
        #expect(narrator.following(at: 0).commands.isEmpty && narrator.nextChange(0) == nil)
        _ = narrator.follow(true)
        let (lines, commands) = narrator.following(at: 0)
        #expect(lines.isEmpty && commands.map(\.1) == [.text(.follow)])
        if let passage { narrator.take(followed: .success(passage)) }
        return narrator
    }

    @Test func `are those that a recording says, each at its time and once`() throws {
        var narrator = Self.narrator(Self.status(atMs: 8000), Self.passage())
        #expect(narrator.following(at: 0).lines == [] && narrator.nextChange(0) == 2000)
        #expect(narrator.following(at: 1999).lines == [])
        #expect(narrator.following(at: 2001).lines == ["Call me Ishmael."])
        #expect(narrator.following(at: 5000).lines == [] && narrator.nextChange(5000) == 7000)
        #expect(narrator.following(at: 12_001).lines == ["Some years ago."])
        // A seek, and another speed.
        _ = narrator.lines(for: Self.status(atMs: 28_000, rate: 2), at: 13_000)
        #expect(narrator.following(at: 13_000).lines == [] && narrator.nextChange(13_000) == 1000)
        #expect(narrator.following(at: 14_001).lines == ["Never mind how long."])
    }

    @Test func `behind the part of the text that is known are asked for, and not without end`() {
        var part = Self.passage()
        part.size = 5000
        var narrator = Self.narrator(Self.status(atMs: 20_500), part)
        #expect(narrator.following(at: 0).lines == ["Some years ago."])
        let (lines, commands) = narrator.following(at: 10_000)
        #expect(lines == [] && commands.map(\.1) == [.text(.follow)])
        narrator.take(followed: .success(part))
        #expect(narrator.following(at: 10_100).commands.isEmpty)
        #expect(narrator.following(at: 12_000).commands.map(\.1) == [.text(.follow)])
    }

    @Test(arguments: ["anchored", "proportional", "unknown"])
    func `are not guessed where the recording was not compared`(grade: String) {
        var narrator = Self.narrator(Self.status(atMs: 12_000), Self.passage(grade: grade))
        #expect(narrator.following(at: 0).lines == [])
        #expect(narrator.following(at: 9000).lines == [])
    }

    @Test func `wait while nothing is heard, and end with the wish`() {
        var narrator = Self.narrator(Self.status(atMs: 12_000), Self.passage())
        #expect(narrator.following(at: 0).lines == ["Call me Ishmael."])
        _ = narrator.lines(for: Self.status(atMs: 15_000, is: "paused"), at: 3000)
        #expect(narrator.following(at: 30_000).lines == [] && narrator.nextChange(30_000) == nil)
        _ = narrator.lines(for: Self.status(atMs: 20_500), at: 40_000)
        _ = narrator.follow(false)
        #expect(narrator.following(at: 41_000).lines == [] && narrator.nextChange(41_000) == nil)
    }

    @Test func `are those of a text that is read aloud, whose place is asked for again and again`() {
        let uri = "file:///a.txt"
        var passage = Self.passage()
        (passage.uri, passage.recording) = (uri, nil)
        for index in passage.sentences.indices { passage.sentences[index].atMs = nil }
        var narrator = Self.narrator(Self.status(uri, heard: 5), passage)
        let (lines, commands) = narrator.following(at: 1000)
        #expect(lines == ["Call me Ishmael."] && commands.map(\.1) == [.status])
        #expect(narrator.nextChange(1000) == 400 && narrator.following(at: 1100).commands.isEmpty)
        _ = narrator.lines(for: Self.status(uri, heard: 22), at: 1400)
        #expect(narrator.following(at: 1400).lines == ["Some years ago."])
        // Between two sentences none is heard.
        _ = narrator.lines(for: Self.status(uri, heard: 32), at: 1800)
        #expect(narrator.following(at: 1800).lines == [])
    }

    @Test func `of another item are not taken, and one that has no text is asked once`() {
        var narrator = Self.narrator(Self.status("file:///books/other", atMs: 12_000), Self.passage())
        #expect(narrator.following(at: 0).lines == [])
        narrator.take(followed: .failure(SessionError(.badContent, "“Other” is no text, and has none")))
        for time in [1000, 5000, 60_000] as [Int64] { #expect(narrator.following(at: time).commands.isEmpty) }
    }

    @Test func `of a recording are said by the command text, too`() {
        var narrator = PlainNarrator()
        _ = narrator.lines(for: Self.status(atMs: 21_000), at: 0)
        #expect(narrator.sentences(Self.passage(), at: 0) == ["Some years ago.", "Never mind how long."])
        #expect(narrator.sentences(Self.passage(), at: 9500) == ["Never mind how long."])
    }
}
