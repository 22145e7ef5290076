// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import BookTimeline
import FileTestSupport
import Glibc
import MediaPlayback
import Testing

@testable import PairedWorks

@Suite struct `Passages without a counterpart` {
    /// A sentence of ten bytes that is read in a track, or by nobody; speech that is not in the text, and a part of that
    /// which says bytes of it again.
    enum Part: Sendable {
        case read(Int, Int64)
        case skipped
        case speech(Int, Range<Int64>)
        case again(Int, Range<Int64>, Range<Int>)
    }

    private static let voice = VoiceCalibration(
        means: [Float](repeating: 0, count: 9), deviations: [Float](repeating: 1, count: 9), book: [])

    /// Returns a step with the parts; a sentence that is read takes a second.
    private static func step(_ parts: [Part], isLast: Bool) -> AlignmentStep {
        var state = AlignmentState(voice: voice, text: 0, track: 0, step: 0)
        var step = AlignmentStep(state: state, isLast: isLast)
        for part in parts {
            let range = state.text..<state.text + 10
            switch part {
            case .read(let track, let start):
                step.sentences.append(
                    AlignedSentence(
                        range: range, track: track, start: start, end: start + 1000, error: 80, isMatched: true))
                (state.text, state.matchedTrack, state.matchedEnd) = (range.upperBound, track, start + 1000)
            case .skipped:
                step.sentences.append(
                    AlignedSentence(
                        range: range, track: state.matchedTrack, start: state.matchedEnd, end: state.matchedEnd,
                        error: 0, isMatched: false))
                state.text = range.upperBound
            case .speech(let track, let range): step.unmatched.append(UnmatchedSound(track: track, range: range))
            case .again(let track, let range, let text):
                step.repeated.append(RepeatedSound(track: track, range: range, text: text))
            }
        }
        step.state = state
        return step
    }

    private static func alignment(_ parts: [Part], isLast: Bool = true) -> Alignment {
        var alignment = Alignment(header: AlignmentHeader(text: "t", recording: "r", engine: "espeak", voice: nil))
        alignment.append(step(parts, isLast: isLast))
        return alignment
    }

    /// Returns a passage as `prologue 0 0-1000` or `skipped 0 1000 10-20`.
    private static func words(_ passage: UnmatchedPassage) -> String {
        let sound =
            passage.sound.isEmpty
            ? "\(passage.sound.lowerBound)" : "\(passage.sound.lowerBound)-\(passage.sound.upperBound)"
        let text = passage.text.map { " \($0.lowerBound)-\($0.upperBound)" } ?? ""
        return "\(passage.kind.rawValue) \(passage.track) \(sound)\(text)"
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var parts: [Part]
        var isLast = true
        var rest: Range<Int>?
        var expected: [String]
    }

    static let cases = [
        Case(testDescription: "all is read", parts: [.read(0, 0), .read(0, 1000), .read(1, 0)], expected: []),
        Case(
            testDescription: "a prologue, something added, and an epilogue",
            parts: [
                .speech(0, 0..<9000), .read(0, 10_000), .speech(0, 12_000..<15_000), .read(0, 16_000),
                .speech(1, 0..<5000),
            ], expected: ["prologue 0 0-9000", "added 0 12000-15000", "epilogue 1 0-5000"]),
        Case(
            testDescription: "it is not known yet that nothing follows",
            parts: [.read(0, 0), .speech(0, 2000..<9000)], isLast: false, expected: ["added 0 2000-9000"]),
        Case(
            testDescription: "a pause does not divide a passage, a sentence, a long pause and another file do",
            parts: [
                .speech(0, 0..<2000), .speech(0, 4000..<6000), .read(0, 7000), .speech(0, 8000..<9500),
                .read(0, 10_000),
                .speech(0, 11_000..<13_000), .speech(0, 18_000..<20_000), .speech(1, 0..<2000), .read(1, 3000),
            ],
            expected: [
                "prologue 0 0-6000", "added 0 8000-9500", "added 0 11000-13000", "added 0 18000-20000",
                "added 1 0-2000",
            ]),
        Case(
            testDescription: "sentences that are skipped one after the other are one passage",
            parts: [.skipped, .skipped, .read(0, 500), .skipped, .read(1, 0), .skipped, .skipped],
            expected: ["skipped 0 0 0-20", "skipped 0 1500 30-40", "skipped 1 1000 50-70"]),
        Case(
            testDescription: "the rest of the text is skipped",
            parts: [.read(0, 0), .skipped], rest: 25..<90, expected: ["skipped 0 1000 10-90"]),
        Case(
            testDescription: "something else is said in place of what is skipped",
            parts: [.read(0, 0), .skipped, .speech(0, 1000..<4000), .read(0, 5000)],
            expected: ["skipped 0 1000 10-20", "added 0 1000-4000"]),
        Case(
            testDescription: "a sentence is said again, and something of its own behind it",
            parts: [
                .read(0, 0), .speech(0, 2000..<9000), .again(0, 2000..<5000, 0..<10), .read(0, 10_000),
            ], expected: ["repeated 0 2000-5000 0-10", "added 0 5000-9000"]),
        Case(
            testDescription: "two sentences are said again, the later one first, and a remark before each",
            parts: [
                .read(0, 0), .read(0, 1000), .speech(0, 3000..<6000), .speech(0, 7000..<12_000),
                .again(0, 4000..<6000, 10..<20), .again(0, 9000..<12_000, 0..<10), .read(0, 13_000),
            ],
            expected: [
                "added 0 3000-4000", "repeated 0 4000-6000 10-20", "added 0 7000-9000", "repeated 0 9000-12000 0-10",
            ]),
        Case(
            testDescription: "the first sentence is begun again, and the last one is said again behind all",
            parts: [
                .speech(0, 0..<4000), .again(0, 0..<4000, 0..<10), .read(0, 5000), .read(1, 0),
                .speech(1, 2000..<8000), .again(1, 2000..<4000, 10..<20),
            ], expected: ["repeated 0 0-4000 0-10", "repeated 1 2000-4000 10-20", "epilogue 1 4000-8000"]),
        Case(
            testDescription: "repetitions that lie beside the speech, beyond it, and in another file",
            parts: [
                .read(0, 0), .speech(0, 2000..<9000), .again(0, 0..<2000, 0..<10), .again(0, 8000..<20_000, 0..<10),
                .again(1, 2000..<3000, 0..<10), .read(0, 30_000),
            ], expected: ["added 0 2000-8000", "repeated 0 8000-9000 0-10"]),
        Case(
            testDescription: "another text",
            parts: [.skipped, .speech(0, 0..<60_000)], rest: 10..<90, expected: ["skipped 0 0 0-90", "added 0 0-60000"]),
        Case(
            testDescription: "a file that was not compared",
            parts: [.speech(7, 0..<2000), .read(0, 0)], expected: []),
    ]

