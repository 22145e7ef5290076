// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@testable import MPRISRemote

@Suite struct `The properties of a player on the bus` {
    private func member(_ name: String, of view: PlayerProperties) -> BusValue? {
        guard case .dictionary(let members) = view.metadata else { return nil }
        return members.first { $0.name == name }?.value
    }

    @Test(arguments: [
        ("playing", "Playing"), ("paused", "Paused"), ("ready", "Paused"), ("loading", "Paused"), ("ended", "Stopped"),
        ("idle", "Stopped"), ("error", "Stopped"), ("something new", "Stopped"),
    ])
    func `a status has one name`(_ status: String, name: String) {
        #expect(PlayerProperties(.book(status: status), .by(.book)).playbackStatus.rawValue == name)
    }

    @Test func `position and length are the book's by default`() {
        let view = PlayerProperties(.book(at: 700_000), .by(.book))
        #expect(view.position(700_000) == 700_000_000 && member("mpris:length", of: view) == .int64(1_800_000_000))
        #expect(member("xesam:title", of: view) == .string("The Lamp"))
        #expect(view.current == view.tracks.first && view.tracks.count == 4)
    }

    @Test func `position, length and title are the chapter's if the setting says so`() {
        let view = PlayerProperties(.book(at: 700_000), .by(.chapter))
        #expect(view.position(700_000) == 100_000_000 && member("mpris:length", of: view) == .int64(600_000_000))
        #expect(member("xesam:title", of: view) == .string("Chapter 2"))
        #expect(member("xesam:album", of: view) == .string("The Lamp"))
        #expect(member("xesam:trackNumber", of: view) == .int32(2))
        #expect(view.current == view.tracks[1] && view.tracks.count == 3)
    }

    @Test func `a book with one chapter is one track`() {
        let view = PlayerProperties(.book(at: 7_000, chapters: 1), .by(.chapter, .chapter))
        #expect(view.tracks == [view.current] && view.position(7_000) == 7_000_000)
        #expect(!view.canMove)
    }

    @Test func `a position beyond the current track is its end until the next one is told`() {
        let view = PlayerProperties(.book(at: 599_990), .by(.chapter))
        #expect(view.position(600_020) == 600_000_000 && view.position(-1) == 0 && view.position(.nan) == 0)
    }

    @Test func `metadata has what is known, and the file's name for a title that is not`() {
        let view = PlayerProperties(.book(durationMs: nil, title: nil, author: nil), .by(.book))
        #expect(member("xesam:title", of: view) == .string("The Lamp.m4b"))
        #expect(member("mpris:length", of: view) == nil && member("xesam:artist", of: view) == nil)
        #expect(member("xesam:url", of: view) == .string("file:///books/The%20Lamp.m4b"))
        #expect(member("mpris:artUrl", of: view) == .string("file:///covers/a%20b.jpg"))
        #expect(!view.canSeek)
    }

    @Test func `without an item there is no track`() {
        let view = PlayerProperties(.nothing(), .by(.book))
        #expect(member("mpris:trackid", of: view) == .path("/org/mpris/MediaPlayer2/TrackList/NoTrack"))
        #expect(view.tracks.isEmpty && !view.canPlay && !view.canPause && !view.canSeek && !view.canMove)
        #expect(PlayerProperties(.nothing(canResume: true), .by(.book)).canPlay)
    }

    @Test func `a change concerns the properties that differ, and never the position`() {
        let playing = PlayerProperties(.book(at: 1_000), .by(.book))
        #expect(PlayerProperties(.book(at: 2_000), .by(.book)).changes(since: playing) == [])
        #expect(
            PlayerProperties(.book(at: 2_000, status: "paused"), .by(.book)).changes(since: playing) == [
                "PlaybackStatus"
            ])
        let other = PlayerProperties(.book(at: 2_000, uri: "/books/other.m4b"), .by(.book))
        #expect(other.changes(since: playing) == ["Metadata"])
    }

    @Test func `metadata of a track is given by its id`() {
        let view = PlayerProperties(.book(at: 700_000), .by(.chapter))
        #expect(view.metadata(of: view.current) == view.metadata)
        #expect(view.metadata(of: view.tracks[0]) != nil && view.metadata(of: view.tracks[0] + "0") == nil)
        #expect(view.metadata(of: TrackIDs(uri: "/books/other.m4b").chapter(0)) == nil)
    }

    @Test func `a position between two chapters belongs to the first of them`() {
        var now = NowPlaying.book(at: 605_000)
        now.chapters[1].startMs = 610_000
        #expect(PlayerProperties(now, .by(.chapter)).chapter == 0)
        now.chapters[0].startMs = 10_000
        now.status.position.ms = 5_000
        #expect(PlayerProperties(now, .by(.chapter)).chapter == 0)
    }

    @Test func `an item that is being looked up can be paused`() {
        var now = NowPlaying.nothing()
        now.isComing = true
        #expect(PlayerProperties(now, .by(.book)).canPause)
    }
}
