// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Synchronization
import Testing
import TransitionRecords

@testable import MediaPlayback

/// The work that `book.m4b` and `book.txt` are; nothing else has another side.
private struct FakeWorks: WorkFinding {
    private typealias Passage = PassageMap.Passage

    let document: TextDocument
    var map = PassageMap([
        Passage(sound: 0..<10, text: 0..<9, grade: .aligned, error: 0.2),
        Passage(sound: 10..<30, text: 9..<21, grade: .aligned, error: 0.2),
        Passage(sound: 30..<100, text: 21..<30, grade: .aligned, error: 0.25),
    ])
    var present = [0]
    var lengths: [Int64] = [100_000]

    static let recording = WorkSide(uri: "book.m4b", kind: .audio, items: ["book.m4b"], title: "Book")
    static let text = WorkSide(uri: "book.txt", kind: .text, items: ["book.txt"], title: "Text")

    init() throws { document = try TextDocumentTests.document() }

    func counterpart(of uri: String, kind: ContentKind) async -> WorkSide? {
        switch uri {
        case "book.m4b": Self.text
        case "book.txt": Self.recording
        default: nil
        }
    }

    func learn(_ document: TextDocument, of uri: String) async {}

    func work(of uri: String, kind: ContentKind, with other: WorkSide) async throws(PlaybackError) -> Work {
        Work(
            recording: Self.recording, text: Self.text, document: document, map: map,
            timeline: BookTimeline(
                tracks: lengths.map { TimelineTrack(unitsPerSecond: 1000, duration: $0, confidence: .exact) },
                chapters: []), present: present)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A recording and its text` {
    private func isNoted(_ words: String, _ rig: Rig) -> Bool {
        rig.log.entries.contains { $0.fields["message"] == .string(words) }
    }

    @Test func `go on in each other at the same passage`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        try await rig.controller.switchEngine(to: EngineID("espeak"))
        var state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.txt" && state.current?.engine == EngineID("espeak"))
        await rig.tape.wait(for: "espeak: seek 0:9 ")
        #expect(isNoted("goes on in “Text” at the same passage (aligned, within 0.2 s)", rig))
        rig.output.hear(27)
        try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
        state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b")
        await rig.tape.wait(for: "ffmpeg: seek 0:68889 ")
    }

    @Test func `do not drift, however often they change`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(27_500)
        for _ in 0..<10 {
            try await rig.controller.switchEngine(to: EngineID("espeak"))
            #expect(await rig.controller.snapshot().position?.units == 9)
            rig.output.hear(9)
            try await rig.controller.switchEngine(to: EngineID("ffmpeg"))
            #expect(await rig.controller.snapshot().position?.units == 10_000)
            rig.output.hear(10_000)
        }
    }

    @Test func `stay where they are if nothing tells the passage`() async throws {
        var works = try FakeWorks()
        works.map = PassageMap([])
        let rig = Rig(works: works)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        await #expect {
            try await rig.controller.switchEngine(to: EngineID("espeak"))
        } throws: { ($0 as? PlaybackError)?.kind == .unavailable }
        let state = await rig.controller.snapshot().state
        #expect(state.current?.item.uri == "book.m4b" && state.isPlaying)
    }

    @Test func `have one place: what was heard later counts`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(2_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 2000")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.txt"))
        #expect(isNoted("goes on where “Book” was left (aligned, within 0.2 s)", rig))
        rig.output.hear(27)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.txt 27")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(rig.tape.lines.contains { $0.hasPrefix("ffmpeg: load book.m4b at 0:68889 ") }, "\(rig.tape.lines)")
        // The place itself is kept until it is heard again.
        if case .progress(let place) = await rig.store.place(of: "book.m4b", owner: .main) {
            #expect(place.position.units == 2_000)
        }
        rig.output.hear(31_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 31000")
        try await rig.controller.resume(lastOf: .text)
        #expect(await rig.controller.snapshot().position?.units == 21)
    }

    @Test func `keep to a place of their own that cannot be compared`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock, works: try FakeWorks())
        for (item, units) in [("book.m4b", 2_000), ("book.txt", 27)] as [(String, Int64)] {
            try await rig.controller.play(Rig.request(item, start: .beginning))
            rig.output.hear(units)
            await rig.controller.stop()
            await rig.tape.wait(for: "store: \(item) \(units)")
            clock.advance(seconds: 10)
        }
        rig.store.set(unreadable: "book.m4b")
        try await rig.controller.resume(lastOf: .audio)
        let place = try #require(await rig.controller.snapshot().position)
        #expect(place.units <= 2_000, "\(rig.tape.lines)")
    }

    @Test func `are two works for another owner, and for a part`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 25000")
        var guest = Rig.request("book.txt")
        guest.owner = OwnerID("kitchen")
        try await rig.controller.play(guest)
        #expect(await rig.controller.snapshot().position?.units == 0)
    }
}

@Suite(.timeLimit(.minutes(1))) struct `A gap of a recording` {
    private func report(_ rig: Rig, _ range: Range<Int64>) async {
        let generation = await rig.controller.snapshot().state.generation
        rig.engines.report(.damaged(generation: generation, track: 0, range))
    }

    private func end(_ rig: Rig, atLimit: Bool = true) async {
        let generation = await rig.controller.snapshot().state.generation
        rig.output.report.yield(.ended(generation: generation, atLimit: atLimit))
    }

    @Test func `that is damage is read from the text, and then the recording goes on`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await report(rig, 12_000..<22_000)
        await rig.tape.wait(for: "output: limit 0:12000")
        rig.output.hear(12_000)
        await end(rig)
        await rig.tape.wait(for: "espeak: load book.txt")
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.txt" }
        await rig.isAudible(await rig.controller.snapshot().state.generation)
        // The sentence that the damage cuts is read from its beginning, the one in which it ends to its end.
        #expect(rig.tape.lines.contains { $0.contains("espeak: load book.txt at 0:") })
        #expect(await rig.controller.snapshot().position?.units == 9)
        await end(rig)
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.m4b" }
        await rig.until { await rig.controller.snapshot().state.isPlaying }
        #expect(await rig.controller.snapshot().position?.units == 28_333, "\(rig.tape.lines)")
        #expect(!rig.tape.lines.contains { $0.contains("finished") })
    }

    /// Plays up to damage from 12 to 22 s, and returns when the text is heard in its place.
    private func crossed(_ rig: Rig, _ request: PlayRequest = Rig.request("book.m4b")) async throws {
        try await rig.controller.play(request)
        rig.output.hear(9_000)
        await report(rig, 12_000..<22_000)
        await rig.tape.wait(for: "output: limit 0:12000")
        rig.output.hear(12_000)
        await end(rig)
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.txt" }
        await rig.until { await rig.controller.snapshot().state.isPlaying }
    }

    @Test func `is over if the listener goes elsewhere`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await crossed(rig)
        try await rig.controller.play(Rig.request("other.txt"))
        await end(rig, atLimit: false)
        await rig.until { await rig.controller.snapshot().state.phase == .ended }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "other.txt")
        // The text of the gap, read for its own sake.
        try await rig.controller.play(
            Rig.request("book.txt", start: .at(.position(MediaPosition(track: 0, units: 21)))))
        await end(rig, atLimit: false)
        await rig.until { await rig.controller.snapshot().state.phase == .ended }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
    }

    @Test func `does not bring forward the end that the listener wants`() async throws {
        let rig = Rig(works: try FakeWorks())
        var request = Rig.request("book.m4b")
        request.until = .seconds(60)
        try await crossed(rig, request)
        await end(rig)
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.m4b" }
        let limit = await rig.controller.items[opening: "book.m4b"].limit
        #expect(limit == .position(MediaPosition(track: 0, units: 60_000)))
    }

    @Test func `that is short is left out`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await report(rig, 12_000..<13_000)
        await report(rig, 40_000..<50_000)
        await rig.tape.wait(for: "output: limit 0:40000")
        #expect(!rig.tape.lines.contains("output: limit 0:12000"))
    }

    @Test func `that is a missing file is read from the text`() throws {
        var works = try FakeWorks()
        works.lengths = [10_000, 20_000, 70_000]
        let work = Work(
            recording: FakeWorks.recording, text: FakeWorks.text, document: works.document, map: works.map,
            timeline: BookTimeline(
                tracks: works.lengths.map { TimelineTrack(unitsPerSecond: 1000, duration: $0, confidence: .exact) },
                chapters: []), present: [0, 2])
        let gap = RecordingGaps.Gap(
            start: MediaPosition(track: 0, units: 10_000), end: MediaPosition(track: 1, units: 0), text: 9..<21)
        #expect(work.missingFiles() == [gap])
        #expect(
            work.recordingPlace(of: MediaPosition(track: 0, units: 10))?.position == MediaPosition(track: 1, units: 0))
        var last = work
        last.present = [0, 1]
        #expect(
            last.missingFiles() == [
                RecordingGaps.Gap(start: MediaPosition(track: 1, units: 20_000), end: nil, text: 21..<30)
            ])
    }

    @Test func `without a length is read if an alignment has text there that nobody can say`() async throws {
        var works = try FakeWorks()
        works.map = PassageMap([
            .init(sound: 0..<8, text: 0..<3, grade: .aligned, error: 0.2),
            .init(sound: 12..<100, text: 21..<60, grade: .aligned, error: 0.2),
        ])
        let rig = Rig(works: works)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await report(rig, 10_000..<10_001)
        await rig.tape.wait(for: "output: limit 0:10000")
        rig.output.hear(10_000)
        await end(rig)
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.txt" }
        await rig.isAudible(await rig.controller.snapshot().state.generation)
        await end(rig)
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.m4b" }
        await rig.until { await rig.controller.snapshot().state.isPlaying }
        #expect(await rig.controller.snapshot().position?.units == 10_000)
    }

    @Test func `is not read if its place in the text is only guessed`() throws {
        var works = try FakeWorks()
        works.map = .proportional(duration: 100, text: 0..<30)
        let work = Work(
            recording: FakeWorks.recording, text: FakeWorks.text, document: works.document, map: works.map,
            timeline: BookTimeline(
                tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 100_000, confidence: .exact)], chapters: []),
            present: [0])
        #expect(
            work.gap(from: MediaPosition(track: 0, units: 12_000), to: MediaPosition(track: 0, units: 40_000)) == nil)
    }
}
