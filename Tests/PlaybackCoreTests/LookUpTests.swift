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
        stage.on(.lookUp(id: 2, owner: .main), .joinLookUp(id: 3, of: nil))
        #expect(stage.all(.notFound(id: 2, gone)) == [.reply(id: 2, gone), .reply(id: 3, gone)])
        #expect(stage.state.status == .playing && stage.state.current?.item == bookItem && stage.state.lookUp == nil)
    }

    @Test func `whose place cannot be looked up is an error of all who wait for it`() {
        var stage = Stage()
        stage.on(.lookUp(id: 2, owner: .main), .joinLookUp(id: 3, of: nil))
        let replies = stage.on(.lookUpFailed(id: 2, found(bookItem), gone, heard: nil)).filter {
            if case .reply = $0 { true } else { false }
        }
        #expect(replies == [.reply(id: 2, gone), .reply(id: 3, gone)])
        #expect(stage.state.isUnlocated && stage.state.lookUp == nil)
    }

    @Test func `is silent if the last command for it was a pause, and sounds otherwise`() {
        let hold = PlaybackEvent.holdLookUp(of: nil)
        let join = PlaybackEvent.joinLookUp(id: 3, of: .main)
        for (words, intent): ([PlaybackEvent], Intent) in [
            ([], .play), ([hold], .pause), ([.holdLookUp(of: .main)], .pause), ([.holdLookUp(of: viewer)], .play),
            ([hold, join], .play), ([hold, join, hold], .pause), ([.pauseNow, .stopNow], .play),
        ] {
            var stage = Stage()
            stage.on(.lookUp(id: 2, owner: .main))
            for word in words { stage.on(word) }
            stage.on(.play(id: 2, found(bookItem)), .loaded(generation: 1, start: .start))
            #expect(stage.state.intent == intent && stage.state.current?.item == bookItem, "\(words)")
            #expect(stage.state.stream == (intent == .play ? .opening : .closed), "\(words)")
        }
    }

    @Test func `takes the rate and the volume that were set for it, and what plays keeps its own`() {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main))
        let told = stage.on(
            .setLookUp(rate: 2, volume: nil, of: nil), .setLookUp(rate: nil, volume: 0.25, of: .main),
            .setLookUp(rate: 3, volume: 1, of: viewer), .setRate(1.25, heard: nil, byEngine: false))
        #expect(told == [.dropped(.stale), .setRate(1.25)] && stage.state.rate == 1.25 && stage.state.volume == 1)
        stage.on(.play(id: 2, found(textItem)))
        #expect(stage.state.rate == 2 && stage.state.volume == 0.25)
    }

    @Test(arguments: [PlaybackEvent.giveUpLookUp(of: nil), .giveUpLookUp(of: .main), .lookUp(id: 9, owner: .main)])
    func `that is given up is an error of all who wait for it, and is never opened`(_ event: PlaybackEvent) {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main), .joinLookUp(id: 3, of: nil))
        #expect(stage.all(event) == [.reply(id: 2, overtaken), .reply(id: 3, overtaken)])
        let before = stage.state
        #expect(stage.all(.play(id: 2, found(textItem))) == [.dropped(.stale)])
        #expect(stage.all(.notFound(id: 2, gone)) == [.dropped(.stale)])
        #expect(stage.all(.lookUpFailed(id: 2, found(textItem), gone, heard: nil)) == [.dropped(.stale)])
        #expect(stage.all(.joinLookUp(id: 4, of: viewer)) == [.dropped(.stale), .reply(id: 4, overtaken)])
        #expect(stage.state == before)
    }

    @Test(arguments: [
        PlaybackEvent.stopNow, .pauseNow, .giveUpLookUp(of: OwnerID("other")), .seek(SeekOrder(to: at(5_000))),
        .ended(generation: 1, atLimit: false), .claim(id: 9, OwnerID("other"), heard: nil),
    ])
    func `is not given up for what concerns others, or what plays`(_ event: PlaybackEvent) {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main), event)
        #expect(stage.state.lookUp == LookUp(id: 2, owner: .main))
    }

    @Test func `is held by what began meanwhile: a call, or unplugged headphones until the user asks for it`() {
        func silences(_ events: PlaybackEvent...) -> Suppressions {
            var stage = Stage.playingBook()
            stage.on(.lookUp(id: 2, owner: .main))
            for event in events { stage.on(event) }
            stage.on(.play(id: 2, found(textItem)), .loaded(generation: 2, start: .start))
            return stage.state.suppressions
        }
        #expect(silences(.routeLost) == .routeLost)
        #expect(silences(.routeLost, .joinLookUp(id: 3, of: nil)) == [])
        #expect(silences(.interruption(began: true)) == .interruption)
        #expect(silences(.interruption(began: true), .interruption(began: false)) == [])
        #expect(silences(.interruption(began: true), .routeLost, .joinLookUp(id: 3, of: nil)) == .interruption)
    }

    @Test func `keeps the session in use, unless it is to be silent`() {
        var stage = Stage()
        stage.on(.lookUp(id: 2, owner: .main))
        #expect(stage.state.isInUse)
        stage.on(.holdLookUp(of: nil))
        #expect(!stage.state.isInUse)
    }

    @Test func `is joined by a limited number of commands`() {
        var stage = Stage()
        stage.on(.lookUp(id: 1, owner: .main))
        for id in 2...UInt64(PlaybackMachine.mostHeld + 1) { #expect(stage.on(.joinLookUp(id: id, of: nil)) == []) }
        let refused = stage.on(.joinLookUp(id: 99, of: nil))
        #expect(refused.count == 1 && stage.state.lookUp?.joined.count == PlaybackMachine.mostHeld)
        guard case .reply(id: 2, let error?)? = refused.first else {
            Issue.record("the oldest is refused")
            return
        }
        #expect(error.kind == .busy)
    }

    // MARK: Other commands

    @Test(arguments: [
        PlaybackEvent.resume(id: 2, owner: nil, heard: nil, wasLookedUp: true),
        .toggle(id: 2, heard: nil, wasLookedUp: true),
        .switchEngine(id: 2, ffmpeg, kinds: [.audio], heard: nil, wasLookedUp: true),
    ])
    func `may be the last one, which a command continues with`(_ event: PlaybackEvent) {
        var stage = Stage()
        let last = Playing(item: bookItem, engine: ffmpeg, position: at(7_000), provenance: .restored)
        stage.on(.lookUp(id: 2, owner: .main), .joinLookUp(id: 3, of: nil), .restored(owner: .main, [last]))
        let decided = stage.on(event)
        #expect(decided.contains { if case .load(_, last, _) = $0 { true } else { false } })
        #expect(stage.state.commands.all == [2, 3] && stage.state.lookUp == nil && stage.state.intent == .play)
        let before = stage.state
        #expect(stage.all(event) == [.dropped(.stale)] && stage.state == before)
    }

    @Test func `that does not exist is nothing to play for all who wait for it`() {
        var stage = Stage()
        stage.on(.lookUp(id: 2, owner: .main), .joinLookUp(id: 3, of: nil))
        #expect(
            stage.on(.resume(id: 2, owner: nil, heard: nil, wasLookedUp: true))
                == [.nothingToPlay(id: 2), .nothingToPlay(id: 3)])
    }

    @Test func `of a resume stays silent after a pause, and begins no sound`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5_000)), .lookUp(id: 2, owner: .main))
        let decided = stage.on(.holdLookUp(of: nil), .resume(id: 2, owner: nil, heard: nil, wasLookedUp: true))
        #expect(stage.state.intent == .pause && stage.state.stream == .paused)
        #expect(!decided.contains(.resumeStream) && decided.contains(.reply(id: 2, nil)))
    }

    @Test func `of a resume is held by a call that began meanwhile`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .silenced(generation: 1, heard: at(5_000)), .lookUp(id: 2, owner: .main))
        let decided = stage.on(
            .interruption(began: true), .resume(id: 2, owner: nil, heard: nil, wasLookedUp: true))
        #expect(stage.state.intent == .play && stage.state.suppressions == .interruption)
        #expect(!decided.contains(.resumeStream))
        #expect(stage.on(.interruption(began: false)).contains(.resumeStream))
    }

    @Test func `of an undo concerns what is loaded, as the last command for that left it`() {
        let undo = PlaybackEvent.seek(SeekOrder(to: at(3_000), owner: .main, uri: bookItem.uri, cause: .undo, id: 2))
        for (words, intent): ([PlaybackEvent], Intent) in [
            ([], .play), ([.pauseNow], .pause), ([.pauseNow, .resume(id: 3)], .play), ([.toggle(id: 3)], .pause),
        ] {
            var stage = Stage.playingBook(at: 9_000)
            stage.on(.lookUp(id: 2, owner: .main, subject: .jump))
            for word in words { stage.on(word) }
            #expect(stage.on(undo).contains(.reply(id: 2, nil)))
            #expect(stage.state.current?.position == at(3_000) && stage.state.intent == intent, "\(words)")
        }
    }

    @Test func `of an undo that opens another item stays silent after a pause`() {
        for (words, intent): ([PlaybackEvent], Intent) in [
            ([], .play), ([.pauseNow], .pause), ([.pauseNow, .resume(id: 3)], .play),
        ] {
            var stage = Stage.playingBook()
            stage.on(.lookUp(id: 2, owner: .main, subject: .jump))
            for word in words { stage.on(word) }
            stage.on(.play(id: 2, found(textItem)))
            #expect(stage.state.current?.item == textItem && stage.state.intent == intent, "\(words)")
        }
    }

    @Test(arguments: [PlaybackEvent.seek(to: at(5_000)), .locate(id: 3, owner: .main, uri: bookItem.uri)])
    func `of an undo is given up for a later seek`(_ event: PlaybackEvent) {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main, subject: .jump))
        #expect(stage.on(event).contains(.reply(id: 2, overtaken)) && stage.state.lookUp == nil)
    }

    @Test func `of an engine takes no command from what plays`() {
        var stage = Stage.playingBook()
        stage.on(.lookUp(id: 2, owner: .main, subject: .engine))
        #expect(!stage.state.isComing(nil) && stage.state.isLookedUp(for: .main))
        #expect(stage.all(.setLookUp(rate: 2, volume: nil, of: nil)) == [.dropped(.stale)])
        stage.on(.setRate(2, heard: nil, byEngine: false), .seek(to: at(5_000)))
        #expect(stage.state.rate == 2 && stage.state.current?.position == at(5_000) && stage.state.lookUp != nil)
    }

    @Test func `of an engine is given up if its owner has lost audio focus`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .claim(id: 2, viewer, heard: nil), .lookUp(id: 3, owner: viewer, subject: .engine))
        stage.on(.release(id: 4, viewer, heard: nil))
        let before = stage.state
        let decided = stage.on(.switchEngine(id: 3, espeak, kinds: [.audio], heard: nil, wasLookedUp: true))
        #expect(decided == [.reply(id: 3, overtaken)])
        var same = stage.state
        same.commands.lookUp = before.lookUp
        #expect(same == before)
    }
}
