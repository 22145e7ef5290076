// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `A gap of a recording` {
    @Test func `that is damage is read from the text, and then the recording goes on`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await rig.report(damage: 12_000..<22_000)
        await rig.tape.wait(for: "output: limit 0:12000")
        rig.output.hear(12_000)
        await rig.end()
        await rig.tape.wait(for: "espeak: load book.txt")
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.txt" }
        await rig.isAudible(await rig.controller.snapshot().state.generation)
        // The sentence that the damage cuts is read from its beginning, the one in which it ends to its end.
        #expect(rig.tape.lines.contains { $0.contains("espeak: load book.txt at 0:") })
        #expect(await rig.controller.snapshot().position?.units == 9)
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.m4b" }
        await rig.until { await rig.controller.snapshot().state.isPlaying }
        #expect(await rig.controller.snapshot().position?.units == 28_333, "\(rig.tape.lines)")
        #expect(!rig.tape.lines.contains { $0.contains("finished") })
    }

    @Test func `is over if the listener goes elsewhere`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.cross()
        try await rig.controller.play(Rig.request("other.txt"))
        await rig.end(atLimit: false)
        await rig.until { await rig.controller.snapshot().state.phase == .ended }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "other.txt")
        // The text of the gap, read for its own sake.
        try await rig.controller.play(
            Rig.request("book.txt", start: .at(.position(MediaPosition(track: 0, units: 21)))))
        await rig.end(atLimit: false)
        await rig.until { await rig.controller.snapshot().state.phase == .ended }
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.txt")
    }

    @Test func `does not bring forward the end that the listener wants`() async throws {
        let rig = Rig(works: try FakeWorks())
        var request = Rig.request("book.m4b")
        request.until = .seconds(60)
        try await rig.cross(request)
        await rig.end()
        await rig.until { await rig.controller.snapshot().state.current?.item.uri == "book.m4b" }
        let limit = await rig.controller.items[opening: "book.m4b"].limit
        #expect(limit == .position(MediaPosition(track: 0, units: 60_000)))
    }

    @Test func `that is short is left out`() async throws {
        let rig = Rig(works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await rig.report(damage: 12_000..<13_000)
        await rig.report(damage: 40_000..<50_000)
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
        await rig.report(damage: 10_000..<10_001)
        await rig.tape.wait(for: "output: limit 0:10000")
        rig.output.hear(10_000)
        await rig.end()
        await rig.hears("book.txt")
        await rig.end()
        await rig.hears("book.m4b")
        #expect(await rig.position == 10_000)
        // An engine may report the same damage where it goes on.
        await rig.report(damage: 10_000..<10_001)
        await rig.report(damage: 60_000..<70_000)
        await rig.tape.wait(for: "output: limit 0:60000")
        #expect(await rig.controller.snapshot().state.current?.item.uri == "book.m4b")
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
