// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@Suite struct `Switching engines` {
    @Test func `a switch between book and text restores each where it was heard last`() {
        var stage = Stage.playingBook()
        let toText = stage.on(.play(id: 2, order(textItem, espeak)))
        #expect(toText.first == .pauseStream(generation: 1), "the book stops before the text is loaded")
        stage.on(
            .silenced(generation: 1, heard: at(60_000)), .loaded(generation: 2, start: at(0)),
            .streamOpened(generation: 2), .started(generation: 2))
        #expect(stage.state.status == .playing)
        let back = stage.on(.switchEngine(id: 3, ffmpeg, kinds: [.audio], heard: at(40)))
        #expect(back.first == .pauseStream(generation: 2))
        #expect(
            back.contains(
                .load(
                    generation: 3, Playing(item: bookItem, engine: ffmpeg, position: at(60_000), provenance: .heard),
                    rate: 1)))
        stage.on(.silenced(generation: 2, heard: at(42)))
        #expect(stage.state.remembered[.main]?[.text]?.position == at(42))
    }

    @Test func `an engine that can load the present item continues it at the same position`() {
        var stage = Stage.playingBook()
        let other = EngineID("other")
        let effects = stage.on(.switchEngine(id: 2, other, kinds: [.audio, .text], heard: at(1234)))
        #expect(
            effects.contains(
                .load(
                    generation: 2, Playing(item: bookItem, engine: other, position: at(1234), provenance: .heard),
                    rate: 1)))
    }

    @Test func `an engine with nothing to play changes nothing`() {
        var stage = Stage.playingBook()
        let before = stage.state
        #expect(stage.on(.switchEngine(id: 2, espeak, kinds: [.text], heard: at(9))) == [.nothingToPlay(id: 2)])
        #expect(stage.state == before)
    }

    @Test(arguments: [ffmpeg, EngineID("other")])
    func `an engine that is chosen during a pause starts the sound`(_ engine: EngineID) {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(1234)))
        stage.on(.switchEngine(id: 2, engine, kinds: [.audio], heard: nil))
        #expect(stage.state.intent == .play)
        #expect(stage.state.current?.engine == engine && stage.state.current?.position == at(1234))
    }

    @Test func `an engine without extensions takes no item over, and continues with its own`() {
        let tone = EngineID("tone")
        var stage = Stage.playingBook()
        let before = stage.state
        #expect(stage.on(.switchEngine(id: 2, tone, kinds: [], heard: at(9))) == [.nothingToPlay(id: 2)])
        #expect(stage.state == before)
        let tones = ItemReference(uri: "file:///tones", kind: .audio, title: "Tones", items: [])
        stage.on(.play(id: 3, order(tones, tone)), .loaded(generation: 2, start: at(0)), .pauseNow)
        let resumed = stage.on(.switchEngine(id: 4, tone, kinds: [], heard: nil))
        #expect(stage.state.intent == .play)
        #expect(!resumed.contains { if case .load = $0 { true } else { false } }, "it is open already")
        stage.on(.stopNow, .switchEngine(id: 5, tone, kinds: [], heard: nil))
        #expect(stage.state.current?.item == tones)
    }

    @Test func `the late position of an item that was left does not move the same item once resumed`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(bookItem, ffmpeg, at: 100)))
        #expect(stage.on(.silenced(generation: 1, heard: at(99_999))) == [])
        #expect(stage.state.current?.position == at(100))
    }
}
