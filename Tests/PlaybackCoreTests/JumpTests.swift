// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@testable import PlaybackCore

/// Tests that every move that nobody heard is reported, so that it can be taken back.
@Suite struct `Jumps` {
    private func jumps(_ effects: [PlaybackEffect]) -> [String] {
        effects.compactMap { effect in
            guard case .jumped(let jump) = effect else { return nil }
            let name = { (playing: Playing) in "\(playing.item.title) \(playing.position.units)" }
            return "\(jump.cause): \(name(jump.from)) to \(name(jump.to))"
        }
    }

    @Test func `a seek is reported from the position that was heard, not from the one saved last`() {
        var stage = Stage.playingBook(at: 1_000)
        #expect(jumps(stage.all(.seek(to: at(90_000), heard: at(7_000)))) == ["seek: Book 7000 to Book 90000"])
        #expect(jumps(stage.all(.seek(to: at(90_000)))) == [], "it leads nowhere")
    }

    @Test func `another item is a jump from the place that was left, once that item is open`() {
        var stage = Stage.playingBook(at: 1_000)
        #expect(jumps(stage.all(.play(id: 2, order(textItem, espeak), heard: at(9_000)))) == [])
        #expect(jumps(stage.all(.loaded(generation: 2, start: at(0)))) == ["play: Book 9000 to Text 0"])
    }

