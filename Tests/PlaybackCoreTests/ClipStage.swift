// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore

let viewer = OwnerID("clip-viewer-1")
let clipEngine = EngineID("clip")
let clipItem = ItemReference(uri: "file:///book.m4b#t=1,2", kind: .audio, title: "Clip", items: [])

func clipOrder(handsBack: Bool = false) -> PlayOrder {
    PlayOrder(
        item: clipItem, engine: clipEngine, start: at(1_000), provenance: .user, owner: viewer, rate: 1,
        handsBack: handsBack)
}

extension Stage {
    /// Returns a stage with a book at double speed, and a clip that took audio focus from it at 5,000.
    static func clipOverBook(handsBack: Bool = false) -> Stage {
        var stage = Stage.playingBook()
        stage.on(.setRate(2, heard: at(4_000), byEngine: false))
        stage.on(.play(id: 2, clipOrder(handsBack: handsBack), heard: at(5_000)))
        stage.on(.silenced(generation: 1, heard: at(5_004)), .loaded(generation: 2, start: at(1_000)))
        stage.on(.streamOpened(generation: 2), .started(generation: 2))
        return stage
    }
}
