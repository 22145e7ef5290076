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

    /// Every way to a hand-back, with what it comes with.
    enum Way: CaseIterable {
        case release, ended, stopped, loadFailed, loadTimeout, engineFailed, streamFailed, outageOver
    }

    @Test(arguments: Way.allCases, [PlaybackEvent.interruption(began: true), .routeLost])
    func `whatever leads to it, no hand-back talks into a call or begins from a loudspeaker`(
        _ way: Way, _ hold: PlaybackEvent
    ) {
        let error = PlaybackError(code: 65, message: "broken")
        var stage = clipOverBook(handsBack: true)
        switch way {
        case .release: stage.on(hold, .release(id: 3, viewer, heard: nil))
        case .ended: stage.on(hold, .ended(generation: 2, atLimit: false))
        case .stopped: stage.on(hold, .stopNow)
        case .engineFailed: stage.on(hold, .engineFailed(generation: 2, error, heard: nil))
        case .loadFailed, .loadTimeout:
            stage.on(.play(id: 3, clipOrder(handsBack: true), heard: nil), hold)
            if way == .loadFailed { stage.on(.loadFailed(generation: 3, error)) } else { stage.ring() }
        case .streamFailed:
            stage.on(
                .play(id: 3, clipOrder(handsBack: true), heard: nil), .loaded(generation: 3, start: at(1_000)), hold,
                .streamFailed(generation: stage.state.generation, error))
            stage.on(.streamFailed(generation: stage.state.generation, error))
        case .outageOver:
            stage.on(hold, .outputFailed(error, isDeviceGone: false, heard: nil))
            while stage.state.owner == viewer, stage.state.clock != nil {
                stage.ring()
                stage.on(.streamFailed(generation: stage.state.generation, error))
            }
            // A route that is lost is not looked for.
            if stage.state.owner == viewer { stage.on(.release(id: 3, viewer, heard: nil)) }
        }
        #expect(stage.state.owner == .main && stage.state.current?.item == bookItem)
        #expect(stage.state.intent == .pause)
    }

    @Test(arguments: [PlaybackEvent.interruption(began: true), .routeLost])
    func `what would hold the sound counts at a hand-back also if nothing sounded when it came`(_ hold: PlaybackEvent) {
        var paused = clipOverBook()
        paused.on(.pauseNow, hold, .release(id: 3, viewer, heard: nil))
        #expect(paused.state.owner == .main && paused.state.intent == .pause)
        var silent = Stage.playingBook()
        silent.on(.claim(id: 2, viewer, heard: at(5_000)), hold, .release(id: 3, viewer, heard: nil))
        #expect(silent.state.owner == .main && silent.state.intent == .pause)
    }

    @Test func `a call that is over, or a loudspeaker that was chosen, holds nobody who gets the stage back`() {
        var call = clipOverBook(handsBack: true)
        call.on(.interruption(began: true), .interruption(began: false), .ended(generation: 2, atLimit: false))
        #expect(call.state.owner == .main && call.state.intent == .play)
        var chosen = clipOverBook(handsBack: true)
        chosen.on(.routeLost, .resume(id: 3), .ended(generation: 2, atLimit: false))
        #expect(chosen.state.owner == .main && chosen.state.intent == .play)
        var talking = clipOverBook(handsBack: true)
        talking.on(.interruption(began: true), .resume(id: 3), .ended(generation: 2, atLimit: false))
        #expect(talking.state.owner == .main && talking.state.intent == .pause, "the call goes on")
    }

    @Test func `who gets the stage back while the server is gone looks for it further`() {
        let lost = PlaybackError(code: 74, message: "the sound server went away")
        var during = clipOverBook(handsBack: true)
        during.on(.outputFailed(lost, isDeviceGone: false, heard: nil), .release(id: 3, viewer, heard: nil))
        var before = Stage.playingBook()
        before.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        before.on(.play(id: 2, clipOrder(handsBack: true), heard: nil))
        before.on(.loaded(generation: before.state.generation, start: at(1_000)))
        before.on(.streamFailed(generation: before.state.generation, lost))
        var claimed = Stage.playingBook()
        claimed.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        claimed.on(.claim(id: 2, viewer, heard: nil), .release(id: 3, viewer, heard: nil))
        for var stage in [during, before, claimed] {
            #expect(stage.state.owner == .main && stage.state.intent == .play)
            stage.on(.loaded(generation: stage.state.generation, start: at(5_000)))
            #expect(stage.state.clock?.kind == .reconnect)
            #expect(stage.ring().contains(.openStream(generation: stage.state.generation)))
            stage.on(.streamFailed(generation: stage.state.generation, lost))
            #expect(stage.state.clock?.kind == .reconnect, "it is looked for, and no error")
            stage.ring()
            stage.on(.started(generation: stage.state.generation))
            #expect(stage.state.status == .playing)
        }
    }

    @Test func `a server that is there again is not looked for at a hand-back`() {
        let lost = PlaybackError(code: 74, message: "the sound server went away")
        var stage = clipOverBook(handsBack: true)
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        stage.ring()
        stage.on(
            .started(generation: stage.state.generation), .ended(generation: stage.state.generation, atLimit: false))
        #expect(stage.state.owner == .main && stage.state.intent == .play && stage.state.outage == nil)
        #expect(
            stage.on(.loaded(generation: stage.state.generation, start: at(5_000))).contains(
                .openStream(generation: stage.state.generation)))
    }

    @Test func `headphones out while the server is gone: the hand-back is silent`() {
        let lost = PlaybackError(code: 74, message: "the sound server went away")
        var stage = clipOverBook(handsBack: true)
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        stage.ring()
        stage.on(.routeLost, .release(id: 3, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.intent == .pause)
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

    @Test func `an owner off the stage is told how loud he had it`() {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.setVolume(0.7, heard: nil))
        var order = order(textItem, espeak)
        order.owner = OwnerID("kitchen")
        order.volume = 0.2
        stage.on(.play(id: 2, order), .setVolume(0.3, heard: nil))
        #expect(stage.state.view(of: .main).volume == 0.7)
        #expect(stage.state.view(of: OwnerID("kitchen")).volume == 0.3)
        var plain = Stage.playingBook(at: 1_000)
        order.volume = nil
        plain.on(.play(id: 2, order), .setVolume(0.4, heard: nil))
        #expect(plain.state.view(of: .main).volume == 1)
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
        #expect(stage.on(.pause(owner: .main, heard: nil)) == [])
        #expect(stage.on(.stop(owner: .main)) == [.unload(ffmpeg), .finished(uri: bookItem.uri, nil)])
        #expect(stage.state.status == .playing && stage.state.owner == viewer)
        let stranger = OwnerID("clip-editor-1")
        #expect(stage.on(.pause(owner: stranger, heard: nil)) == [.dropped(.notOwner)])
        #expect(stage.on(.stop(owner: stranger)) == [.dropped(.notOwner)])
    }

    @Test func `who pauses off the stage is not played at the hand-back`() {
        var stage = clipOverBook(handsBack: true)
        stage.on(.pause(owner: .main, heard: nil))
        #expect(stage.state.view(of: .main).suppression == nil)
        stage.on(.ended(generation: 2, atLimit: false))
        #expect(stage.state.owner == .main && stage.state.intent == .pause)
        #expect(stage.state.current?.position == at(5_004) && stage.state.rate == 2)
    }

    @Test func `who stops off the stage has nothing loaded at the hand-back, and his place is remembered`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(handsBack: true), heard: at(5_000)), .stop(owner: .main))
        // The exact place of his sound comes late.
        let late = stage.on(.silenced(generation: 1, heard: at(5_004)))
        #expect(
            late.contains {
                if case .savePlace(.main, let saved, _, _) = $0 { saved.position == at(5_004) } else { false }
            })
        stage.on(.loaded(generation: 2, start: at(1_000)), .release(id: 3, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.status == .idle)
        let again = stage.on(.resume(id: 4))
        #expect(
            again.contains { if case .load(_, let playing, _) = $0 { playing.position == at(5_004) } else { false } })
    }

    @Test func `a claim during a load keeps what the item was to replace`() {
        let steps: [[PlaybackEvent]] = [
            [.claim(id: 3, viewer, heard: nil)], [.play(id: 3, clipOrder(), heard: nil)],
        ]
        for taking in steps {
            var stage = Stage.playingBook()
            stage.on(.play(id: 2, order(textItem, espeak), heard: at(5_000)))
            for event in taking { stage.on(event) }
            // The exact place comes late.
            stage.on(.silenced(generation: 1, heard: at(5_004)), .release(id: 4, viewer, heard: nil))
            #expect(stage.state.current?.item == textItem && stage.state.phase == .loading)
            stage.on(.loadFailed(generation: stage.state.generation, PlaybackError(code: 65, message: "no text")))
            #expect(stage.state.status == .paused)
            #expect(stage.state.current?.item == bookItem && stage.state.current?.position == at(5_004))
        }
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
