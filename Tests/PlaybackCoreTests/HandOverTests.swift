// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// An engine that fails for good hands its text to the one that stands in for it.
@Suite struct `The engine that stands in` {
    private static let broken = PlaybackError(.defect, message: "the voice is damaged")
    private static let neural = EngineID("neural")

    /// Returns a stage on which a text is being opened by the neural engine over a book that plays.
    private static func opening(at start: Int64 = 0, offered: EngineID? = espeak) -> Stage {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, neural, at: start), heard: at(60_000)))
        stage.on(.standIn(generation: 2, offered))
        return stage
    }

    private static func reading(at start: Int64 = 0) -> Stage {
        var stage = opening(at: start)
        stage.on(.loaded(generation: 2, start: at(start)), .streamOpened(generation: 2), .started(generation: 2))
        return stage
    }

    private static func handsOver(_ effects: [PlaybackEffect]) -> Bool { effects.contains(where: \.handsOver) }

    @Test func `opens a text whose voice cannot be loaded, and the command waits for its sound`() {
        var stage = Self.opening(at: 40)
        let effects = stage.on(.loadFailed(generation: 2, Self.broken))
        #expect(effects.first == .handOver(from: Self.neural, to: espeak, Self.broken))
        #expect(effects.contains(.unload(Self.neural)), "it may be ready when it is asked again")
        #expect(!effects.contains { if case .reply = $0 { true } else { false } })
        #expect(stage.state.status == .loading && stage.state.waiting == 2)
        #expect(stage.state.current?.item == textItem && stage.state.current?.position == at(40))
        #expect(stage.state.current?.chosenEngine == Self.neural)
        #expect(stage.state.current?.substitution == "espeak goes on in place of neural: the voice is damaged")
        let heard = stage.on(
            .loaded(generation: 3, start: at(40)), .streamOpened(generation: 3), .started(generation: 3))
        #expect(heard.contains(.reply(id: 2, nil)) && stage.state.isPlaying)
    }

    @Test func `takes over at the place that was heard last, when an engine dies there again`() {
        var stage = Self.reading()
        let died = PlaybackEvent.engineGone(generation: 2, Self.broken, heard: at(700), beyond: at(800))
        #expect(!Self.handsOver(stage.on(died)), "the first time it may be chance")
        stage.on(.standIn(generation: 3, espeak), .loaded(generation: 3, start: at(700)))
        let second = stage.on(.engineGone(generation: 3, Self.broken, heard: nil, beyond: at(800)))
        #expect(Self.handsOver(second) && stage.state.current?.position == at(700))
        #expect(!second.contains { if case .stepOver = $0 { true } else { false } }, "nothing is left out")
        #expect(stage.state.attempt == 0 && stage.state.fatal == nil)
    }

    @Test func `takes over from an engine that cannot speak, at once`() {
        var stage = Self.reading()
        #expect(Self.handsOver(stage.on(.engineFailed(generation: 2, Self.broken, heard: at(700)))))
        #expect(stage.state.current?.position == at(700) && stage.state.intent == .play)
    }

    @Test func `takes over when nothing brings the sound back`() {
        var stage = Self.reading()
        var effects: [PlaybackEffect] = []
        for _ in 0..<10 where !Self.handsOver(effects) {
            effects = stage.ring(heard: at(700))
            let generation = stage.state.generation
            if stage.state.phase == .loading, !Self.handsOver(effects) {
                stage.on(.standIn(generation: generation, espeak), .loaded(generation: generation, start: at(700)))
            }
            stage.on(.streamOpened(generation: generation), .started(generation: generation))
        }
        #expect(Self.handsOver(effects) && stage.state.current?.position == at(700))
    }

    /// It is offered for each process again, which may be gone by then.
    @Test func `takes over from processes that die before it is offered again`() {
        var stage = Self.reading()
        stage.on(.engineGone(generation: 2, Self.broken, heard: at(700), beyond: nil))
        var effects: [PlaybackEffect] = []
        for _ in 0..<4 where !Self.handsOver(effects) && stage.state.phase == .loading {
            effects = stage.on(.engineGone(generation: stage.state.generation, Self.broken, heard: nil, beyond: nil))
        }
        #expect(Self.handsOver(effects) && stage.state.current?.position == at(700))
        #expect(stage.state.status == .loading && stage.state.intent == .play)
    }

    @Test func `takes over a load that takes too long`() {
        var stage = Self.opening()
        let effects = stage.ring()
        #expect(Self.handsOver(effects) && effects.contains(.endEngine(Self.neural)))
        #expect(stage.state.phase == .loading && stage.state.clock?.kind == .load)
    }

    @Test func `takes over in silence what is paused`() {
        var stage = Self.reading()
        stage.on(.pauseNow)
        stage.on(.engineFailed(generation: 2, Self.broken, heard: nil))
        stage.on(.loaded(generation: 3, start: at(0)))
        #expect(stage.state.status == .paused && stage.state.current?.engine == espeak)
    }

    @Test func `is not asked if the device fails`() {
        var stage = Self.reading()
        stage.on(.outputFailed(PlaybackError(.io, message: "no server"), isDeviceGone: false, heard: at(700)))
        for _ in 0..<60 where stage.state.phase != .failed {
            #expect(!Self.handsOver(stage.ring()))
            stage.on(
                .streamFailed(generation: stage.state.generation, PlaybackError(.unavailable, message: "no server")))
        }
        #expect(stage.state.phase == .failed && stage.state.current?.engine == Self.neural)
    }

    @Test func `fails as any engine does, and is not replaced`() {
        var stage = Self.opening()
        stage.on(.loadFailed(generation: 2, Self.broken))
        let effects = stage.on(.loadFailed(generation: 3, PlaybackError(.badContent, message: "no text")))
        #expect(!Self.handsOver(effects))
        #expect(effects.contains(.reply(id: 2, PlaybackError(.badContent, message: "no text"))))
        #expect(stage.state.current?.item == bookItem, "what was there before is back")
    }

    @Test func `is nobody if none was offered, or if that was taken back`() {
        var none = Self.opening(offered: nil)
        #expect(!Self.handsOver(none.on(.loadFailed(generation: 2, Self.broken))))
        var stage = Self.opening()
        stage.on(.standIn(generation: 2, nil))
        #expect(!Self.handsOver(stage.on(.loadFailed(generation: 2, Self.broken))))
        #expect(stage.state.current?.item == bookItem)
    }

    @Test func `is offered for one load only`() {
        var stage = Self.opening()
        #expect(stage.on(.standIn(generation: 1, espeak)) == [.dropped(.stale)])
        stage.on(.play(id: 3, order(bookItem, ffmpeg)))
        #expect(!Self.handsOver(stage.on(.loadFailed(generation: 3, Self.broken))))
    }

    @Test func `is what was chosen once it is asked for, and leaves when another engine is`() {
        var stage = Self.reading()
        stage.on(.engineFailed(generation: 2, Self.broken, heard: nil), .loaded(generation: 3, start: at(0)))
        var same = stage
        same.on(.switchEngine(id: 4, espeak, kinds: [.text], heard: nil))
        #expect(same.state.current?.chosenEngine == espeak && same.state.current?.substitution == nil)
        let back = stage.on(.switchEngine(id: 4, Self.neural, kinds: [.text], heard: nil))
        #expect(
            back.contains { if case .load(_, let playing, _) = $0 { playing.engine == Self.neural } else { false } })
        #expect(stage.state.current?.insteadOf == nil)
    }
}
