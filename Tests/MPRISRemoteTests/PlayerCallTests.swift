// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import Testing

@testable import MPRISRemote

@Suite struct `A call of a remote` {
    private static let uri = "/books/The Lamp.m4b"
    private static let ids = TrackIDs(uri: uri)

    private static func addressed(_ command: SessionCommand) -> SessionCommand {
        .addressed(Address(item: uri), command)
    }

    private func command(
        _ call: PlayerCall, _ preferences: RemotePreferences = .by(.book), at position: Double = 700_000,
        in now: NowPlaying? = nil
    ) -> SessionCommand? {
        let view = PlayerProperties(now ?? .book(at: position), preferences)
        return call.command(in: view, position: view.position(position))
    }

    @Test(arguments: [
        (PlayerCall.play, SessionCommand.resume), (.pause, .pause), (.playPause, .toggle), (.stop, .stop),
        (.next, .skip(forward: true)), (.previous, .skip(forward: false)), (.rate(1.25), .rate(1.25)),
        (.rate(0), .pause), (.rate(9), .rate(3)), (.rate(0.1), .rate(0.5)), (.volume(0.3), .volume(0.3)),
        (.volume(-1), .volume(0)), (.volume(7), .volume(1)), (.volume(.infinity), .volume(1)),
        (.seek(12_345_678), addressed(.seek("+12.345"))), (.seek(-2_000), addressed(.seek("-0.002"))),
        (.setPosition(track: ids.item, 61_002_000), addressed(.seek("61.002"))),
        (.goTo(track: ids.chapter(2)), addressed(.chapter("3"))), (.goTo(track: ids.item), addressed(.seek("0.000"))),
    ])
    func `is one command of the session`(_ call: PlayerCall, expected: SessionCommand) {
        #expect(command(call) == expected)
    }

    @Test(arguments: [
        PlayerCall.setPosition(track: ids.chapter(1), 0), .setPosition(track: "/other", 0),
        .setPosition(track: ids.item, -1), .setPosition(track: ids.item, 1_800_000_001), .goTo(track: "/other"),
        .goTo(track: ids.chapter(3)), .rate(-1), .rate(.nan), .rate(.infinity), .volume(.nan),
        .openURI("ftp://host/book.mp3"), .openURI("file://host/book.mp3"), .openURI("relative.mp3"), .openURI(""),
    ])
    func `has no effect if it is late or makes no sense`(_ call: PlayerCall) {
        #expect(command(call) == nil)
    }

    @Test func `seeks back within the chapter`() {
        #expect(command(.seek(-200_000_000), .by(.chapter)) == Self.addressed(.seek("600.000")))
        #expect(command(.seek(-1_000_000), .by(.chapter)) == Self.addressed(.seek("699.000")))
    }

    @Test func `beyond the end of a chapter is the next one`() {
        #expect(command(.seek(600_000_000), .by(.chapter)) == Self.addressed(.chapter("3")))
        #expect(command(.seek(.max), .by(.chapter)) == Self.addressed(.chapter("3")))
        #expect(command(.seek(600_000_000), .by(.chapter), at: 1_300_000) == Self.addressed(.seek("1800.000")))
        #expect(
            command(.setPosition(track: Self.ids.chapter(1), 5_000_000), .by(.chapter))
                == Self.addressed(.seek("605.000")))
    }

    @Test func `moves by chapters if the setting says so`() {
        #expect(command(.next, .by(.book, .chapter)) == .chapter("next"))
        #expect(command(.previous, .by(.book, .chapter)) == .chapter("previous"))
        #expect(command(.next, .by(.book, .chapter), in: .book(chapters: 1)) == nil)
    }

    @Test func `without an item moves nowhere`() {
        for call in [PlayerCall.next, .previous, .seek(1), .goTo(track: Self.ids.item)] {
            #expect(command(call, in: .nothing()) == nil)
        }
        // The session may know more: what was played last, and an item that is being looked up.
        let known: [(PlayerCall, SessionCommand)] = [
            (.play, .resume), (.playPause, .toggle), (.pause, .pause), (.rate(0), .pause), (.stop, .stop),
        ]
        for (call, expected) in known { #expect(command(call, in: .nothing()) == expected) }
    }

    @Test(arguments: [
        ("file:///books/a%20b%C3%A9.mp3", "/books/a bé.mp3"), ("file:/x.mp3", "/x.mp3"),
        ("FILE://localhost/x.mp3", "/x.mp3"), ("https://host/a.mp3?x=1", "https://host/a.mp3?x=1"),
    ])
    func `opens files and addresses`(_ uri: String, item: String) {
        var parameters = PlayParameters()
        parameters.items = [item]
        #expect(command(.openURI(uri)) == .play(parameters))
    }

    @Test(arguments: ["file:///a%00b", "file:///a%zz", "file:///a%4", "file:///%ff"])
    func `opens no file without a name`(_ uri: String) { #expect(FileURI.path(of: uri) == nil) }
}

@Suite struct `One press of a key` {
    @Test func `acts once, whichever ways it arrives on`() {
        var filter = PressFilter()
        let presses: [(call: PlayerCall, program: String, time: Int64, acts: Bool)] = [
            (.playPause, "shell", 1_000, true), (.playPause, "proxy", 1_020, false), (.playPause, "shell", 1_030, true),
            (.playPause, "proxy", 1_180, true), (.pause, "shell", 1_181, true), (.pause, "proxy", 1_182, true),
            (.playPause, "shell", 1_190, false), (.next, "shell", 1_200, true), (.next, "proxy", 1_210, false),
            (.previous, "proxy", 1_220, true), (.next, "shell", 1_230, true), (.seek(5), "proxy", 1_231, true),
            (.seek(5), "shell", 1_232, true), (.next, "shell", 1_233, true),
        ]
        for press in presses {
            let acts = filter.acts(press.call, from: press.program, at: press.time)
            #expect(acts == press.acts, "\(press)")
        }
    }
}
