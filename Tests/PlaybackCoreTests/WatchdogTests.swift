// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Tests of the watchdog: its clocks, the recovery attempts, and loads that take too long.
@Suite struct `The watchdog` {
    private let remote = ItemReference(uri: "https://host/book.m4b", kind: .audio, title: "Book", items: [])

    private func clocks(_ effects: [PlaybackEffect]) -> [String] {
        effects.compactMap { effect in
            switch effect {
            case .startClock(_, let kind, let milliseconds): "\(kind) \(milliseconds)"
            case .stopClock: "stop"
            default: nil
            }
        }
    }

    @Test func `one clock at a time is armed by the attempt to play, and not by the engine`() {
        var machine = PlaybackMachine()
        #expect(clocks(machine.handle(.play(id: 1, order(bookItem, ffmpeg)))) == ["load 10000"])
        #expect(clocks(machine.handle(.loaded(generation: 1, start: at(0)))) == ["open 10000"])
        #expect(clocks(machine.handle(.streamOpened(generation: 1))) == ["start 3000"])
        #expect(clocks(machine.handle(.started(generation: 1))) == ["stuck 3000"])
        #expect(clocks(machine.handle(.heard(generation: 1, at(10)))) == [], "it goes on by itself")
        #expect(clocks(machine.handle(.seek(to: at(9)))) == ["start 3000"])
        #expect(clocks(machine.handle(.started(generation: 2))) == ["stuck 3000"])
        #expect(clocks(machine.handle(.pauseNow)) == ["release 60000"])
        #expect(clocks(machine.handle(.stopNow)) == ["stop"])
    }

    @Test func `a network item has 20 s instead of both 3 s`() {
        var machine = PlaybackMachine()
        #expect(clocks(machine.handle(.play(id: 1, order(remote, ffmpeg)))) == ["load 10000"])
        _ = machine.handle(.loaded(generation: 1, start: at(0)))
        #expect(clocks(machine.handle(.streamOpened(generation: 1))) == ["start 20000"])
        #expect(clocks(machine.handle(.started(generation: 1))) == ["stuck 20000"])
        #expect(clocks(machine.handle(.starved(generation: 1))) == [])
    }

    @Test func `a load fails after 10 s, and its engine is ended`() {
        var stage = Stage()
        stage.on(.play(id: 7, order(bookItem, ffmpeg)))
        let effects = stage.ring()
        #expect(effects.contains(.endEngine(ffmpeg)))
        #expect(effects.contains { if case .reply(id: 7, let error?) = $0 { error.kind == .io } else { false } })
        #expect(stage.state.status == .idle, "idle if nothing was loaded before")
    }

    @Test func `an item that cannot be opened waits for its text as long again, and then fails with its own error`() {
        var stage = Stage()
        let failure = PlaybackError(.badContent, message: "cannot open file 1")
        stage.on(.play(id: 7, order(bookItem, ffmpeg)))
        #expect(clocks(stage.all(.unopened(generation: 1, failure))) == ["load 10000"])
        stage.on(.lookUp(id: 8, owner: .main))
        let effects = stage.ring()
        #expect(effects.contains(.reply(id: 7, failure)) && !effects.contains(.endEngine(ffmpeg)), "\(effects)")
        #expect(stage.state.lookUp == nil, "the text does not begin any more")
        #expect(stage.on(.unopened(generation: 1, failure)) == [.dropped(.stale)])
        // The text that begins in time has a clock of its own.
        stage.on(.play(id: 9, order(bookItem, ffmpeg)))
        let again = stage.state.generation
        stage.on(.unopened(generation: again, failure))
        #expect(clocks(stage.all(.play(id: 10, order(textItem, espeak)))) == ["load 10000"])
        #expect(stage.ring().contains(.endEngine(espeak)))
    }

