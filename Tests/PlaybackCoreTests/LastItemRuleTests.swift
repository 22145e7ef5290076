// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import Testing

@Suite struct `The last item` {
    private let book = Playing(item: bookItem, engine: ffmpeg, position: at(60_000), provenance: .restored)
    private let text = Playing(item: textItem, engine: espeak, position: at(40), provenance: .restored)

    @Test func `is the first one that the library names`() {
        for items in [[book, text], [text, book]] {
            var stage = Stage()
            stage.on(.restored(owner: .main, items), .resume(id: 1))
            #expect(stage.state.current?.item == items[0].item)
            #expect(stage.state.places(of: .main).first?.item == items[0].item)
        }
    }

    @Test func `is the one that was open last, even if the library answers later`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .loaded(generation: 2, start: at(0)), .stopNow)
        stage.on(.restored(owner: .main, [book]), .resume(id: 3))
        #expect(stage.state.current?.item == textItem)
    }

    @Test func `is remembered again after a text was heard in between`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .loaded(generation: 2, start: at(0)))
        stage.on(.play(id: 3, order(bookItem, ffmpeg)))
        let effects = stage.on(.loaded(generation: 3, start: at(0)))
        #expect(
            effects.contains { if case .rememberItem(.main, let item) = $0 { item.item == bookItem } else { false } })
    }

    @Test func `of an owner without audio focus is the one that its resume takes`() {
        var stage = Stage.playingBook()
        stage.on(.play(id: 2, order(textItem, espeak)), .loaded(generation: 2, start: at(0)), .stopNow)
        stage.on(.claim(id: 3, OwnerID("kitchen"), heard: nil), .resume(id: 4, owner: .main, heard: nil))
        #expect(stage.state.owner == .main && stage.state.current?.item == textItem)
    }
}
