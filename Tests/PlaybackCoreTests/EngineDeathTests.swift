// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// An engine that dies is restarted, continued by another process, or kept away from the content that kills it.
@Suite struct `The death of an engine` {
    private static let died = PlaybackError(.defect, message: "the engine was killed by signal 11")

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

    @Test func `sound that a dead engine left is heard while another process continues behind it`() {
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

    /// Deaths that let content be skipped without an attempt that counts.
    @Test(arguments: [true, false]) func `a skip whose item cannot be opened leaves it loaded, where it was before`(
        _ wasLost: Bool
    ) {
        var stage = Stage.playingBook()
        if wasLost {
            stage.on(.engineLost(generation: 1, end: at(10_000), wasIdle: false))
        } else {
            stage.on(.engineGone(generation: 1, Self.died, heard: at(9_900), beyond: at(10_900)))
            stage.on(
                .loaded(generation: 2, start: at(9_900)), .streamOpened(generation: 2), .started(generation: 2),
                .heard(generation: 2, at(9_950)), .heard(generation: 2, at(10_000)))
        }
        let now = stage.state.generation
        let over = stage.on(.engineGone(generation: now, Self.died, heard: at(10_000), beyond: at(11_000)))
        #expect(over.contains(.stepOver(at(10_000), to: at(11_000))))
        #expect(stage.state.attempt == 0)
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.status == .paused && stage.state.error?.kind == .noInput)
        #expect(stage.state.current?.item == bookItem && stage.state.current?.position == at(10_000))
        let again = stage.on(.resume(id: 9))
        #expect(
            again.contains { if case .load(_, let playing, _) = $0 { playing.position == at(10_000) } else { false } })
    }
}