    @Test(arguments: cases)
    func `are listed in order of the recording`(_ example: Case) {
        let file = Self.alignment(example.parts, isLast: example.isLast)
        #expect(UnmatchedPassage.all(in: file, [0, 1], rest: example.rest).map(Self.words) == example.expected)
    }

    @Test func `name the files of the book, not those that were compared`() {
        let file = Self.alignment([.read(0, 0), .speech(1, 0..<2000)])
        #expect(UnmatchedPassage.all(in: file, [0, 3]).map(Self.words) == ["epilogue 3 0-2000"])
    }

    @Test(arguments: [
        ("Call me", true, "Call me"), (" Call\n\tme  Ishmael. ", true, "Call me Ishmael."),
        (
            "Some years ago, never mind how long precisely, having little or no money in my purse", true,
            "Some years ago, never mind how long precisely, having little…"
        ),
        ("Call me Ish\u{FFFD}", false, "Call me…"), ("", true, ""),
        (String(repeating: "語", count: 100), true, String(repeating: "語", count: 60) + "…"),
    ])
    func `have first words of one line`(text: String, isWhole: Bool, expected: String) {
        #expect(UnmatchedPassage.shortened(text, isWhole: isWhole) == expected)
    }

    @Test func `are read from the file with the words of the document`() async throws {
        let folder = try TemporaryFolder()
        let document = try Shelf.document([])
        let text = Array(Shelf.text.utf8)
        try #require(write(document.text.rawValue, text, text.count) == text.count)
        let book = Book(
            uri: "file:///b", shape: .file, title: "b",
            tracks: [
                BookTrack(
                    file: BookFile(uri: "file:///b", size: 1, modified: 1),
                    fingerprint: Fingerprint([UInt8](repeating: 1, count: Fingerprint.size)),
                    timeline: TimelineTrack(unitsPerSecond: 1000, duration: 100_000, confidence: .exact))
            ], addedAt: 0)
        let alignments = AlignmentFolder(folder: folder.path)
        let key = try #require(await alignments.key(of: book, document))
        let writer = try AlignmentWriter(
            alignments.path(key),
            AlignmentHeader(text: key.text, recording: key.recording, engine: "espeak", voice: nil))
        try writer.append(
            Self.step(
                [
                    .speech(0, 0..<3000), .read(0, 4000), .speech(0, 6000..<8000), .again(0, 6000..<8000, 0..<8),
                    .skipped,
                ],
                isLast: true))
        let read = try #require(await alignments.alignment(of: book, document))
        #expect(
            read.unmatched.map(Self.words) == [
                "prologue 0 0-3000", "skipped 0 5000 10-\(text.count)", "repeated 0 6000-8000 0-8",
            ])
        #expect(read.unmatched.map(\.words) == [nil, nil, nil], "whoever plays needs no words")
        let listed = await alignments.withWords(read.unmatched, of: document)
        #expect(listed.map(\.words) == [nil, "Call me. The Bag. I stuffed. The Spouter. Entering.", "Loomings"])
        #expect(listed.map(Self.words) == read.unmatched.map(Self.words))
    }
}
