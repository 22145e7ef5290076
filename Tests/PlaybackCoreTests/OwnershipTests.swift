// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Document 002, “The Ownership Model”, “Playback Actions”, “The Player Screen”.
@Suite struct `Ownership` {
    private let viewer = OwnerID("clip-viewer-1")
    private let clipEngine = EngineID("clip")
    private let clip = ItemReference(uri: "file:///book.m4b#t=1,2", kind: .audio, title: "Clip", items: [])

    private func clipOrder(handsBack: Bool = false) -> PlayOrder {
        PlayOrder(
            item: clip, engine: clipEngine, start: at(1_000), provenance: .user, owner: viewer, rate: 1,
            handsBack: handsBack)
    }

    /// A book at double speed, and a clip that took the stage from it at 5,000.
    private func clipOverBook(handsBack: Bool = false) -> Stage {
        var stage = Stage.playingBook()
        stage.on(.setRate(2, heard: at(4_000), byEngine: false))
        stage.on(.play(id: 2, clipOrder(handsBack: handsBack), heard: at(5_000)))
        stage.on(.silenced(generation: 1, heard: at(5_004)), .loaded(generation: 2, start: at(1_000)))
        stage.on(.streamOpened(generation: 2), .started(generation: 2))
        return stage
    }

    @Test func `play with a context claims: the old owner is silent before the new one sounds`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.play(id: 2, clipOrder(), heard: at(5_000)))
        #expect(effects.first == .pauseStream(generation: 1))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.rate == 1)
    }

    @Test func `play without a context resumes, and ownership stays`() {
        var stage = clipOverBook()
        stage.on(.pauseNow)
        #expect(stage.state.owner == viewer, "pause keeps the owner")
        stage.on(.resume(id: 3))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.status == .playing)
    }

    @Test func `release hands back item, place, rate and playing, exactly`() {
        var stage = clipOverBook()
        let effects = stage.on(.release(id: 3, viewer, heard: at(1_500)))
        #expect(stage.state.owner == .main)
        #expect(stage.state.rate == 2)
        #expect(
            effects.contains(
                .load(
                    generation: stage.state.generation,
                    Playing(item: bookItem, engine: ffmpeg, position: at(5_004), provenance: .heard), rate: 2)))
        #expect(stage.state.intent == .play)
        #expect(
            stage.on(.loaded(generation: stage.state.generation, start: at(5_004))).contains(
                .openStream(generation: stage.state.generation)))
    }

    @Test func `what was paused is handed back paused, and the device is not opened`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5_000)))
        stage.on(.play(id: 2, clipOrder(), heard: nil), .loaded(generation: 2, start: at(1_000)))
        stage.on(.release(id: 3, viewer, heard: nil))
        let effects = stage.on(.loaded(generation: stage.state.generation, start: at(5_000)))
        #expect(!effects.contains { if case .openStream = $0 { true } else { false } })
        #expect(stage.state.status == .paused)
    }

    @Test func `no hand-back talks into a call or begins from a loudspeaker`() {
        for event in [PlaybackEvent.interruption(began: true), .routeLost] {
            var stage = clipOverBook(handsBack: true)
            stage.on(event)
            stage.on(.release(id: 3, viewer, heard: nil))
            #expect(stage.state.owner == .main)
            #expect(stage.state.intent == .pause)
        }
    }

    @Test func `a clip that fails over another clip still hands back`() {
        var stage = clipOverBook(handsBack: true)
        stage.on(.play(id: 3, clipOrder(handsBack: true), heard: nil))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(code: 66, message: "gone")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.intent == .play)
    }

    @Test func `play of an owner who comes back has his own speed`() {
        var stage = clipOverBook()
        stage.on(.play(id: 3, order(textItem, espeak), heard: nil))
        #expect(stage.state.owner == .main)
        #expect(stage.state.rate == 2)
    }

    @Test func `what a lost route held is not handed back playing`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost, .play(id: 2, clipOrder(handsBack: true), heard: nil))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.intent == .pause)
    }

    @Test func `a clip that ends gives the stage back by itself`() {
        var stage = clipOverBook(handsBack: true)
        let effects = stage.on(.ended(generation: 2, atLimit: false))
        #expect(effects.contains(.finished(uri: clip.uri, nil)))
        #expect(!effects.contains { if case .savePlace = $0 { true } else { false } }, "only main has places that last")
        #expect(stage.state.current?.item == bookItem)
        #expect(stage.state.intent == .play)
    }

    @Test func `a clip that cannot be opened gives the stage back as it was`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(handsBack: true), heard: at(5_000)))
        stage.on(.loadFailed(generation: 2, PlaybackError(code: 66, message: "no such file")))
        #expect(stage.state.owner == .main)
        #expect(stage.state.current?.position == at(5_000))
        #expect(stage.state.error?.code == 66)
    }

    @Test func `what was heard to its end is handed back at its beginning`() {
        var stage = Stage.playingBook()
        stage.on(
            .heard(generation: 1, at(9_000)), .ended(generation: 1, atLimit: false), .claim(id: 2, viewer, heard: nil))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.current?.position == .start)
        #expect(stage.state.current?.item == bookItem)
    }

    @Test func `an item that is handed back and cannot be opened is still named, paused, at its place`() {
        var stage = Stage.playingBook()
        stage.on(.claim(id: 2, viewer, heard: at(7_000)), .release(id: 3, viewer, heard: nil))
        stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(code: 66, message: "gone")))
        #expect(stage.state.status == .paused)
        #expect(stage.state.current?.item == bookItem && stage.state.current?.position == at(7_000))
    }

    @Test func `a clip's own volume goes with it`() {
        var stage = Stage.playingBook()
        var order = clipOrder()
        order.volume = 0.2
        stage.on(.play(id: 2, order))
        #expect(stage.state.volume == 0.2)
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.volume == 1)
    }

    @Test func `a stopped clip gives the stage back without a sound`() {
        var stage = clipOverBook(handsBack: true)
        stage.on(.stopNow)
        #expect(stage.state.owner == .main)
        #expect(stage.state.intent == .pause)
    }

    @Test func `a seek of who holds the stage acts only in the item that is there`() {
        var stage = Stage.playingBook()
        let stale = SeekOrder(to: at(9), owner: .main, uri: "file:///other.m4b")
        #expect(stage.on(.seek(stale)) == [.dropped(.otherItem)])
        let effects = stage.on(.seek(SeekOrder(to: at(9), owner: .main, uri: bookItem.uri)))
        #expect(effects.first == .seek(generation: 2, at(9)))
    }

    @Test func `a seek of another owner moves only where his next play begins`() {
        var stage = clipOverBook()
        let playing = stage.state.current
        let effects = stage.on(.seek(SeekOrder(to: at(90_000), owner: .main, uri: bookItem.uri)))
        #expect(stage.state.current == playing)
        #expect(!effects.contains { if case .seek = $0 { true } else { false } })
        #expect(stage.state.view(of: .main).playing?.position == at(90_000))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.current?.position == at(90_000))
    }

    @Test func `a late place of the old sound does not undo that seek`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(), heard: at(5_000)))
        stage.on(.seek(SeekOrder(to: at(90_000), owner: .main)), .silenced(generation: 1, heard: at(5_004)))
        #expect(stage.state.view(of: .main).playing?.position == at(90_000))
    }

    @Test func `commands of an owner who is off the stage touch nobody's sound`() {
        var stage = clipOverBook()
        #expect(stage.on(.pause(owner: .main, heard: nil)) == [.dropped(.notOwner)])
        #expect(stage.on(.stop(owner: .main)) == [.dropped(.notOwner)])
        #expect(stage.state.status == .playing)
    }

    @Test func `resume of an owner who is off the stage takes it with his own item`() {
        var stage = clipOverBook()
        let effects = stage.on(.resume(id: 3, owner: .main, heard: at(1_200)))
        #expect(effects.first == .pauseStream(generation: 2))
        #expect(stage.state.owner == .main)
        #expect(stage.state.current?.position == at(5_004))
        #expect(stage.state.rate == 2)
        #expect(stage.state.view(of: viewer).playing?.position == at(1_200))
    }

    @Test func `claim silences, and plays nothing`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.claim(id: 2, viewer, heard: at(5_000)))
        #expect(effects.contains(.closeStream(generation: 1)))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.status == .idle)
        #expect(stage.state.view(of: .main).suppression == .owner)
    }

    @Test func `owners give back in the order in which they took`() {
        var stage = clipOverBook()
        let editor = OwnerID("clip-editor-1")
        stage.on(.claim(id: 3, editor, heard: at(1_300)))
        #expect(stage.state.held.map(\.owner) == [.main, viewer])
        stage.on(.release(id: 4, editor, heard: nil))
        #expect(stage.state.owner == viewer)
        stage.on(.release(id: 5, viewer, heard: nil))
        #expect(stage.state.owner == .main)
    }

    @Test func `an owner who is off the stage can give up his turn`() {
        var stage = clipOverBook()
        stage.on(.claim(id: 3, OwnerID("editor"), heard: nil), .release(id: 4, viewer, heard: nil))
        #expect(stage.state.held.map(\.owner) == [.main])
    }

    @Test func `off the stage an owner sees his own item and place`() {
        let stage = clipOverBook()
        let main = stage.state.view(of: .main)
        #expect(main.playing?.position == at(5_004))
        #expect(main.status == .paused)
        #expect(main.rate == 2)
        #expect(stage.state.view(of: viewer).isOnStage)
    }

    @Test func `foreign owners cannot pile up without end`() {
        var stage = Stage.playingBook()
        for index in 0..<100 { stage.on(.claim(id: UInt64(index), OwnerID("owner-\(index)"), heard: nil)) }
        #expect(stage.state.held.count == PlaybackMachine.mostHeld)
        #expect(stage.state.held.first?.owner == .main)
    }
}

