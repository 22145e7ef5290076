// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Glibc
import ReadingText
import SpeechScript
import Testing

@testable import MediaPlayback
@testable import PlaybackCore

/// A text that was made into a document.
@Suite struct TextDocumentTests {
    private static let text = "One two. Three four. Five six."

    static func file() -> SharedDescriptor {
        var path = Array("/tmp/rostrum-document-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        return SharedDescriptor(owning: file)
    }

    /// The sentences begin at 0, 9 and 21; nothing is said of the last one's first word.
    static func document() throws -> TextDocument {
        let script = file()
        var writer = try ScriptFileWriter(
            descriptor: script.rawValue,
            of: ReadingDocument(
                text: Array(text.utf8), blocks: [TextBlock(.paragraph, 0..<30)],
                sections: [TextSection(title: "Only", level: 1, start: 0)]))
        for range in [0..<8, 9..<20, 26..<30] {
            try writer.append(
                Utterance(range: range, sentence: range.lowerBound == 26 ? 21..<30 : range, block: 0, spoken: "x"))
        }
        try writer.finish()
        return TextDocument(
            text: file(), script: script, title: "Title", author: "Author",
            sections: [.init(title: "First", level: 1, start: 0), .init(title: "Second", level: 1, start: 9)],
            pages: [
                .init(label: "xii", start: 4), .init(label: "1", start: 9), .init(label: "2", start: 9),
                .init(label: "A1", start: 21), .init(label: "1", start: 26),
            ])
    }

    private static func media() throws -> LoadedMedia {
        var content = Content(uri: "file:///a.txt", kind: .text, tracks: [], title: "a")
        content.document = try document()
        return LoadedMedia(
            content: content,
            description: MediaDescription(
                title: "engine's", author: nil,
                tracks: [
                    TrackDescription(
                        timeline: TimelineTrack(unitsPerSecond: 10, duration: 30, confidence: .estimated),
                        format: AudioFormat(sampleRate: 22_050, channels: 1), encoding: .int16, codec: "text",
                        title: nil)
                ], chapters: [], nativeRates: nil))
    }

    @Test func `title, author and chapters are the document's`() throws {
        let media = try Self.media()
        #expect(media.title == "Title" && media.author == "Author")
        #expect(media.timeline.chapters.map(\.title) == ["First", "Second"])
        #expect(media.timeline.chapters.map(\.start) == [0, 9])
    }

    @Test(arguments: [(0, 0), (4, 0), (9, 9), (15, 9), (19, 9), (27, 21)] as [(Int64, Int64)])
    func `a rewound text begins with a sentence`(_ place: Int64, _ start: Int64) throws {
        let media = try Self.media()
        let position = MediaPosition(track: 0, units: place)
        #expect(media.position(of: .rewound(position, seconds: 0), from: position)?.units == start)
        #expect(media.position(of: .position(position), from: position) == position)
    }

    @Test(
        arguments: [
            (0, nil), (3, nil), (4, "xii"), (8, "xii"), (9, "2"), (20, "2"), (25, "A1"), (26, "1"), (1000, "1"),
        ] as [(Int64, String?)])
    func `a place is on the last page that begins before it`(_ place: Int64, _ label: String?) throws {
        let document = try Self.document()
        #expect(document.pageIndex(at: place).map { document.pages[$0].label } == label)
    }

    @Test(
        arguments: [("xii", 4), ("XII", 4), ("1", 9), ("2", 9), ("a1", 21), ("3", nil), ("", nil)] as [(String, Int64?)]
    )
    func `a page is found by its number`(_ label: String, _ place: Int64?) throws {
        let media = try Self.media()
        #expect(media.position(of: .page(label), from: .start)?.units == place)
        guard place == nil else { return }
        let error = #expect(throws: PlaybackError.self) {
            try MediaPlaybackController.position(of: .page(label), from: .start, in: media)
        }
        #expect(error?.kind == .noInput)
        #expect(error?.message == "no page \(label): “Title” has pages xii to 1")
    }

    @Test func `a text without pages, and a recording, say so`() throws {
        var media = try Self.media()
        media.content.document?.pages = []
        func failure() -> PlaybackError? {
            return #expect(throws: PlaybackError.self) {
                try MediaPlaybackController.position(of: .page("3"), from: .start, in: media)
            }
        }
        #expect(failure() == PlaybackError(.noInput, message: "no page 3: “Title” does not say its pages"))
        media.content.document = nil
        #expect(failure() == PlaybackError(.usage, message: "page:3: “engine's” is no text; give a time"))
    }

    @Test(
        arguments: [(.sentence, 1, 0), (.sentence, 2, 9), (.sentence, 3, 26), (.paragraph, 1, 0)]
            as [(SpokenUnit, Int, Int64)])
    func `a sentence or paragraph is found by its number`(_ unit: SpokenUnit, _ number: Int, _ place: Int64)
        async throws
    {
        #expect(try await Self.document().start(of: unit, number: number, in: "Title") == place)
    }

    @Test(
        arguments: [
            (.sentence, 4, "no sentence 4: “Title” has 3"), (.paragraph, 2, "no paragraph 2: “Title” has 1"),
            (.sentence, .max, "no sentence \(Int.max): “Title” has 3"), (.sentence, 0, "no sentence 0: “Title” has 3"),
        ] as [(SpokenUnit, Int, String)])
    func `one that is not there is refused with their number`(_ unit: SpokenUnit, _ number: Int, _ message: String)
        async throws
    {
        let document = try Self.document()
        let error = await #expect(throws: PlaybackError.self) {
            try await document.start(of: unit, number: number, in: "Title")
        }
        #expect(error == PlaybackError(.noInput, message: message))
    }

    @Test func `a sentence of a long text is found, and a script that is cut off has none`() async throws {
        let file = Self.file()
        var writer = try ScriptFileWriter(
            descriptor: file.rawValue,
            of: ReadingDocument(
                text: [UInt8](repeating: 0x78, count: 100_000), blocks: [TextBlock(.paragraph, 0..<100_000)]))
        for start in stride(from: 0, to: 100_000, by: 2) {
            try writer.append(Utterance(range: start..<start + 2, sentence: start..<start + 2, block: 0, spoken: "x"))
        }
        try writer.publish()
        var document = TextDocument(text: Self.file(), script: file)
        #expect(try await document.start(of: .sentence, number: 49_999, in: "T") == 99_996)
        let error = await #expect(throws: PlaybackError.self) {
            try await document.start(of: .sentence, number: 50_001, in: "T")
        }
        #expect(
            error?.message == "no sentence 50001 among the 50000 of “T” that are known: its script ends too early")
        // A maker that says it is done although the script is not.
        let making = ScriptMaking(end: 100_000) {}
        making.end(.success(()))
        document.making = making
        await #expect(throws: PlaybackError.self) { try await document.start(of: .sentence, number: 50_001, in: "T") }
        try writer.finish()
        #expect(try await document.start(of: .sentence, number: 50_000, in: "T") == 99_998)
    }

    @Test func `a place at which nothing is said stays`() throws {
        let document = try Self.document()
        #expect(document.sentenceStart(at: 22) == nil)
        #expect(document.sentenceStart(at: 100) == nil)
        #expect(document.sentenceStart(at: -1) == nil)
    }
}
