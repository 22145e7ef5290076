// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

@Suite struct `A seek whose position is worked out` {
    private let viewer = OwnerID("clip-viewer-1")
    private let overtaken = PlaybackError(
        .busy, message: "the position was not sought: another command came while it was worked out")
    private let book = bookItem.uri

    private func found(_ id: UInt64, at target: Int64, of owner: OwnerID = .main) -> PlaybackEvent {
        .seek(SeekOrder(to: at(target), owner: owner, uri: book, id: id))
    }

    private func locating(_ ids: UInt64...) -> Stage {
        var stage = Stage.playingBook()
        for id in ids { stage.on(.locate(id: id, owner: .main, uri: book)) }
        return stage
    }

    @Test func `changes nothing before that`() {
        var stage = Stage.playingBook()
        let before = stage.state
        #expect(stage.all(.locate(id: 2, owner: .main, uri: book)) == [])
        var same = stage.state
        same.commands.seeks = nil
        #expect(same == before && stage.state.seeks.map(\.id) == [2])
    }

    @Test func `is made and answered when the position is known`() {
        var stage = locating(2)
        let decided = stage.on(found(2, at: 60_000))
        #expect(decided.contains(.seek(generation: 2, at(60_000))) && decided.last == .reply(id: 2, nil))
        #expect(stage.state.seeks == [] && stage.state.current?.position == at(60_000))
    }

    @Test func `is an error if there is no such position`() {
        let gone = PlaybackError(.noInput, message: "no chapter 99")
        var stage = locating(2, 3)
        #expect(stage.all(.notLocated(id: 2, gone)) == [.reply(id: 2, gone)])
        #expect(stage.state.seeks.map(\.id) == [3])
    }

    @Test func `answers those that came before it, and leaves those that came later`() {
        var stage = locating(2, 3, 4)
        let decided = stage.on(found(3, at: 60_000))
        #expect(decided.first == .reply(id: 2, nil) && decided.last == .reply(id: 3, nil))
        #expect(stage.state.seeks.map(\.id) == [4])
        let before = stage.state
        #expect(stage.all(found(2, at: 90_000)) == [.dropped(.stale)])
        #expect(stage.all(.notLocated(id: 2, overtaken)) == [.dropped(.stale)])
        #expect(stage.state == before)
    }

    @Test func `is overtaken by a seek to a known position`() {
        var stage = locating(2)
        #expect(stage.on(.seek(to: at(5_000))).first == .reply(id: 2, nil))
        #expect(stage.all(found(2, at: 60_000)) == [.dropped(.stale)] && stage.state.current?.position == at(5_000))
    }

    @Test(arguments: [
        PlaybackEvent.stopNow, .play(id: 9, order(textItem, espeak)), .play(id: 9, order(bookItem, ffmpeg, at: 50)),
    ])
    func `is given up for a command that says what is there, or that nothing is`(_ event: PlaybackEvent) {
        var stage = locating(2)
        #expect(stage.on(event).contains(.reply(id: 2, overtaken)))
        let before = stage.state
        #expect(stage.all(found(2, at: 60_000)) == [.dropped(.stale)] && stage.state == before)
    }

    @Test(arguments: [
        PlaybackEvent.pauseNow, .setRate(2, heard: nil, byEngine: false), .ended(generation: 1, atLimit: false),
        .claim(id: 9, OwnerID("other"), heard: nil), .engineLost(generation: 1, end: at(9_000), wasIdle: false),
    ])
    func `is not given up for what leaves the item with its owner`(_ event: PlaybackEvent) {
        var stage = locating(2)
        stage.on(event, found(2, at: 60_000))
        #expect(stage.state.places(of: .main).first?.position ?? stage.state.current?.position == at(60_000))
    }

    @Test func `of a pending item is limited in number`() {
        var stage = Stage.playingBook()
        for id in 1...UInt64(PlaybackMachine.mostHeld) {
            #expect(stage.all(.locate(id: id, owner: .main, uri: book)) == [])
        }
        guard case .reply(id: 1, let error?)? = stage.all(.locate(id: 99, owner: .main, uri: book)).first else {
            Issue.record("the oldest is refused")
            return
        }
        #expect(error.kind == .busy && stage.state.seeks.count == PlaybackMachine.mostHeld)
    }
}
