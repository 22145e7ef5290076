// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Glibc
import PassageMap
import PlaybackCore
import ReadingText
import SpeechScript
import Testing

@testable import MediaPlayback

/// The work that `book.m4b` and `book.txt` are; nothing else has another side.
struct FakeWorks: WorkFinding {
    private typealias Passage = PassageMap.Passage

    var document: TextDocument
    var map = PassageMap([
        Passage(sound: 0..<10, text: 0..<9, grade: .aligned, error: 0.2),
        Passage(sound: 10..<30, text: 9..<21, grade: .aligned, error: 0.2),
        Passage(sound: 30..<100, text: 21..<30, grade: .aligned, error: 0.25),
    ])
    var present = [0]
    var lengths: [Int64] = [100_000]
    /// Holds, as “work”, whoever reads the text.
    var gate: Gate?

    static let recording = WorkSide(uri: "book.m4b", kind: .audio, items: ["book.m4b"], title: "Book")
    static let text = WorkSide(uri: "book.txt", kind: .text, items: ["book.txt"], title: "Text")

    /// Returns a document of sentences.
    static func document(_ sentences: String...) throws -> TextDocument {
        let text = sentences.joined(separator: " ")
        let (file, script) = (try file(of: text), try self.file(of: ""))
        let document = ReadingDocument(
            text: Array(text.utf8), blocks: [TextBlock(.paragraph, 0..<text.utf8.count)], sections: [])
        var writer = try ScriptFileWriter(descriptor: script.rawValue, of: document)
        var place = 0
        for sentence in sentences {
            let range = place..<place + sentence.utf8.count
            try writer.append(Utterance(range: range, sentence: range, block: 0, spoken: sentence))
            place = range.upperBound + 1
        }
        try writer.finish()
        return TextDocument(text: file, script: script)
    }

    private static func file(of text: String) throws -> SharedDescriptor {
        var path = Array("/tmp/rostrum-work-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        let bytes = Array(text.utf8)
        try #require(write(file, bytes, bytes.count) == bytes.count)
        return SharedDescriptor(owning: file)
    }

    init() throws { document = try TextDocumentTests.document() }

    let revision = 0

    func counterpart(of uri: String, kind: ContentKind) async -> WorkSide? {
        switch uri {
        case "book.m4b": Self.text
        case "book.txt": Self.recording
        default: nil
        }
    }

    func missingParts(of recording: String) async -> [MediaPosition] {
        Work.missingParts(of: timeline, present: present).map(\.start)
    }

    func learn(_ document: TextDocument, of uri: String) async {}

    private var timeline: BookTimeline {
        BookTimeline(
            tracks: lengths.map { TimelineTrack(unitsPerSecond: 1000, duration: $0, confidence: .exact) }, chapters: [])
    }

    func work(of uri: String, kind: ContentKind, with other: WorkSide) async throws(PlaybackError) -> Work {
        await gate?.pass("work")
        return known
    }

    var known: Work {
        Work(
            recording: Self.recording, text: Self.text, document: document, map: map, timeline: timeline,
            present: present)
    }
}
