// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import PassageMap
import PlaybackCore
import Testing
import TransitionRecords

@testable import MediaPlayback

/// What changes between a recording and its text leave in the history.
@Suite(.timeLimit(.minutes(1))) struct `The history of a work` {
    private func told(_ rig: Rig) async throws -> [String] {
        try await rig.controller.history(limit: 10).reversed().map { entry in
            let (from, to) = (entry.jump.from, entry.jump.to)
            return
                "\(entry.jump.cause) \(from.item.title) \(from.position.units) to \(to.item.title) \(to.position.units)"
                + (entry.isUndone ? ", taken back" : "")
        }
    }

    @Test func `has one jump for a change, and one undo brings back what was`() async throws {
        let rig = Rig(history: FakeHistory(), works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(25_000)
        try await rig.controller.switchEngine(to: EngineID("espeak"))
        rig.output.hear(12)
        #expect(try await told(rig) == ["play book.m4b 25000 to book.txt 9"])
        try await rig.controller.undo()
        await rig.hears("book.m4b")
        #expect(await rig.position == 25_000)
        #expect(
            try await told(rig) == [
                "play book.m4b 25000 to book.txt 9, taken back", "undo book.txt 12 to book.m4b 25000",
            ])
    }

    @Test func `keeps the place far behind which the other side goes on, without a second undo`() async throws {
        let clock = HandClock()
        let rig = Rig(history: FakeHistory(), wallClock: clock, works: try FakeWorks())
        try await rig.controller.play(Rig.request("book.txt"))
        rig.output.hear(29)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.txt 29")
        clock.advance(seconds: 10)
        try await rig.controller.play(Rig.request("book.m4b", start: .beginning))
        rig.output.hear(25_000)
        let before = try await told(rig)
        try await rig.controller.switchEngine(to: EngineID("espeak"))
        #expect(
            try await told(rig) == before + ["play book.txt 29 to book.txt 9", "play book.m4b 25000 to book.txt 9"])
        try await rig.controller.undo()
        await rig.hears("book.m4b")
        #expect(await rig.position == 25_000)
    }

    @Test func `has nothing of a gap`() async throws {
        let rig = Rig(history: FakeHistory(), works: try FakeWorks())
        try await rig.cross()
        rig.output.hear(15)
        await rig.end()
        await rig.hears("book.m4b")
        #expect(try await told(rig) == [])
        // What was done before is taken back first.
        rig.output.hear(40_000)
        try await rig.controller.seek(.seconds(80))
        await rig.isAudible(await rig.controller.snapshot().state.generation)
        try await rig.controller.undo()
        await rig.tape.wait(for: "ffmpeg: seek 0:40000")
    }
}