/// Document 004, “Phase 4: Interruptions and route changes”.
@Suite struct `Routes` {
    private let lost = PlaybackError(code: 74, message: "the sound server went away")

    @Test func `headphones out: silence, and never the loudspeaker by itself`() {
        var stage = Stage.playingBook()
        #expect(stage.on(.routeLost) == [.pauseStream(generation: 1)])
        #expect(stage.state.suppression == .routeLost)
        #expect(stage.on(.routeReturned) == [])
        #expect(stage.state.status == .paused)
        #expect(stage.on(.resume(id: 2)).first == .resumeStream, "the listener may")
    }

    @Test func `headphones out, then the server starts again: still only the listener goes on`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost, .outputFailed(PlaybackError(code: 74, message: "gone"), isDeviceGone: false, heard: nil))
        #expect(stage.state.outage == nil)
        #expect(stage.state.clock == nil, "nobody looks for it")
        #expect(stage.state.suppression == .routeLost)
        let effects = stage.on(.resume(id: 2))
        #expect(effects.contains { if case .openStream = $0 { true } else { false } })
    }

    @Test func `a server that comes back during a call is silent until the call ends`() {
        var stage = Stage.playingBook()
        stage.on(
            .interruption(began: true),
            .outputFailed(PlaybackError(code: 74, message: "gone"), isDeviceGone: false, heard: at(5_000)))
        stage.ring()
        #expect(stage.state.stream == .opening)
        #expect(stage.state.opensSilent)
        stage.on(.streamOpened(generation: stage.state.generation))
        #expect(stage.state.suppression == .interruption)
    }

    @Test func `headphones out while an item loads: the listener may go on before it is there`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost, .resume(id: 3))
        let effects = stage.on(.loaded(generation: 2, start: at(0)))
        #expect(effects.contains(.openStream(generation: 2)))
    }

    @Test func `headphones out while an item loads: the old stream is not kept for ever`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost)
        #expect(stage.on(.loaded(generation: 2, start: at(0))).contains(.closeStream(generation: 2)))
    }

    @Test func `back again goes on if a setting says so`() {
        var rules = PlaybackRules()
        rules.resumesOnRouteReturn = true
        var stage = Stage.playingBook()
        stage.on(.setRules(rules), .routeLost)
        #expect(stage.on(.routeReturned) == [.resumeStream])
    }

    @Test func `a toggle goes by what is really there`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost)
        #expect(stage.on(.toggle(id: 2)).first == .resumeStream, "it is silent: play")
        #expect(stage.on(.toggle(id: 3)).first == .pauseStream(generation: 1))
    }

    @Test func `an interruption that ends under a lost route changes nothing`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true), .routeLost)
        #expect(stage.on(.interruption(began: false)) == [])
        #expect(stage.state.suppression == .routeLost)
    }

    @Test func `headphones out while the next item loads: it is not heard`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .routeLost)
        let effects = stage.on(.loaded(generation: 2, start: at(0)))
        #expect(!effects.contains { if case .openStream = $0 { true } else { false } })
        #expect(stage.state.suppression == .routeLost)
    }

    @Test func `a call of an hour: the stream stays, so that it is told of the end`() {
        var stage = Stage.playingBook()
        stage.on(.interruption(began: true))
        #expect(stage.state.clock == nil)
        #expect(stage.on(.interruption(began: false)) == [.resumeStream])
    }

    @Test func `a call that begins as the device opens: the stream is there, and silent`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)), .loaded(generation: 1, start: at(0)))
        #expect(stage.on(.interruption(began: true)) == [.reply(id: 1, nil)])
        #expect(stage.on(.streamOpened(generation: 1)) == [.pauseStream(generation: 1)])
        #expect(stage.on(.interruption(began: false)).contains(.resumeStream))
    }

    @Test func `a chime does not start what the listener paused`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .interruption(began: true))
        #expect(stage.on(.interruption(began: false)) == [])
    }

    @Test func `the sound server gone: hold, look for it, go on from the audible place`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        #expect(effects.contains(.seek(generation: 2, at(777))))
        #expect(stage.state.suppression == .routeLost)
        #expect(stage.state.clock?.kind == .reconnect)
        #expect(stage.ring() == [.openStream(generation: 2)])
        stage.on(.streamFailed(generation: 2, lost))
        #expect(stage.ring() == [.openStream(generation: 2)])
        stage.on(.streamOpened(generation: 2), .started(generation: 2))
        #expect(stage.state.status == .playing)
    }

    @Test func `a server that stays away is an error after 30 s`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        for _ in 0..<30 {
            stage.ring()
            stage.on(.streamFailed(generation: 2, lost))
        }
        stage.ring()
        #expect(stage.state.status == .error)
        #expect(stage.state.error == lost)
    }

    @Test func `resume meanwhile tries at once, and is told`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(777)))
        #expect(stage.on(.resume(id: 5)) == [.openStream(generation: 2)])
        #expect(stage.on(.streamFailed(generation: 2, lost)) == [.reply(id: 5, lost)])
        #expect(stage.state.outage != nil)
    }

    @Test func `a sink that is gone while the server is there: hold, and no other one`() {
        var stage = Stage.playingBook()
        stage.on(.outputFailed(lost, isDeviceGone: true, heard: at(777)))
        #expect(stage.state.status == .paused)
        #expect(stage.state.clock == nil)
        #expect(stage.on(.resume(id: 2)).contains { if case .openStream = $0 { true } else { false } })
    }

    @Test func `a stream that is lost while paused is no error`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5)))
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: at(5)))
        #expect(stage.state.status == .paused)
        #expect(stage.state.error == nil)
    }
}
