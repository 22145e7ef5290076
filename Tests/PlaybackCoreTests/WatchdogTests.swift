// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Tests of the watchdog: its clocks, the recovery attempts, engines that die, and loads that take too long.
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
        #expect(stage.state.status == .idle, "idle if nothing was loaded (document 002, “Play with context”)")
    }

    @Test func `a load that fails leaves the previous item, paused`() {
        var stage = Stage.playingBook(at: 5_000)
        stage.on(.play(id: 2, order(textItem, espeak), heard: at(6_000)), .silenced(generation: 1, heard: at(6_001)))
        stage.on(.loadFailed(generation: 2, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.status == .paused)
        #expect(stage.state.current?.item == bookItem)
        #expect(stage.state.error?.kind == .badContent, "and says why")
        let again = stage.on(.resume(id: 3))
        #expect(
            again.contains { if case .load(_, let playing, _) = $0 { playing.position == at(6_001) } else { false } })
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

    @Test func `content that kills an engine twice is skipped, further each time`() {
        var stage = Stage.playingBook()
        let first = stage.on(.engineGone(generation: 1, Self.died, heard: at(5_000), beyond: at(6_000)))
        #expect(first.contains(.retry(attempt: 1, .restartEngine)), "the first time it may be chance")
        stage.on(.loaded(generation: 2, start: at(5_000)))
        let second = stage.on(.engineGone(generation: 2, Self.died, heard: nil, beyond: at(6_000)))
        #expect(second.contains(.stepOver(at(5_000), to: at(6_000))))
        #expect(stage.state.current?.position == at(6_000) && stage.state.fatal?.steps == 1)
        let third = stage.on(.engineGone(generation: 3, Self.died, heard: nil, beyond: at(8_000)))
        #expect(third.contains(.stepOver(at(6_000), to: at(8_000))))
        stage.on(
            .loaded(generation: 4, start: at(8_000)), .streamOpened(generation: 4), .started(generation: 4),
            .heard(generation: 4, at(20_000)))
        let later = stage.on(.engineGone(generation: 4, Self.died, heard: at(20_000), beyond: at(21_000)))
        #expect(later.contains(.retry(attempt: 1, .restartEngine)), "that is another place, and more was heard")
    }

    /// Plays a text of which every sentence has 100 bytes and kills the engine, from its start to `end`.
    private func speak(_ stage: inout Stage, from start: Int64 = 0, to end: Int64) {
        var place = start
        for _ in 0..<400 where stage.state.phase != .failed {
            let generation = stage.state.generation
            stage.on(.loaded(generation: generation, start: at(place)), .streamOpened(generation: generation))
            guard place < end else { return }
            stage.on(
                .engineGone(
                    generation: generation, Self.died, heard: nil, beyond: at(place + 100),
                    leavesOut: UnspokenText(sentences: 1, total: 60)))
            place = stage.state.current?.position.units ?? 0
        }
    }

    @Test func `a text that cannot be spoken at all is refused, and the place stays`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(textItem, espeak)))
        speak(&stage, to: 5_000)
        #expect(stage.state.unspoken == UnspokenText(sentences: 50, total: 60))
        let effects = stage.on(.ended(generation: stage.state.generation, atLimit: false))
        let told = effects.compactMap { if case .reply(1, let error?) = $0 { error.kind } else { nil } }
        #expect(told == [.badContent] && stage.state.status == .error)
        #expect(stage.state.current?.position == at(0))
        #expect(!effects.contains { if case .savePlace = $0 { true } else { false } })
    }

    @Test func `passages of a text that cannot be spoken are left out`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(textItem, espeak)))
        speak(&stage, to: 3_000)
        stage.on(.started(generation: stage.state.generation))
        #expect(stage.state.status == .playing && stage.state.unspoken?.sentences == 30)
        stage.on(.ended(generation: stage.state.generation, atLimit: false))
        #expect(stage.state.status == .ended && stage.state.unspoken == UnspokenText(sentences: 30, total: 60))
        // The report counts this time only.
        stage.on(.play(id: 2, order(textItem, espeak)))
        #expect(stage.state.unspoken == nil)
    }

    @Test func `attempts to skip passages of a text end, even after some of it was heard`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(textItem, espeak)), .loaded(generation: 1, start: at(0)))
        stage.on(.streamOpened(generation: 1), .started(generation: 1), .heard(generation: 1, at(500)))
        stage.on(.engineGone(generation: 1, Self.died, heard: at(500), beyond: at(600)))
        speak(&stage, from: 500, to: 5_000)
        stage.on(.ended(generation: stage.state.generation, atLimit: false))
        #expect(stage.state.status == .ended && stage.state.unspoken?.wasHeard == true)
        var other = Stage()
        other.on(.play(id: 1, order(textItem, espeak)))
        speak(&other, to: .max)
        #expect(other.state.status == .error && other.state.error?.kind == .badContent)
    }

    @Test func `what a dead engine left is heard while another process continues behind it`() {
        var stage = Stage.playingBook()
        let state = stage.state
        let effects = stage.on(.engineLost(generation: 1, end: at(11_000), wasIdle: false))
        #expect(effects == [.carryOn(generation: 1, at(11_000))])
        #expect(stage.state.generation == 1 && stage.state.status == .playing && stage.state.clock == state.clock)
        #expect(stage.on(.engineLost(generation: 0, end: at(11_000), wasIdle: false)) == [.dropped(.stale)])
        // It died there again, so the content there kills it; it is skipped once everything before it was heard.
        #expect(stage.on(.engineLost(generation: 1, end: at(11_400), wasIdle: false)).isEmpty)
        let over = stage.on(.engineGone(generation: 1, Self.died, heard: at(11_400), beyond: at(12_400)))
        #expect(over.contains(.stepOver(at(11_400), to: at(12_400))))
        // What is not heard yet behind a skip may lead back to its start.
        stage.on(.loaded(generation: 2, start: at(12_400)), .streamOpened(generation: 2))
        #expect(stage.on(.engineLost(generation: 2, end: at(18_000), wasIdle: false)).isEmpty)
        stage.on(.started(generation: 2))
        #expect(!stage.on(.engineLost(generation: 2, end: at(18_000), wasIdle: false)).isEmpty)
    }

    @Test func `a process that dies while idle was not killed by the content there`() {
        var stage = Stage.playingBook()
        for _ in 0..<8 {
            let effects = stage.on(.engineLost(generation: 1, end: at(11_000), wasIdle: true))
            #expect(effects == [.carryOn(generation: 1, at(11_000))])
        }
        // But this does not continue for ever.
        #expect(stage.on(.engineLost(generation: 1, end: at(11_000), wasIdle: true)).isEmpty)
        #expect(stage.state.fatal == nil)
        #expect(!stage.on(.engineLost(generation: 1, end: at(12_000), wasIdle: true)).isEmpty)
    }

    @Test func `no process continues behind sound that has run out, or a stream that is not open`() {
        var stage = Stage.playingBook()
        stage.on(.starved(generation: 1))
        #expect(stage.on(.engineLost(generation: 1, end: at(11_000), wasIdle: false)).isEmpty)
        stage.on(.engineGone(generation: 1, Self.died, heard: at(11_000)))
        #expect(stage.on(.engineLost(generation: 2, end: at(11_000), wasIdle: false)).isEmpty)
    }

    @Test func `content that cannot be skipped is an error in the end`() {
        var stage = Stage.playingBook()
        var steps = 0
        while stage.state.phase != .failed, steps < 100 {
            let place = stage.state.current?.position.units ?? 0
            stage.on(
                .engineGone(generation: stage.state.generation, Self.died, heard: nil, beyond: at(place + 1_000)))
            steps += 1
        }
        #expect(stage.state.status == .error)
        #expect(steps <= stage.state.rules.maximumSteps + stage.state.rules.maximumAttempts + 1)
    }

    @Test func `if nothing is heard behind any skip, the position that was heard stays`() {
        var stage = Stage.playingBook()
        var saved: Set<MediaPosition> = []
        for step in 0..<100 where stage.state.phase != .failed {
            let place = step == 0 ? 5_000 : stage.state.current?.position.units ?? 0
            let effects = stage.on(
                .engineGone(
                    generation: stage.state.generation, Self.died, heard: step == 0 ? at(5_000) : nil,
                    beyond: at(place + 1_000)))
            for case .savePlace(_, let playing, _, _) in effects { saved.insert(playing.position) }
        }
        #expect(stage.state.status == .error && saved == [at(5_000)])
        #expect(stage.state.current?.position == at(5_000))
        let again = stage.on(.resume(id: 2))
        #expect(
            again.contains { if case .load(_, let playing, _) = $0 { playing.position == at(5_000) } else { false } })
    }

    @Test func `an engine that dies now and then is restarted each time`() {
        var stage = Stage.playingBook()
        for round in 1...20 {
            let place = Int64(round) * 3_000
            stage.on(
                .engineGone(generation: stage.state.generation, Self.died, heard: at(place), beyond: at(place + 1_000)))
            #expect(stage.state.attempt == 1 && stage.state.current?.position == at(place))
            let generation = stage.state.generation
            stage.on(
                .loaded(generation: generation, start: at(place)), .streamOpened(generation: generation),
                .started(generation: generation))
        }
    }

    @Test func `a retry that fails leaves the same item loaded`() {
        var stage = Stage.playingBook()
        stage.on(
            .play(id: 2, order(textItem, espeak, at: 40)), .loaded(generation: 2, start: at(40)),
            .engineFailed(generation: 2, PlaybackError(.badContent, message: "damaged"), heard: nil), .resume(id: 3),
            .loadFailed(generation: 3, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.status == .paused)
        #expect(stage.state.current?.item == textItem && stage.state.current?.position == at(40))
    }

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
            .loaded(generation: 1, start: at(0), pace: 1000, needsSeek: false, isRemote: true))
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