    @Test func `without sound there is another seek, then a new engine, then a new device, then an error`() {
        var stage = Stage.playingBook(at: 5_000)
        stage.on(.heard(generation: 1, at(8_000)))
        let first = stage.ring()
        #expect(first.prefix(2) == [.retry(attempt: 1, .seek), .seek(generation: 2, at(8_000))])
        #expect(stage.state.status == .loading, "while an attempt is in flight, everything but playing is loading")

        let second = stage.ring()
        #expect(second.prefix(2) == [.retry(attempt: 2, .restartEngine), .endEngine(ffmpeg)])
        stage.on(.loaded(generation: 3, start: at(8_000)), .streamOpened(generation: 3))
        #expect(stage.state.status == .loading)

        let third = stage.ring()
        #expect(third.first == .retry(attempt: 3, .reopenOutput))
        #expect(third.contains(.dropOutput))
        stage.on(.loaded(generation: 4, start: at(8_000)), .streamOpened(generation: 4))

        let last = stage.ring()
        #expect(stage.state.status == .error)
        #expect(last.contains { if case .finished(_, let error?) = $0 { error.kind == .io } else { false } })
    }

    private func opening() -> Stage {
        var stage = Stage()
        stage.on(.play(id: 7, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        return stage
    }

    @Test func `a device that never says whether it has a stream is asked again once, then it is an error`() {
        var stage = opening()
        #expect(stage.state.clock?.kind == .open)
        let first = stage.ring()
        #expect(first.first == .retry(attempt: 1, .reopenOutput) && first.contains(.dropOutput))
        let late = stage.state
        stage.on(
            .streamOpened(generation: 1), .streamFailed(generation: 1, PlaybackError(.unavailable, message: "late")))
        #expect(stage.state == late, "an answer that comes then is of nothing that is there")
        stage.on(.loaded(generation: 2, start: at(0)))
        let last = stage.ring()
        #expect(stage.state.status == .error)
        #expect(last.contains { if case .reply(id: 7, let error?) = $0 { error.kind == .io } else { false } })
    }

    @Test func `a device that refuses when asked again after a seek is asked once more`() {
        var stage = opening()
        stage.ring()
        stage.on(.pauseNow, .loaded(generation: 2, start: at(0)), .seek(to: at(90_000)))
        stage.on(.resume(id: 8))
        #expect(stage.state.stream == .opening)
        stage.on(.streamFailed(generation: stage.state.generation, PlaybackError(.unavailable, message: "no server")))
        #expect(stage.state.stream == .opening && stage.state.clock?.kind == .open, "and somebody watches it")
    }

    @Test func `play succeeds if the new device sounds`() {
        var stage = opening()
        stage.ring()
        let effects = stage.on(
            .loaded(generation: 2, start: at(0)), .streamOpened(generation: 2), .started(generation: 2))
        #expect(stage.state.status == .playing && effects.contains(.reply(id: 7, nil)))
    }

    @Test func `a server that returned and does not answer is looked for until the time is over`() {
        var stage = Stage.playingBook()
        stage.on(
            .outputFailed(PlaybackError(.io, message: "gone"), isDeviceGone: false, heard: at(777)))
        var opened = 0
        while stage.state.status != .error, opened < 100 {
            stage.ring()
            if stage.state.stream == .opening { opened += 1 }
        }
        #expect(opened == 3 && stage.state.status == .error)
    }

    @Test func `a log of a session without that limit is replayed without it`() {
        var rules = PlaybackRules()
        rules.openLimit = nil
        var stage = Stage()
        stage.on(.setRules(rules), .play(id: 7, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        #expect(stage.state.stream == .opening && stage.state.clock == nil)
    }

    @Test func `each attempt restarts the clock`() {
        var machine = Stage.playingBook().machine
        let clock = machine.state.clock?.id ?? 0
        _ = machine.handle(.clock(id: clock, heard: nil))
        #expect(machine.state.clock?.kind == .start)
        #expect(machine.handle(.clock(id: clock, heard: nil)) == [.dropped(.stale)], "the old one says nothing more")
    }

    @Test func `a load that fails during recovery leads to the next attempt`() {
        var stage = Stage.playingBook()
        stage.ring()
        stage.ring()
        #expect(stage.state.phase == .loading)
        let effects = stage.on(.loadFailed(generation: 3, PlaybackError(.badContent, message: "gone")))
        #expect(effects.first == .retry(attempt: 3, .reopenOutput))
    }

    @Test func `an error stays until a new attempt to play`() {
        var stage = Stage.playingBook()
        stage.on(.engineFailed(generation: 1, PlaybackError(.badContent, message: "damaged"), heard: at(1)))
        let failed = stage.state
        stage.on(
            .started(generation: 1), .starved(generation: 1), .silenced(generation: 1, heard: at(0)),
            .heard(generation: 1, at(0)), .loaded(generation: 1, start: at(0)), .interruption(began: true))
        #expect(stage.state == failed)
        let retry = stage.on(.resume(id: 2))
        #expect(stage.state.status == .loading)
        #expect(
            retry.contains { if case .load(_, let playing, _) = $0 { playing.position == at(1) } else { false } },
            "at the known-good place")
    }

    private static let died = PlaybackError(.defect, message: "the engine was killed by signal 11")

    @Test func `a retry that fails does not restore a false position`() {
        var stage = Stage.playingBook(at: 30_000)
        stage.on(
            .streamClosed(heard: at(200_000), goesOn: true), .silenced(generation: 2, heard: at(0)),
            .engineFailed(generation: 2, PlaybackError(.defect, message: "broken"), heard: nil), .resume(id: 2))
        stage.ring()
        #expect(stage.state.current?.position == at(200_000), "found by exploration to depth 11")
    }

    @Test func `an error saves the place`() {
        var stage = Stage.playingBook()
        let effects = stage.on(
            .engineFailed(generation: 1, PlaybackError(.badContent, message: "damaged"), heard: at(8_000)))
        #expect(
            effects.contains {
                if case .savePlace(_, let saved, _, _) = $0 { saved.position == at(8_000) } else { false }
            })
    }

    @Test func `sound that a device took and nobody heard is rendered again`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)), .pauseNow)
        #expect(stage.on(.resume(id: 2)) == [.seek(generation: 2, at(0)), .openStream(generation: 2)])
    }

    @Test func `the place of an item that was left is saved even if its output fails`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak), heard: at(6_000)))
        let effects = stage.on(.silenced(generation: 1, heard: nil))
        #expect(
            effects.contains {
                if case .savePlace(_, let saved, _, _) = $0 { saved.position == at(6_000) } else { false }
            })
    }

    @Test func `a playlist that turns out to be on the network has 20 s`() {
        var stage = Stage()
        stage.on(
            .play(id: 1, order(bookItem, ffmpeg)),
            .loaded(generation: 1, start: at(0), unitsPerSecond: 1000, needsSeek: false, isRemote: true))
        _ = stage.machine.handle(.streamOpened(generation: 1))
        #expect(stage.state.isRemote && stage.state.clock?.kind == .start)
    }

    @Test func `a retry never starts at a transient 0`() {
        var stage = Stage.playingBook(at: 200_000)
        stage.on(.heard(generation: 1, at(0)))
        let effects = stage.on(.engineGone(generation: 1, PlaybackError(.defect, message: "died"), heard: at(0)))
        #expect(
            effects.contains {
                if case .load(_, let playing, _) = $0 { playing.position == at(200_000) } else { false }
            })
    }

    @Test func `a load that nobody waits for does not show as loading`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .pauseNow)
        #expect(stage.state.status == .paused)
        let effects = stage.on(.loaded(generation: 1, start: at(0)))
        #expect(effects.contains(.closeStream(generation: 1)), "a stream that was left for it is given up")
    }

    @Test func `nothing is noted or saved while loading`() {
        var stage = Stage.playingBook(at: 90_000)
        stage.on(.engineGone(generation: 1, PlaybackError(.defect, message: "died"), heard: at(95_000)))
        let effects = stage.on(.heard(generation: 2, at(0)), .silenced(generation: 2, heard: at(0)))
        #expect(effects == [])
        #expect(stage.state.current?.position == at(95_000))
    }

    @Test func `a failure of a disk is retried, broken content is not`() {
        var stage = Stage.playingBook()
        let disk = PlaybackError(.io, message: "input error")
        #expect(stage.on(.engineFailed(generation: 1, disk, heard: at(9))).first == .retry(attempt: 1, .seek))
        stage = Stage.playingBook()
        stage.on(.engineFailed(generation: 1, PlaybackError(.badContent, message: "corrupt"), heard: at(9)))
        #expect(stage.state.status == .error)
    }

    @Test func `a seek while the device is being opened requests it again`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        #expect(stage.on(.seek(to: at(9))).contains(.openStream(generation: 2)))
        #expect(stage.on(.streamFailed(generation: 1, PlaybackError(.unavailable, message: "old"))) == [])
        stage.on(.streamFailed(generation: 2, PlaybackError(.unavailable, message: "no server")))
        #expect(stage.state.status == .error, "and the command has its answer")
        #expect(stage.state.waiting == nil)
    }

    @Test func `a queue of addresses is a network item, too`() {
        let queue = ItemReference(
            uri: "queue:1", kind: .audio, title: "Queue", items: ["https://h/a.mp3", "https://h/b.mp3"])
        #expect(queue.isRemote)
        #expect(!bookItem.isRemote)
    }

    @Test func `another output continues at the same position`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.streamClosed(heard: at(700), goesOn: true))
        #expect(effects.suffix(2) == [.seek(generation: 2, at(700)), .openStream(generation: 2)])
        stage = Stage.playingBook()
        stage.on(.pauseNow, .streamClosed(heard: at(700), goesOn: true))
        #expect(stage.state.status == .paused)
        #expect(stage.on(.resume(id: 3)).contains(.openStream(generation: 2)))
    }

    @Test func `an underrun shows as loading and ends when sound arrives`() {
        var stage = Stage.playingBook()
        stage.on(.starved(generation: 1))
        #expect(stage.state.status == .loading)
        stage.on(.started(generation: 1))
        #expect(stage.state.status == .playing)
    }

    @Test func `a reload keeps the rate`() {
        var stage = Stage.playingBook()
        stage.on(.setRate(1.5, heard: at(10), byEngine: false))
        let effects = stage.on(.engineGone(generation: 1, PlaybackError(.defect, message: "died"), heard: at(20)))
        #expect(effects.contains { if case .load(_, _, rate: 1.5) = $0 { true } else { false } })
    }

    @Test func `no clock runs while nothing is wanted`() {
        var stage = Stage.playingBook()
        stage.on(.setRules(with { $0.releaseAfterPause = 0 }), .pauseNow)
        #expect(stage.state.clock == nil)
        stage.on(.stopNow)
        #expect(stage.state.clock == nil)
    }

    @Test func `a long pause gives the device up, and resume starts where it was`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(4_410)))
        #expect(stage.ring() == [.closeStream(generation: 1)])
        #expect(stage.state.status == .paused)
        #expect(
            stage.on(.resume(id: 2)) == [.seek(generation: 2, at(4_410)), .openStream(generation: 2)],
            "what the device had and nobody heard is rendered again")
    }

    private func with(_ change: (inout PlaybackRules) -> Void) -> PlaybackRules {
        var rules = PlaybackRules()
        change(&rules)
        return rules
    }
}

