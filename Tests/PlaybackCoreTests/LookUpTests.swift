// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

@Suite struct `An item that is looked up` {
    private let viewer = OwnerID("clip-viewer-1")
    private let gone = PlaybackError(.noInput, message: "no such file")
    private let overtaken = PlaybackError(
        .busy, message: "the item was not begun: another command came while it was looked up")

    private func found(_ item: ItemReference, at start: Int64 = 0, of owner: OwnerID = .main) -> PlayOrder {
        PlayOrder(
            item: item, engine: item.kind == .audio ? ffmpeg : espeak, start: at(start), provenance: .restored,
            owner: owner, rate: 1.5, volume: 0.5, wasLookedUp: true)
    }

    @Test func `leaves what plays as it is until it is found`() {
        var stage = Stage.playingBook()
        let before = stage.state
        #expect(stage.all(.lookUp(id: 2, owner: .main)) == [])
        var same = stage.state
        same.commands.lookUp = nil
        #expect(same == before && stage.state.lookUp == LookUp(id: 2, owner: .main))
        #expect(stage.on(.play(id: 2, found(textItem))).contains { if case .load = $0 { true } else { false } })
        #expect(stage.state.current?.item == textItem && stage.state.lookUp == nil && stage.state.waiting == 2)
    }

    @Test func `that does not exist is an error of all who wait for it, and what plays goes on`() {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main), .resume(id: 3))
        #expect(stage.all(.notFound(id: 2, gone)) == [.reply(id: 2, gone), .reply(id: 3, gone)])
        #expect(stage.state.status == .playing && stage.state.current?.item == bookItem && stage.state.lookUp == nil)
    }

    @Test func `whose place cannot be looked up is an error of all who wait for it`() {
        var stage = Stage()
        stage.on(.lookUp(id: 2, owner: .main), .resume(id: 3))
        let replies = stage.on(.lookUpFailed(id: 2, found(bookItem), gone, heard: nil)).filter {
            if case .reply = $0 { true } else { false }
        }
        #expect(replies == [.reply(id: 2, gone), .reply(id: 3, gone)])
        #expect(stage.state.isUnlocated && stage.state.lookUp == nil)
    }

    @Test func `is silent if the last word was a pause, and sounds if it was not`() {
        for (words, intent): ([PlaybackEvent], Intent) in [
            ([], .play), ([.pauseNow], .pause), ([.pause(owner: .main, heard: nil)], .pause),
            ([.pause(owner: viewer, heard: nil)], .play), ([.pauseNow, .resume(id: 3)], .play),
            ([.toggle(id: 3)], .pause), ([.toggle(id: 3), .toggle(id: 4)], .play),
            ([.pauseNow, .resume(id: 3), .pauseNow], .pause),
        ] {
            var stage = Stage()
            stage.on(.lookUp(id: 2, owner: .main))
            for word in words { stage.on(word) }
            stage.on(.play(id: 2, found(bookItem)), .loaded(generation: 1, start: .start))
            #expect(stage.state.intent == intent && stage.state.current?.item == bookItem, "\(words)")
            #expect(stage.state.stream == (intent == .play ? .opening : .closed), "\(words)")
        }
    }

    @Test func `takes the rate and the volume that were set meanwhile, and what plays keeps its own`() {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main))
        let told = stage.all(
            .setRate(2, heard: nil, byEngine: false), .setVolume(0.25, heard: nil, of: .main),
            .setVolume(0.75, heard: nil, of: viewer))
        #expect(told == [.setVolume(0.75)] && stage.state.rate == 1)
        stage.on(.play(id: 2, found(textItem)))
        #expect(stage.state.rate == 2 && stage.state.volume == 0.25)
    }

    @Test(arguments: [
        PlaybackEvent.stopNow, .stop(owner: .main), .claim(id: 9, OwnerID("clip-viewer-1"), heard: nil),
        .release(id: 9, .main, heard: nil), .resume(id: 9, owner: OwnerID("clip-viewer-1"), heard: nil),
        .switchEngine(id: 9, ffmpeg, kinds: [.audio], heard: nil), .play(id: 9, order(bookItem, ffmpeg)),
        .lookUp(id: 9, owner: OwnerID("clip-viewer-1")),
        .seek(SeekOrder(to: at(5_000), cause: .undo)),
    ])
    func `is given up for another command that decides what plays, and is never opened`(_ event: PlaybackEvent) {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main), .resume(id: 3))
        let replies = stage.on(event).filter { [.reply(id: 2, overtaken), .reply(id: 3, overtaken)].contains($0) }
        #expect(replies.count == 2 && stage.state.lookUp?.id != 2)
        let before = stage.state
        #expect(stage.all(.play(id: 2, found(textItem))) == [.dropped(.stale)])
        #expect(stage.all(.notFound(id: 2, gone)) == [.dropped(.stale)])
        #expect(stage.all(.lookUpFailed(id: 2, found(textItem), gone, heard: nil)) == [.dropped(.stale)])
        #expect(stage.state == before)
    }

    @Test(arguments: [
        PlaybackEvent.stop(owner: OwnerID("other")), .pause(owner: OwnerID("other"), heard: nil),
        .release(id: 9, OwnerID("other"), heard: nil), .seek(SeekOrder(to: at(5_000))),
        .interruption(began: true), .ended(generation: 1, atLimit: false),
    ])
    func `is not given up for what concerns others, or what plays`(_ event: PlaybackEvent) {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main), event)
        #expect(stage.state.lookUp == LookUp(id: 2, owner: .main))
    }

    @Test func `keeps the session in use, unless it is to be silent`() {
        var stage = Stage()
        stage.on(.lookUp(id: 2, owner: .main))
        #expect(stage.state.isInUse)
        stage.on(.pauseNow)
        #expect(!stage.state.isInUse)
    }

    @Test func `is joined by a limited number of commands`() {
        var stage = Stage()
        stage.on(.lookUp(id: 1, owner: .main))
        for id in 2...UInt64(PlaybackMachine.mostHeld + 1) { #expect(stage.on(.resume(id: id)) == []) }
        let refused = stage.on(.resume(id: 99))
        #expect(refused.count == 1 && stage.state.lookUp?.joined.count == PlaybackMachine.mostHeld)
        guard case .reply(id: 2, let error?)? = refused.first else {
            Issue.record("the oldest is refused")
            return
        }
        #expect(error.kind == .busy)
    }
}
