// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Tests of faults that kept users awake, or let playback continue all night.
@Suite struct `The sleep timer` {
    private func asleep(_ effects: [PlaybackEffect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .sleepClock(_, let added, let runs): "clock +\(added) \(runs ? "runs" : "stands")"
            case .stopSleepClock: "stop clock"
            case .fade: "fade"
            case .endFade: "end fade"
            case .setLimit: "limit"
            case .rearmSleep: "rearm"
            case .pauseStream: "pause"
            case .closeStream: "close"
            case .jumped(let jump): "\(jump.cause) from \(jump.from.position.units) at \(jump.to.position.units)"
            default: nil
            }
        }
    }

    private func playing() -> Stage { Stage.playingBook(at: 1_000) }

    @Test func `time counts only while something plays`() {
        var stage = playing()
        #expect(
            asleep(stage.all(.setSleep(.time(milliseconds: 60_000), heard: at(2_000))))
                == ["clock +60000 stands", "clock +0 runs"])
        #expect(asleep(stage.all(.pauseNow)) == ["pause", "clock +0 stands"])
        #expect(asleep(stage.all(.resume(id: 2))) == ["clock +0 runs"])
        #expect(asleep(stage.all(.setRate(2, heard: nil, byEngine: false))) == [], "by the clock on the wall")
    }

    @Test func `it fades, pauses, and undo leads back to where it was set`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: at(2_000)))
        #expect(asleep(stage.all(.sleepFading(id: 1))) == ["fade"])
        #expect(
            asleep(stage.all(.sleepDue(id: 1, heard: at(62_000))))
                == ["pause", "end fade", "stop clock", "sleep from 2000 at 62000"])
        #expect(stage.state.status == .paused)
        #expect(stage.state.suppression == .sleep)
        #expect(stage.state.slept?.position == at(2_000))
        stage.on(.silenced(generation: 1, heard: at(62_004)))
        #expect(stage.state.current?.position == at(62_004), "the place is where it was heard last")
        stage.on(.resume(id: 3))
        #expect(stage.state.isPlaying)
        #expect(stage.state.suppression == nil)
    }

    /// Exploration found this: the position before the step back returned.
    @Test func `the position at which it ended stands, even if the device does not know it`() {
        var stage = playing()
        stage.on(.setSleep(.place(at(50_000)), heard: at(2_000)), .sleepPlaceReached(generation: 1))
        stage.on(.silenced(generation: 1, heard: nil))
        #expect(stage.state.current?.position == at(50_000))
    }

    @Test func `an extension during the fade returns to full volume`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: nil), .sleepFading(id: 1))
        #expect(
            asleep(stage.all(.setSleep(.extend(milliseconds: 300_000), heard: nil)))
                == ["end fade", "clock +300000 runs"])
        #expect(asleep(stage.all(.sleepFading(id: 1))) == ["fade"], "and it fades again when that is over")
    }

    @Test func `a pause during the fade keeps the timer`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: nil), .sleepFading(id: 1))
        #expect(asleep(stage.all(.pauseNow)) == ["pause", "end fade", "clock +0 stands"])
        #expect(stage.state.sleep?.isFading == false)
        #expect(asleep(stage.all(.resume(id: 2))) == ["clock +0 runs"])
    }

    @Test func `a late event of a cancelled timer changes nothing`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: nil), .setSleep(.off, heard: nil))
        #expect(stage.on(.sleepDue(id: 1, heard: nil)) == [.dropped(.stale)])
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: nil))
        #expect(stage.on(.sleepDue(id: 1, heard: nil)) == [.dropped(.stale)], "it is the second one's turn")
        #expect(stage.state.isPlaying)
    }

    @Test func `the end of a chapter is a position, and the sound ends before it`() {
        var stage = playing()
        #expect(asleep(stage.all(.setSleep(.place(at(90_000)), heard: at(2_000)))) == ["limit"])
        #expect(
            asleep(stage.all(.sleepPlaceReached(generation: 1)))
                == ["close", "limit", "sleep from 2000 at 90000"])
        #expect(stage.state.status == .paused)
        stage.on(.silenced(generation: 1, heard: at(90_000)))
        #expect(stage.state.current?.position == at(90_000))
        let effects = stage.all(.resume(id: 2))
        #expect(effects.contains(.openStream(generation: 2)), "and goes on with the next chapter")
        #expect(!asleep(effects).contains("limit"))
    }

    @Test(arguments: [(Int64(50_000), false), (89_999, false), (90_000, true), (200_000, true)])
    func `a step back keeps the boundary, and a jump over it looks for the next one`(_ target: Int64, _ rearms: Bool) {
        var stage = playing()
        stage.on(.setSleep(.place(at(90_000)), heard: at(80_000)))
        #expect(asleep(stage.all(.seek(to: at(target)))).contains("rearm") == rearms)
        guard rearms else { return }
        #expect(asleep(stage.all(.rearmedSleep(id: 1, at(300_000)))) == ["limit"])
        #expect(stage.state.sleep?.end == .place(at(300_000)))
        #expect(stage.state.sleep?.setAt.position == at(target))
    }

    @Test func `another book has its own boundary`() {
        var stage = playing()
        stage.on(.setSleep(.place(at(90_000)), heard: at(80_000)), .play(id: 2, order(textItem, espeak)))
        #expect(asleep(stage.all(.loaded(generation: 2, start: at(0)))).contains("rearm"))
        #expect(asleep(stage.all(.rearmedSleep(id: 1, nil))) == ["limit"])
        // Without chapters the boundary is the end of the item; the next book has chapters again.
        stage.on(.play(id: 3, order(bookItem, ffmpeg, at: 95_000)))
        #expect(asleep(stage.all(.loaded(generation: 3, start: at(95_000)))).contains("rearm"))
        stage.on(.rearmedSleep(id: 1, at(300_000)))
        #expect(stage.state.sleep?.end == .place(at(300_000)))
    }

    @Test(arguments: [(WorkChange?.some(.gap), Int64(2_000)), (.some(.switched), 40), (nil, 40)])
    func `undo leads back to where the timer was set, also over a gap, where nobody moved`(
        _ change: WorkChange?, _ origin: Int64
    ) {
        var stage = playing()
        stage.on(.setSleep(.place(at(90_000)), heard: at(2_000)))
        var text = order(textItem, espeak, at: 40)
        text.change = change
        stage.on(
            .play(id: 2, text, heard: at(45_000)), .loaded(generation: 2, start: at(40)),
            .rearmedSleep(id: 1, at(60)), .streamOpened(generation: 2), .started(generation: 2))
        #expect(asleep(stage.all(.sleepPlaceReached(generation: 2))).last == "sleep from \(origin) at 60")
        #expect(stage.state.slept?.position == at(origin))
    }

    @Test func `a crash in the text of a gap moves nobody`() {
        var stage = playing()
        stage.on(.setSleep(.place(at(90_000)), heard: at(2_000)))
        var text = order(textItem, espeak, at: 40)
        text.change = .gap
        // The chapter ends behind the gap.
        stage.on(
            .play(id: 2, text, heard: at(45_000)), .loaded(generation: 2, start: at(40)),
            .rearmedSleep(id: 1, nil), .streamOpened(generation: 2), .started(generation: 2),
            .engineGone(generation: 2, PlaybackError(.defect, message: "signal 11"), heard: at(55)))
        let (again, place) = (stage.state.generation, stage.state.current?.position ?? at(0))
        #expect(again > 2)
        stage.on(
            .loaded(generation: again, start: place), .rearmedSleep(id: 1, at(60)),
            .streamOpened(generation: again), .started(generation: again))
        #expect(asleep(stage.all(.sleepPlaceReached(generation: again))).last == "sleep from 2000 at 60")
    }

    @Test func `a move within the text of a gap is one of the listener`() {
        var stage = playing()
        stage.on(.setSleep(.place(at(90_000)), heard: at(2_000)))
        var text = order(textItem, espeak, at: 40)
        text.change = .gap
        stage.on(
            .play(id: 2, text, heard: at(45_000)), .loaded(generation: 2, start: at(40)),
            .rearmedSleep(id: 1, at(60)), .streamOpened(generation: 2), .started(generation: 2))
        stage.on(.seek(to: at(70)), .rearmedSleep(id: 1, at(80)), .started(generation: 3))
        #expect(asleep(stage.all(.sleepPlaceReached(generation: 3))).last == "sleep from 70 at 80")
    }

    @Test(arguments: [(SleepOrder.book, false), (.place(at(90_000)), false), (.time(milliseconds: 60_000), true)])
    func `the end of a text that is read for the last part of a book is the end of the book`(
        _ order: SleepOrder, _ stays: Bool
    ) {
        var stage = playing()
        stage.on(.setSleep(order, heard: at(2_000)), .ended(generation: 1, atLimit: true, endsBook: true))
        #expect((stage.state.sleep != nil) == stays)
        #expect(stage.state.intent == .pause)
    }

    @Test func `a chapter timer ends with an item without chapters`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(textItem, espeak)), .setSleep(.chapter(index: nil), heard: nil))
        stage.on(
            .loaded(generation: 1, start: at(0)), .rearmedSleep(id: 1, nil), .streamOpened(generation: 1),
            .started(generation: 1))
        #expect(stage.state.sleep != nil)
        stage.on(.ended(generation: 1, atLimit: false))
        #expect(stage.state.sleep == nil)
    }

    @Test func `the end of the book ends the timer, and the next play does not stop`() {
        for order in [SleepOrder.book, .place(at(90_000))] {
            var stage = playing()
            stage.on(.setSleep(order, heard: nil), .ended(generation: 1, atLimit: false))
            #expect(stage.state.sleep == nil)
            #expect(stage.state.status == .ended)
        }
    }

    @Test func `a stop ends the timer`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 60_000), heard: nil))
        #expect(asleep(stage.all(.stopNow)).contains("stop clock"))
        #expect(stage.state.sleep == nil)
    }

    @Test func `the way back is forgotten once the user has listened for a while`() {
        var stage = playing()
        stage.on(.setSleep(.time(milliseconds: 1_000), heard: nil), .sleepDue(id: 1, heard: at(9_000)))
        stage.on(.silenced(generation: 1, heard: at(9_000)), .resume(id: 2))
        #expect(stage.state.slept != nil)
        for units in 1...4 { stage.on(.heard(generation: 1, at(9_000 + Int64(units) * 5_000))) }
        #expect(stage.state.slept == nil)
    }

    @Test func `a restart continues with the time that was left`() {
        var stage = Stage()
        let set = Playing(item: bookItem, engine: ffmpeg, position: at(2_000), provenance: .heard)
        #expect(
            asleep(stage.all(.restoredSleep(SleepTimer(id: 9, end: .time, setAt: set), milliseconds: 40_000)))
                == ["clock +40000 stands"])
        #expect(
            asleep(
                stage.all(
                    .play(id: 1, order(bookItem, ffmpeg, at: 3_000)), .loaded(generation: 1, start: at(3_000)),
                    .streamOpened(generation: 1), .started(generation: 1))) == ["clock +0 runs"])
    }
}
