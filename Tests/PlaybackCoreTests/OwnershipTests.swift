// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Tests of audio focus: who has it, what `play` and other commands of each owner do, and what is handed back.
@Suite struct `Ownership` {
    @Test func `play of another owner claims focus, and the old owner is silent before the new one sounds`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.play(id: 2, clipOrder(), heard: at(5_000)))
        #expect(effects.first == .pauseStream(generation: 1))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.rate == 1)
    }

    @Test func `play without an item resumes, and ownership stays`() {
        var stage = Stage.clipOverBook()
        stage.on(.pauseNow)
        #expect(stage.state.owner == viewer, "pause keeps the owner")
        stage.on(.resume(id: 3))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.status == .playing)
    }

    @Test func `release restores item, place, rate and playing exactly`() {
        var stage = Stage.clipOverBook()
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

    @Test func `an owner that was paused gets focus back paused, and the device is not opened`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5_000)))
        stage.on(.play(id: 2, clipOrder(), heard: nil), .loaded(generation: 2, start: at(1_000)))
        stage.on(.release(id: 3, viewer, heard: nil))
        let effects = stage.on(.loaded(generation: stage.state.generation, start: at(5_000)))
        #expect(!effects.contains { if case .openStream = $0 { true } else { false } })
        #expect(stage.state.status == .paused)
    }

    @Test func `a hand-back during a hold is silent`() {
        for event in [PlaybackEvent.interruption(began: true), .routeLost] {
            var stage = Stage.clipOverBook(handsBack: true)
            stage.on(event)
            stage.on(.release(id: 3, viewer, heard: nil))
            #expect(stage.state.owner == .main)
            #expect(stage.state.intent == .pause)
        }
    }

    /// Every event that leads to a hand-back.
    enum Way: CaseIterable {
        case release, ended, stopped, loadFailed, loadTimeout, engineFailed, streamFailed, outageOver
    }

    @Test(arguments: Way.allCases, [PlaybackEvent.interruption(began: true), .routeLost])
    func `no hand-back sounds into a call or from a loudspeaker, whatever leads to it`(
        _ way: Way, _ hold: PlaybackEvent
    ) {
        let error = PlaybackError(.badContent, message: "broken")
        var stage = Stage.clipOverBook(handsBack: true)
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
            // A lost route is not looked for.
            if stage.state.owner == viewer { stage.on(.release(id: 3, viewer, heard: nil)) }
        }
        #expect(stage.state.owner == .main && stage.state.current?.item == bookItem)
        #expect(stage.state.intent == .pause)
    }

    @Test(arguments: [PlaybackEvent.interruption(began: true), .routeLost])
    func `a hold counts at a hand-back even if nothing sounded when it began`(_ hold: PlaybackEvent) {
        var paused = Stage.clipOverBook()
        paused.on(.pauseNow, hold, .release(id: 3, viewer, heard: nil))
        #expect(paused.state.owner == .main && paused.state.intent == .pause)
        var silent = Stage.playingBook()
        silent.on(.claim(id: 2, viewer, heard: at(5_000)), hold, .release(id: 3, viewer, heard: nil))
        #expect(silent.state.owner == .main && silent.state.intent == .pause)
    }

    @Test func `a call that ended, or a loudspeaker that was chosen, does not silence a hand-back`() {
        var call = Stage.clipOverBook(handsBack: true)
        call.on(.interruption(began: true), .interruption(began: false), .ended(generation: 2, atLimit: false))
        #expect(call.state.owner == .main && call.state.intent == .play)
        var chosen = Stage.clipOverBook(handsBack: true)
        chosen.on(.routeLost, .resume(id: 3), .ended(generation: 2, atLimit: false))
        #expect(chosen.state.owner == .main && chosen.state.intent == .play)
        var talking = Stage.clipOverBook(handsBack: true)
        talking.on(.interruption(began: true), .resume(id: 3), .ended(generation: 2, atLimit: false))
        #expect(talking.state.owner == .main && talking.state.intent == .pause, "the call goes on")
    }

    @Test func `an owner that gets focus back while the server is gone continues to look for it`() {
        let lost = PlaybackError(.io, message: "the sound server went away")
        var during = Stage.clipOverBook(handsBack: true)
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

    @Test func `a server that has returned is not looked for at a hand-back`() {
        let lost = PlaybackError(.io, message: "the sound server went away")
        var stage = Stage.clipOverBook(handsBack: true)
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        stage.ring()
        stage.on(
            .started(generation: stage.state.generation), .ended(generation: stage.state.generation, atLimit: false))
        #expect(stage.state.owner == .main && stage.state.intent == .play && stage.state.outage == nil)
        #expect(
            stage.on(.loaded(generation: stage.state.generation, start: at(5_000))).contains(
                .openStream(generation: stage.state.generation)))
    }

    @Test func `headphones unplugged while the server is gone make the hand-back silent`() {
        let lost = PlaybackError(.io, message: "the sound server went away")
        var stage = Stage.clipOverBook(handsBack: true)
        stage.on(.outputFailed(lost, isDeviceGone: false, heard: nil))
        stage.ring()
        stage.on(.routeLost, .release(id: 3, viewer, heard: nil))
        #expect(stage.state.owner == .main && stage.state.intent == .pause)
    }

    @Test func `play of an owner that returns restores its rate`() {
        var stage = Stage.clipOverBook()
        stage.on(.play(id: 3, order(textItem, espeak), heard: nil))
        #expect(stage.state.owner == .main)
        #expect(stage.state.rate == 2)
    }

    @Test func `an owner that a lost route held does not get focus back playing`() {
        var stage = Stage.playingBook()
        stage.on(.routeLost, .play(id: 2, clipOrder(handsBack: true), heard: nil))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.intent == .pause)
    }

    @Test func `a clip that ends hands focus back by itself`() {
        var stage = Stage.clipOverBook(handsBack: true)
        let effects = stage.on(.ended(generation: 2, atLimit: false))
        #expect(effects.contains(.finished(uri: clipItem.uri, nil)))
        #expect(!effects.contains { if case .savePlace = $0 { true } else { false } }, "only main has places that last")
        #expect(stage.state.current?.item == bookItem)
        #expect(stage.state.intent == .play)
    }

    @Test func `an item that was heard to its end is handed back at its start`() {
        var stage = Stage.playingBook()
        stage.on(
            .heard(generation: 1, at(9_000)), .ended(generation: 1, atLimit: false), .claim(id: 2, viewer, heard: nil))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.current?.position == .start)
        #expect(stage.state.current?.item == bookItem)
    }

    @Test func `an owner without audio focus sees its own volume`() {
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

    @Test func `a clip's own volume ends with it`() {
        var stage = Stage.playingBook()
        var order = clipOrder()
        order.volume = 0.2
        stage.on(.play(id: 2, order))
        #expect(stage.state.volume == 0.2)
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.volume == 1)
    }

    @Test func `a stopped clip hands focus back silently`() {
        var stage = Stage.clipOverBook(handsBack: true)
        stage.on(.stopNow)
        #expect(stage.state.owner == .main)
        #expect(stage.state.intent == .pause)
    }

    @Test func `a seek acts only if the item that it names is loaded`() {
        var stage = Stage.playingBook()
        let stale = SeekOrder(to: at(9), owner: .main, uri: "file:///other.m4b")
        #expect(stage.on(.seek(stale)) == [.dropped(.otherItem)])
        let effects = stage.on(.seek(SeekOrder(to: at(9), owner: .main, uri: bookItem.uri)))
        #expect(effects.first == .seek(generation: 2, at(9)))
    }

    @Test func `a seek of an owner without focus moves only where its next play starts`() {
        var stage = Stage.clipOverBook()
        let playing = stage.state.current
        let effects = stage.on(.seek(SeekOrder(to: at(90_000), owner: .main, uri: bookItem.uri)))
        #expect(stage.state.current == playing)
        #expect(!effects.contains { if case .seek = $0 { true } else { false } })
        #expect(stage.state.view(of: .main).playing?.position == at(90_000))
        stage.on(.release(id: 3, viewer, heard: nil))
        #expect(stage.state.current?.position == at(90_000))
    }

    @Test func `a late position of the old sound does not undo that seek`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(), heard: at(5_000)))
        stage.on(.seek(SeekOrder(to: at(90_000), owner: .main)), .silenced(generation: 1, heard: at(5_004)))
        #expect(stage.state.view(of: .main).playing?.position == at(90_000))
    }

    @Test func `commands of an owner without focus change nobody else's sound`() {
        var stage = Stage.clipOverBook()
        #expect(stage.on(.pause(owner: .main, heard: nil)) == [])
        #expect(stage.on(.stop(owner: .main)) == [.unload(ffmpeg), .finished(uri: bookItem.uri, nil)])
        #expect(stage.state.status == .playing && stage.state.owner == viewer)
        let stranger = OwnerID("clip-editor-1")
        #expect(stage.on(.pause(owner: stranger, heard: nil)) == [.dropped(.notOwner)])
        #expect(stage.on(.stop(owner: stranger)) == [.dropped(.notOwner)])
    }

    @Test func `an owner that pauses without focus gets it back paused`() {
        var stage = Stage.clipOverBook(handsBack: true)
        stage.on(.pause(owner: .main, heard: nil))
        #expect(stage.state.view(of: .main).suppression == nil)
        stage.on(.ended(generation: 2, atLimit: false))
        #expect(stage.state.owner == .main && stage.state.intent == .pause)
        #expect(stage.state.current?.position == at(5_004) && stage.state.rate == 2)
    }

    @Test func `an owner that stops without focus gets it back with nothing loaded, and its place is remembered`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, clipOrder(handsBack: true), heard: at(5_000)), .stop(owner: .main))
        // The exact position of the owner's sound arrives late.
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

    @Test func `resume of an owner without focus takes focus with its own item`() {
        var stage = Stage.clipOverBook()
        let effects = stage.on(.resume(id: 3, owner: .main, heard: at(1_200)))
        #expect(effects.first == .pauseStream(generation: 2))
        #expect(stage.state.owner == .main)
        #expect(stage.state.current?.position == at(5_004))
        #expect(stage.state.rate == 2)
        #expect(stage.state.view(of: viewer).playing?.position == at(1_200))
    }

    @Test func `a claim silences the present owner and plays nothing`() {
        var stage = Stage.playingBook()
        let effects = stage.on(.claim(id: 2, viewer, heard: at(5_000)))
        #expect(effects.contains(.closeStream(generation: 1)))
        #expect(stage.state.owner == viewer)
        #expect(stage.state.status == .idle)
        #expect(stage.state.view(of: .main).suppression == .owner)
    }

    @Test func `owners hand focus back in the reverse order of taking it`() {
        var stage = Stage.clipOverBook()
        let editor = OwnerID("clip-editor-1")
        stage.on(.claim(id: 3, editor, heard: at(1_300)))
        #expect(stage.state.held.map(\.owner) == [.main, viewer])
        stage.on(.release(id: 4, editor, heard: nil))
        #expect(stage.state.owner == viewer)
        stage.on(.release(id: 5, viewer, heard: nil))
        #expect(stage.state.owner == .main)
    }

    @Test func `an owner without focus can give up its turn`() {
        var stage = Stage.clipOverBook()
        stage.on(.claim(id: 3, OwnerID("editor"), heard: nil), .release(id: 4, viewer, heard: nil))
        #expect(stage.state.held.map(\.owner) == [.main])
    }

    @Test func `an owner without focus sees its own item and place`() {
        let stage = Stage.clipOverBook()
        let main = stage.state.view(of: .main)
        #expect(main.playing?.position == at(5_004))
        #expect(main.status == .paused)
        #expect(main.rate == 2)
        #expect(stage.state.view(of: viewer).hasFocus)
    }

    @Test func `the number of foreign owners is limited`() {
        var stage = Stage.playingBook()
        for index in 0..<100 { stage.on(.claim(id: UInt64(index), OwnerID("owner-\(index)"), heard: nil)) }
        #expect(stage.state.held.count == PlaybackMachine.mostHeld)
        #expect(stage.state.held.first?.owner == .main)
    }
}