    @Test func `a change to the other side of a work is one jump, behind the one from where that side was left`() {
        var stage = Stage.playingBook(at: 1_000)
        var change = order(textItem, espeak, at: 40)
        change.change = .switched
        #expect(
            jumps(stage.all(.play(id: 2, change, heard: at(9_000)), .loaded(generation: 2, start: at(40)))) == [
                "play: Book 9000 to Text 40"
            ])
        var back = order(bookItem, ffmpeg, at: 5_000)
        (back.change, back.left) = (.switched, at(700_000))
        #expect(
            jumps(stage.all(.play(id: 3, back, heard: at(50)), .loaded(generation: 3, start: at(5_000)))) == [
                "play: Book 700000 to Book 5000", "play: Text 50 to Book 5000",
            ])
        // An item that does not open was not moved either.
        let gone = PlaybackError(.badContent, message: "no text")
        change.left = at(60)
        #expect(jumps(stage.all(.play(id: 4, change, heard: at(9_000)), .loadFailed(generation: 4, gone))) == [])
        let other = ItemReference(uri: "file:///other.m4b", kind: .audio, title: "Other", items: [])
        #expect(
            jumps(stage.all(.play(id: 5, order(other, ffmpeg)), .loaded(generation: 6, start: at(0)))) == [
                "play: Book 9000 to Other 0"
            ])
    }

    @Test func `the text of a gap is no jump, and takes no command from the recording`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)))
        var text = order(textItem, espeak, at: 40)
        text.change = .gap
        var effects = stage.all(.loaded(generation: 1, start: at(0)), .play(id: 2, text))
        #expect(!effects.contains { if case .reply = $0 { true } else { false } }, "\(effects)")
        effects += stage.all(
            .loaded(generation: 2, start: at(40)), .streamOpened(generation: 2), .started(generation: 2))
        #expect(effects.contains(.reply(id: 1, nil)) && effects.contains(.reply(id: 2, nil)))
        var back = order(bookItem, ffmpeg, at: 5_000)
        back.change = .gap
        effects += stage.all(.play(id: 3, back, heard: at(90)), .loaded(generation: 3, start: at(5_000)))
        #expect(jumps(effects) == [])
        // A jump that leads to the recording leads to the text that is read first.
        let other = ItemReference(uri: "file:///other.m4b", kind: .audio, title: "Other", items: [])
        #expect(
            jumps(
                stage.all(
                    .play(id: 4, order(other, ffmpeg), heard: at(6_000)), .play(id: 5, text),
                    .loaded(generation: 5, start: at(40)))) == ["play: Book 6000 to Text 40"])
    }

    @Test func `an item that cannot be opened is no jump`() {
        var stage = Stage.playingBook(at: 1_000)
        let gone = PlaybackError(.badContent, message: "no text")
        #expect(
            jumps(
                stage.all(
                    .play(id: 2, order(textItem, espeak), heard: at(9_000)), .loadFailed(generation: 2, gone),
                    .lookUpFailed(id: 3, order(textItem, espeak), gone, heard: nil))) == [])
    }

    @Test func `an item played after a failed look-up is a jump from the item before`() {
        var stage = Stage.playingBook(at: 1_000)
        let other = ItemReference(uri: "file:///other.m4b", kind: .audio, title: "Other", items: [])
        stage.on(
            .lookUpFailed(
                id: 2, order(textItem, espeak), PlaybackError(.io, message: "no library"), heard: at(9_000)))
        let effects = stage.all(.play(id: 3, order(other, ffmpeg)), .loaded(generation: 3, start: at(0)))
        #expect(jumps(effects) == ["play: Book 9000 to Other 0"])
    }

    @Test func `items that are replaced before they are open are one jump, from what was there, and a move behind it`()
    {
        var stage = Stage.playingBook(at: 1_000)
        let other = ItemReference(uri: "file:///other.m4b", kind: .audio, title: "Other", items: [])
        let effects = stage.all(
            .play(id: 2, order(textItem, espeak), heard: at(9_000)), .play(id: 3, order(other, ffmpeg)),
            .seek(to: at(4_000)), .loaded(generation: 3, start: at(0)))
        #expect(jumps(effects) == ["play: Book 9000 to Other 0", "seek: Other 0 to Other 4000"])
    }

    @Test func `a move within an item that then cannot be opened is still a jump, because its place is saved`() {
        var stage = Stage.playingBook(at: 1_000)
        let effects = stage.all(
            .play(id: 2, order(textItem, espeak, at: 40), heard: at(9_000)), .seek(to: at(0)), .seek(to: at(7)),
            .loadFailed(generation: 2, PlaybackError(.badContent, message: "no text")))
        #expect(
            effects.contains { if case .savePlace(_, let place, _, _) = $0 { place.position == at(7) } else { false } })
        #expect(jumps(effects) == ["seek: Text 40 to Text 7"])
    }

    @Test func `starting an item anew while it is opened is a jump to it, and another within it`() {
        var stage = Stage.playingBook(at: 1_000)
        var again = order(textItem, espeak)
        again.left = at(40)
        let effects = stage.all(
            .play(id: 2, order(textItem, espeak, at: 40), heard: at(9_000)), .play(id: 3, again),
            .loaded(generation: 3, start: at(0)))
        #expect(jumps(effects) == ["play: Book 9000 to Text 40", "play: Text 40 to Text 0"])
    }

    @Test func `an item that is stopped after a move in it, before it is open, is a jump`() {
        var stage = Stage.playingBook(at: 1_000)
        let effects = stage.all(
            .play(id: 2, order(textItem, espeak, at: 40), heard: at(9_000)), .seek(to: at(7)), .stopNow)
        #expect(jumps(effects) == ["play: Book 9000 to Text 40", "seek: Text 40 to Text 7"])
    }

    @Test func `an item that another owner interrupts while it is opened is a jump all the same`() {
        var stage = Stage.playingBook(at: 1_000)
        let effects = stage.all(
            .play(id: 2, order(textItem, espeak), heard: at(9_000)), .claim(id: 3, OwnerID("y"), heard: nil))
        #expect(jumps(effects) == ["play: Book 9000 to Text 0"])
    }

    @Test func `the same item from its start is a jump from the previous place in it`() {
        var stage = Stage()
        var again = order(bookItem, ffmpeg)
        again.left = at(500_000)
        #expect(
            jumps(stage.all(.play(id: 1, again), .loaded(generation: 1, start: at(0))))
                == ["play: Book 500000 to Book 0"])
    }

    @Test func `a restart after the end is a jump`() {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.heard(generation: 1, at(60_000)), .ended(generation: 1, atLimit: false))
        #expect(jumps(stage.all(.resume(id: 2))) == ["restart: Book 60000 to Book 0"])
    }

    @Test func `a start that is known only after loading is reported then`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg, at: 4_000)))
        #expect(
            jumps(stage.all(.loaded(generation: 1, start: at(70_000)))) == ["play: Book 4000 to Book 70000"])
    }

    @Test func `a clip has no history, and is not in the book's`() {
        var stage = Stage.playingBook(at: 1_000)
        let viewer = OwnerID("clip-viewer-1")
        let clip = ItemReference(uri: "file:///book.m4b#t=1,2", kind: .audio, title: "Clip", items: [])
        let effects = stage.all(
            .play(
                id: 2,
                PlayOrder(
                    item: clip, engine: EngineID("clip"), start: .start, provenance: .user, owner: viewer,
                    handsBack: true), heard: at(9_000)),
            .loaded(generation: 2, start: at(0)), .streamOpened(generation: 2), .started(generation: 2),
            .seek(to: at(50)))
        #expect(jumps(effects) == [])
    }

    @Test func `a seek of the book while a clip plays is reported`() {
        var stage = Stage.playingBook(at: 1_000)
        stage.on(.claim(id: 2, OwnerID("clip-viewer-1"), heard: at(9_000)))
        let effects = stage.all(.seek(SeekOrder(to: at(30_000), owner: .main, uri: bookItem.uri)))
        #expect(jumps(effects) == ["seek: Book 9000 to Book 30000"])
    }

    @Test func `resume after a long pause goes back a little, and the saved place stands`() {
        var stage = Stage.playingBook(at: 50_000)
        stage.on(.pause(owner: nil, heard: at(60_000)), .silenced(generation: 1, heard: at(60_000)))
        let effects = stage.all(.resume(id: 2, owner: nil, heard: nil, back: at(50_000)))
        #expect(jumps(effects) == ["rewind: Book 60000 to Book 50000"])
        #expect(effects.contains(.seek(generation: 2, at(50_000))))
        #expect(!effects.contains { if case .savePlace = $0 { true } else { false } })
        #expect(stage.state.floor == at(60_000), "nothing far below it is saved from here on")
    }

    @Test(arguments: [at(60_000), at(61_000), MediaPosition(track: 0, units: 0)])
    func `resume after a pause goes neither forward nor back beyond the slip tolerance`(_ back: MediaPosition) {
        var stage = Stage.playingBook(at: 120_000)
        stage.on(.pause(owner: nil, heard: at(60_000 + 61_000)), .silenced(generation: 1, heard: at(121_000)))
        let target = back == at(61_000) ? at(122_000) : back
        #expect(jumps(stage.all(.resume(id: 2, owner: nil, heard: nil, back: target))) == [])
    }
}
