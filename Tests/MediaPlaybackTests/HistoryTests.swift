// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords

/// Rewinding after a pause, undo, and the ways in which players lose places.
@Suite(.timeLimit(.minutes(1))) struct `History and undo` {
    private func told(_ history: [HistoryEntry]) -> [String] {
        history.reversed().map { entry in
            "\(entry.jump.cause) \(entry.jump.from.item.title) \(entry.fromMilliseconds.map(String.init) ?? "-") to "
                + "\(entry.jump.to.item.title) \(entry.toMilliseconds.map(String.init) ?? "-")"
                + (entry.isUndone ? ", taken back" : "")
        }
    }

    @Test func `undo returns to where a jump was heard, and the next undo to the jump before it`() async throws {
        let history = FakeHistory()
        let rig = Rig(history: history)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(12_000)
        try await rig.controller.seek(.seconds(60))
        await rig.isAudible(2)
        rig.output.hear(61_000)
        try await rig.controller.seek(.seconds(80))
        await rig.isAudible(3)
        rig.output.hear(80_500)
        try await rig.controller.undo()
        await rig.isAudible(4)
        rig.output.hear(61_100)
        try await rig.controller.undo()
        await rig.tape.wait(for: "ffmpeg: seek 0:12000")
        #expect(
            told(try await rig.controller.history(limit: 10)) == [
                "seek book.m4b 12000 to book.m4b 60000, taken back",
                "seek book.m4b 61000 to book.m4b 80000, taken back",
                "undo book.m4b 80500 to book.m4b 61000", "undo book.m4b 61100 to book.m4b 12000",
            ])
        await #expect(throws: PlaybackError.self) { try await rig.controller.undo() }
    }

    @Test func `undo returns across a change of book`() async throws {
        let rig = Rig(history: FakeHistory())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(12_000)
        try await rig.controller.play(Rig.request("other.m4b"))
        try await rig.controller.undo()
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:12000")
        #expect(await rig.controller.snapshot().state.status == .playing)
    }

    @Test func `starting from the beginning by mistake does not lose the place`() async throws {
        let rig = Rig(history: FakeHistory())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(50_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 50000")
        try await rig.controller.play(Rig.request("book.m4b", start: .beginning))
        rig.output.hear(900)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 900")
        try await rig.controller.undo()
        await rig.tape.wait(for: "ffmpeg: seek 0:50000")
        #expect(await rig.controller.snapshot().position?.units == 50_000)
    }

    @Test func `a history that cannot be stored stops nothing, and is logged`() async throws {
        let rig = Rig(history: FakeHistory(failure: PlaceStoreError(.diskFull, "the disk is full")))
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.seek(.seconds(60))
        await rig.tape.wait(for: "ffmpeg: seek 0:60000")
        _ = try await rig.controller.history(limit: 1)
        #expect(
            rig.log.entries.contains {
                $0.fields["action"] == "history" && $0.fields["errorMessage"] == "the disk is full"
            })
    }

    // The arguments are the pause in seconds and the place of the resume; 55 s is 5 s into the second chapter.
    @Test(arguments: [(Int64(5), Int64(55_000)), (30, 53_000), (120, 50_000), (7_200, 50_000)])
    func `a resume rewinds by the length of the pause, and stays in the chapter`(_ pause: Int64, _ place: Int64)
        async throws
    {
        let clock = HandClock()
        let rig = Rig(history: FakeHistory(), wallClock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(55_000)
        await rig.controller.pause()
        await rig.tape.wait(for: "store: book.m4b 55000")
        clock.advance(seconds: pause)
        try await rig.controller.resume()
        if place == 55_000 {
            await rig.tape.wait(for: "output: resume")
            #expect(!rig.tape.lines.contains { $0.hasPrefix("ffmpeg: seek") })
        } else {
            await rig.tape.wait(for: "ffmpeg: seek 0:\(place)")
        }
    }

    @Test func `a resume after a restart also rewinds, is in the history, and keeps the saved place`() async throws {
        let clock = HandClock()
        let history = FakeHistory()
        let rig = Rig(history: history, wallClock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(90_000)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: book.m4b 90000")
        clock.advance(seconds: 4_000)
        try await rig.controller.play(Rig.request("book.m4b"))
        await rig.tape.wait(for: "ffmpeg: seek 0:70000")
        #expect(told(try await rig.controller.history(limit: 10)) == ["rewind book.m4b 90000 to book.m4b 70000"])
    }

    @Test func `the sleep timer at the end of a chapter is a limit of the stream`() async throws {
        let rig = Rig(history: FakeHistory())
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        try await rig.controller.sleep(.chapter(nil))
        await rig.tape.wait(for: "output: limit 0:50000")
        // While a call to the output is in progress, the device is not asked for the position.
        var view: SleepView?
        await rig.until {
            view = await rig.controller.snapshot().sleep
            return view?.remaining == 30_000
        }
        #expect(view?.end == "chapter")
        #expect(view?.remaining == 30_000)
        #expect(view?.setAt == 20_000)
        rig.output.hear(50_000)
        rig.output.report.yield(.ended(generation: 1, atLimit: true))
        await rig.tape.wait(for: "store: book.m4b 50000")
        let snapshot = await rig.controller.snapshot()
        #expect(snapshot.state.status == .paused)
        #expect(snapshot.state.suppression == .sleep)
        #expect(snapshot.sleep?.end == "over")
        try await rig.controller.undo()
        await rig.tape.wait(for: "ffmpeg: seek 0:20000")
    }

    @Test func `a sleep timer without an item, or without a chapter, is an error`() async throws {
        let rig = Rig()
        await #expect(
            throws: PlaybackError(.unavailable, message: "nothing is loaded; play something first: rostrum play FILE")
        ) {
            try await rig.controller.sleep(.duration(milliseconds: 1000))
        }
        try await rig.controller.play(Rig.request("article.txt"))
        await #expect {
            try await rig.controller.sleep(.chapter(nil))
        } throws: { ($0 as? PlaybackError)?.kind == .noInput }
    }

    @Test func `a growing span is stored in the history, so that a kill loses little of it`() async throws {
        let (clock, history) = (HandClock(), FakeHistory())
        var settings = PlaybackSettings()
        settings.placeInterval = .milliseconds(1)
        let rig = Rig(settings: settings, history: history, wallClock: clock)
        try await rig.controller.play(Rig.request("book.m4b"))
        let began = clock.now
        var kept: [Int64] = []
        for (seconds, growth) in [(19, 19), (21, 2), (30, 9), (36, 6)] as [(Int64, Int64)] {
            clock.advance(seconds: growth)
            rig.output.hear(seconds * 1000)
            await rig.tape.wait(for: "store: book.m4b \(seconds * 1000) (heard)")
            await rig.controller.placesAreSaved()
            let spans = try await history.spans(limit: 10)
            #expect(spans.allSatisfy { $0.uri == "book.m4b" && $0.began == began })
            #expect(spans.count == (seconds < 20 ? 0 : 1), "\(seconds) s")
            kept.append(spans.first?.to.units ?? 0)
        }
        // Nobody paused, and nobody ended the session.
        #expect(kept == [0, 21_000, 21_000, 36_000])
    }
}
