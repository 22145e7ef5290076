// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

@Suite struct `A load that fails` {
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

    @Test func `a retry that fails leaves the same item loaded`() {
        var stage = Stage.playingBook()
        stage.on(
            .play(id: 2, order(textItem, espeak, at: 40)), .loaded(generation: 2, start: at(40)),
            .engineFailed(generation: 2, PlaybackError(.badContent, message: "damaged"), heard: nil), .resume(id: 3),
            .loadFailed(generation: 3, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.status == .paused)
        #expect(stage.state.current?.item == textItem && stage.state.current?.position == at(40))
    }

    @Test func `a seek while an item is opened again stays if that fails`() {
        var stage = Stage.playingBook()
        stage.on(
            .engineFailed(generation: 1, PlaybackError(.badContent, message: "damaged"), heard: at(9_000)),
            .resume(id: 3),
            .seek(to: at(30_000)))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.status == .paused && stage.state.current?.position == at(30_000))
    }

    @Test func `a load that fails after a stop leaves nothing loaded, and focus with its owner`() {
        var stage = Stage.clipOverBook()
        let clip = stage.state.owner
        stage.on(.play(id: 5, order(bookItem, ffmpeg, at: 9_000), heard: at(100)))
        stage.on(.loaded(generation: stage.state.generation, start: at(9_000)), .stopNow)
        #expect(stage.state.held.map(\.owner) == [clip])
        stage.on(.play(id: 6, order(textItem, espeak)))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.status == .idle)
        let again = stage.on(.toggle(id: 7))
        #expect(
            again.contains { if case .load(_, let playing, _) = $0 { playing.item == bookItem } else { false } })
    }

    @Test func `an owner whose load takes focus and fails keeps what it had without focus`() {
        var stage = Stage.clipOverBook()
        stage.on(.play(id: 5, order(textItem, espeak), heard: at(1_100)), .silenced(generation: 1, heard: at(5_008)))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.owner == viewer)
        let back = stage.on(.release(id: 6, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.intent == .play)
        #expect(back.contains { if case .load(_, let playing, _) = $0 { playing.item == bookItem } else { false } })
    }

    @Test func `owners keep their order when a load that took focus fails`() {
        var stage = Stage.clipOverBook()
        stage.on(.play(id: 5, order(bookItem, ffmpeg, at: 9_000), heard: at(1_100)))
        stage.on(.loaded(generation: stage.state.generation, start: at(9_000)), .claim(id: 6, OwnerID("y"), heard: nil))
        #expect(stage.state.held.map(\.owner) == [viewer, .main])
        stage.on(.play(id: 7, order(textItem, espeak), heard: nil))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.owner == OwnerID("y") && stage.state.held.map(\.owner) == [viewer, .main])
    }

    @Test func `a load that took focus and fails hands it back, paused`() {
        var stage = Stage.clipOverBook()
        let clip = stage.state.owner
        stage.on(.play(id: 5, order(textItem, espeak), heard: at(100)))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.owner == clip)
        #expect(stage.state.intent == .pause)
    }

    @Test func `a claim during a load keeps the item that was to be replaced`() {
        let steps: [[PlaybackEvent]] = [
            [.claim(id: 3, viewer, heard: nil)], [.play(id: 3, clipOrder(), heard: nil)],
        ]
        for taking in steps {
            var stage = Stage.playingBook()
            stage.on(.play(id: 2, order(textItem, espeak), heard: at(5_000)))
            for event in taking { stage.on(event) }
            // The exact position arrives late.
            stage.on(.silenced(generation: 1, heard: at(5_004)), .release(id: 4, viewer, heard: nil))
            #expect(stage.state.current?.item == textItem && stage.state.phase == .loading)
            stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
            #expect(stage.state.status == .paused)
            #expect(stage.state.current?.item == bookItem && stage.state.current?.position == at(5_004))
        }
    }

    @Test func `an item that is handed back and cannot be opened is still named, paused at its place`() {
        var stage = Stage.playingBook()
        stage.on(.claim(id: 2, viewer, heard: at(7_000)), .release(id: 3, viewer, heard: nil))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.status == .paused)
        #expect(stage.state.current?.item == bookItem && stage.state.current?.position == at(7_000))
    }

    @Test func `a clip that cannot be opened hands focus back as it was`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(handsBack: true), heard: at(5_000)))
        stage.on(.loadFailed(generation: 2, PlaybackError(.noInput, message: "no such file")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.current?.position == at(5_000))
        #expect(stage.state.error?.kind == .noInput)
    }

    @Test func `a clip that replaced another clip and fails still hands focus back`() {
        var stage = Stage.clipOverBook(handsBack: true)
        stage.on(.play(id: 3, clipOrder(handsBack: true), heard: nil))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.noInput, message: "gone")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.intent == .play)
    }

    @Test func `a pause of an item that cannot be opened counts for what its owner had`() {
        var stage = Stage.clipOverBook()
        stage.on(.play(id: 5, order(textItem, espeak), heard: at(1_100)), .pauseNow)
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        stage.on(.release(id: 6, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.intent == .pause)
    }

    @Test func `an item that was never open does not replace what was there, however often it is tried`() {
        var stage = Stage.playingBook(at: 5_000)
        let died = PlaybackError(.defect, message: "the engine was killed by signal 11")
        stage.on(.play(id: 2, order(textItem, espeak), heard: at(6_000)))
        stage.on(.engineGone(generation: 2, died, heard: nil, beyond: at(10)))
        #expect(stage.state.attempt == 1 && stage.state.loaded.displaced?.item == bookItem)
        for _ in 0..<10 where stage.state.phase == .loading {
            stage.on(
                .loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        }
        #expect(stage.state.current?.item == bookItem && stage.state.status == .paused)
        #expect(stage.state.current?.position == at(6_000))
    }

    @Test func `an item that was open and cannot be opened again is named when all attempts are over`() {
        var stage = Stage.playingBook(at: 5_000)
        let died = PlaybackError(.defect, message: "the engine was killed by signal 11")
        stage.on(.engineGone(generation: 1, died, heard: at(6_000), beyond: nil))
        for _ in 0..<10 where stage.state.phase == .loading {
            stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.noInput, message: "gone")))
        }
        #expect(stage.state.current?.item == bookItem && stage.state.phase == .failed)
    }

    @Test func `an owner keeps its own item when another one takes focus from it during a load`() {
        var stage = Stage.clipOverBook()
        let place = stage.state.held.last?.playing?.position
        stage.on(.play(id: 5, order(textItem, espeak), heard: at(1_100)))
        stage.on(.claim(id: 6, viewer, heard: nil), .release(id: 7, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.current?.item == textItem)
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(.badContent, message: "no text")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.current?.item == bookItem && stage.state.current?.position == place)
    }

    @Test func `an owner whose item cannot be looked up keeps what it had without focus`() {
        var stage = Stage.clipOverBook()
        stage.on(.play(id: 5, order(bookItem, ffmpeg, at: 9_000), heard: at(1_100)))
        stage.on(.loaded(generation: stage.state.generation, start: at(9_000)))
        #expect(stage.state.held.map(\.owner) == [viewer])
        stage.on(
            .lookUpFailed(
                id: 6, clipOrder(handsBack: true), PlaybackError(.io, message: "no library"), heard: at(9_100)))
        #expect(stage.state.owner == .main && stage.state.current?.item == bookItem)
        #expect(stage.state.held.map(\.owner) == [viewer])
    }
}
