// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Testing

/// The part of the sleep timer that another session continues with.
@Suite(.timeLimit(.minutes(1))) struct `A stored sleep timer` {
    /// A first session that plays a book with chapters of 50 s, and what it leaves to a second one.
    private struct Nights {
        let clock = HandClock()
        let first: Rig

        init() async throws {
            first = Rig(wallClock: clock)
            try await first.controller.play(Rig.request("book.m4b"))
            first.output.hear(20_000)
        }

        func second() -> Rig { Rig(wallClock: clock, store: first.store) }
    }

    private func timer(_ rig: Rig) async -> SleepView? { await rig.controller.snapshot().sleep }

    @Test(arguments: [SleepRequest.chapter(nil), .book, .duration(milliseconds: 60_000)], [true, false])
    func `continues with its item, after a kill and after an orderly end`(_ wish: SleepRequest, _ ends: Bool)
        async throws
    {
        let nights = try await Nights()
        try await nights.first.controller.sleep(wish)
        await nights.first.controller.placesAreSaved()
        if ends { await nights.first.controller.shutDown() }
        let set = await timer(nights.first)
        nights.clock.advance(seconds: 600)

        let other = nights.second()
        try await other.controller.play(Rig.request("other.m4b"))
        #expect(await timer(other) == nil, "it is not for another book")

        let again = nights.second()
        try await again.controller.play(Rig.request("book.m4b"))
        let view = try #require(await timer(again))
        if !ends { #expect(view.end == set?.end) }
        #expect(view.setAt == 20_000)
    }

    @Test func `also continues with resume`() async throws {
        let nights = try await Nights()
        try await nights.first.controller.sleep(.chapter(nil))
        await nights.first.controller.shutDown()
        let rig = nights.second()
        try await rig.controller.resume()
        #expect(await timer(rig)?.end == "chapter")
    }

    @Test func `is gone after three hours`() async throws {
        let nights = try await Nights()
        try await nights.first.controller.sleep(.chapter(nil))
        await nights.first.controller.shutDown()
        nights.clock.advance(seconds: 3 * 3600 + 1)
        let rig = nights.second()
        try await rig.controller.play(Rig.request("book.m4b"))
        #expect(await timer(rig) == nil)
        await rig.controller.placesAreSaved()
        #expect(try await rig.store.setting(.sleep) == nil)
    }

    @Test func `is gone after it has ended the sound`() async throws {
        let nights = try await Nights()
        try await nights.first.controller.sleep(.chapter(nil))
        await nights.first.tape.wait(for: "output: limit 0:50000")
        nights.first.output.hear(50_000)
        nights.first.output.report.yield(.ended(generation: 1, atLimit: true))
        await nights.first.tape.wait(for: "store: book.m4b 50000")
        await nights.first.controller.placesAreSaved()
        #expect(try await nights.first.store.setting(.sleep) == nil)
        await nights.first.controller.shutDown()
        let rig = nights.second()
        try await rig.controller.resume()
        #expect(await timer(rig) == nil)
    }

    @Test func `is gone after a stop, or when it is turned off`() async throws {
        for isStopped in [true, false] {
            let nights = try await Nights()
            try await nights.first.controller.sleep(.chapter(nil))
            if isStopped {
                await nights.first.controller.stop()
            } else {
                try await nights.first.controller.sleep(.off)
            }
            await nights.first.controller.shutDown()
            #expect(try await nights.first.store.setting(.sleep) == nil)
        }
    }

    @Test func `outlives the last player, but not a stop after that`() async throws {
        let nights = try await Nights()
        try await nights.first.controller.sleep(.book)
        await nights.first.controller.leave()
        #expect(await timer(nights.first) == nil)
        try await nights.first.controller.play(Rig.request("book.m4b"))
        #expect(await timer(nights.first)?.end == "book")
        await nights.first.controller.leave()
        await nights.first.controller.stop()
        try await nights.first.controller.play(Rig.request("book.m4b"))
        #expect(await timer(nights.first) == nil)
    }

    @Test func `set for a chapter while the item is opened applies once it is open`() async throws {
        let rig = Rig()
        rig.gate.close("load")
        async let played: Void = rig.controller.play(Rig.request("book.m4b", start: .at(.seconds(60))))
        await rig.gate.isReached("load")
        try await rig.controller.sleep(.chapter(nil))
        #expect(await timer(rig)?.end == "chapter")
        rig.gate.open("load")
        try await played
        await rig.until { await timer(rig)?.remaining != nil }
        let end = await rig.controller.snapshot().state.sleep?.end
        #expect(end == .place(MediaPosition(track: 0, units: 100_000)))
    }

    @Test func `offers a choice of chapters, and shows the time of day of those to come`() async throws {
        let clock = HandClock()
        let rig = Rig(wallClock: clock)
        await #expect(throws: PlaybackError.self) { _ = try await rig.controller.sleepChoices() }
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(20_000)
        try await rig.controller.setRate(2)
        let choices = try await rig.controller.sleepChoices()
        #expect(choices.now == clock.now)
        #expect(choices.timer == nil)
        #expect(choices.chapters.first?.endMs == 50_000)
        #expect(choices.chapters.first?.seconds == 15)
        try await rig.controller.sleep(.chapter(1))
        let second = try #require(choices.chapters.dropFirst().first)
        #expect(await rig.controller.snapshot().state.sleep?.end == .place(second.end))
        #expect(try await rig.controller.sleepChoices().timer?.end == "chapter")
        for index in [99, -1] {
            await #expect {
                try await rig.controller.sleep(.chapter(index))
            } throws: { ($0 as? PlaybackError)?.kind == .noInput }
        }
    }
}
