// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@Suite struct `A session is in use` {
    @Test func `while something plays, or is held and will resume`() {
        var stage = Stage.playingBook()
        #expect(stage.state.isInUse)
        stage.on(.interruption(began: true))
        #expect(stage.state.status == .paused && stage.state.isInUse, "in a call")
        stage.on(.interruption(began: false))
        stage.on(.claim(id: 2, OwnerID("viewer"), heard: at(5_000)))
        #expect(stage.state.status != .playing && stage.state.isInUse, "behind a claim")
        stage.on(.release(id: 3, OwnerID("viewer"), heard: nil), .pauseNow)
        #expect(!stage.state.isInUse)
    }

    @Test func `not while paused, even if something holds it as well`() {
        var stage = Stage.playingBook()
        stage.on(.pauseNow, .interruption(began: true))
        #expect(!stage.state.isInUse)
        stage.on(.claim(id: 2, OwnerID("viewer"), heard: nil))
        #expect(!stage.state.isInUse, "what a claim took was silent before")
    }

    @Test func `while something is being opened, and not after a stop`() {
        var stage = Stage()
        stage.on(.play(id: 1, order(bookItem, ffmpeg)))
        #expect(stage.state.isInUse)
        stage.on(.stopNow)
        #expect(!stage.state.isInUse)
    }
}