/// Tests that nothing but the user's own moves loses a saved place.
@Suite struct `Resume protection` {
    private func saves(_ effects: [PlaybackEffect]) -> [Int64] {
        effects.compactMap { if case .savePlace(_, let playing, _, _) = $0 { playing.position.units } else { nil } }
    }

    @Test func `a place more than 60 s below the floor is never saved`() {
        var stage = Stage.playingBook(at: 200_000)
        #expect(saves(stage.on(.heard(generation: 1, at(210_000)))) == [210_000])
        #expect(saves(stage.on(.heard(generation: 1, at(150_000)))) == [150_000], "a slip of exactly 60 s is one")
        #expect(stage.on(.heard(generation: 1, at(149_999))) == [.refusePlace(at(149_999), floor: at(210_000))])
        #expect(saves(stage.on(.pauseNow, .silenced(generation: 1, heard: at(0)))) == [])
    }

    @Test func `a move by the user lowers the floor`() {
        var stage = Stage.playingBook(at: 200_000)
        #expect(saves(stage.on(.seek(to: at(1_000)))) == [1_000])
        stage.on(.started(generation: 2))
        #expect(saves(stage.on(.heard(generation: 2, at(1_500)))) == [1_500])
    }

    @Test func `a finished item starts at 0 and is saved from there`() {
        var stage = Stage.playingBook(at: 200_000)
        stage.on(.ended(generation: 1, atLimit: false), .resume(id: 2), .streamOpened(generation: 2))
        stage.on(.started(generation: 2))
        #expect(saves(stage.on(.heard(generation: 2, at(10)))) == [10])
    }

    @Test func `the place of an item that was left is protected, too`() {
        var stage = Stage.playingBook(at: 200_000)
        stage.on(.play(id: 2, order(textItem, espeak), heard: nil))
        #expect(stage.on(.silenced(generation: 1, heard: at(0))) == [.refusePlace(at(0), floor: at(200_000))])
        #expect(stage.state.remembered[.main]?[.audio]?.position == at(200_000))
    }
}
