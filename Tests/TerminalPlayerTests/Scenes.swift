// SPDX-License-Identifier: Apache-2.0

import CGNUSource
import FakeSession
import Glibc
import SessionProtocol

@testable import TerminalPlayer

/// A player that has heard from a session, at a time of its own.
struct Scene {
    var state: PlayerState
    var now: Int64 = 1_000_000
    /// What the player wants to have done since the scene began.
    var effects: [PlayerEffect] = []

    init(rows: Int = 24, columns: Int = 80, isBig: Bool = false, glyphs: Glyphs = .unicode) {
        // Times of day are those of the listener.
        setenv("TZ", "UTC", 1)
        gnu_use_unicode_characters()
        state = PlayerState(size: Screen.Size(rows: rows, columns: columns), glyphs: glyphs, isBig: isBig)
        take(.connected)
    }

    @discardableResult
    mutating func take(_ event: PlayerEvent, after ms: Int64 = 0) -> [PlayerEffect] {
        now += ms
        let effects = state.handle(event, now: now)
        self.effects += effects
        return effects
    }

    @discardableResult
    mutating func press(_ keys: TerminalKey...) -> [PlayerEffect] {
        keys.flatMap { take(.key($0)) }
    }

    mutating func type(_ text: String) {
        for character in text { take(.key(.character(character))) }
    }

    var lines: [String] { state.frame(now: now).screen.lines }
    var text: String { lines.joined(separator: "\n") }

    /// The commands that were sent, without those that fetch what the page shows.
    var commands: [SessionCommand] {
        effects.compactMap {
            guard case .send(let command, let request) = $0, request == .control || request == .seek else { return nil }
            if case .addressed(let address, let inner) = command, address.owner == "main" { return inner }
            return command
        }
    }
}

extension Scene {
    /// A book in its third chapter, which plays.
    static func book(rows: Int = 24, columns: Int = 80, isBig: Bool = false, glyphs: Glyphs = .unicode) -> Scene {
        var scene = Scene(rows: rows, columns: columns, isBig: isBig, glyphs: glyphs)
        scene.take(
            .status(
                .paused.with {
                    $0.status = "playing"; $0.intent = "play"
                }))
        scene.take(.answer(.contents, .success(.contents(whale))))
        scene.take(.answer(.books, .success(.books(shelf))))
        scene.take(.answer(.books, .success(.books([]))))
        scene.effects = []
        return scene
    }

    static let whale = ItemContents(
        item: .init(uri: "file:///books/whale.m4b", title: "The Whale", author: "H. Melville"), cover: nil,
        chapters: [
            "Loomings", "The Carpet-Bag", "The Inn", "The Counterpane", "Breakfast", "The Street", "The Chapel",
            "The Pulpit", "The Sermon", "A Bosom Friend", "Nightgown", "Biographical",
        ].enumerated().map { index, title in
            .init(
                index: index, title: title, startMs: Int64(index) * 1_800_000, endMs: Int64(index + 1) * 1_800_000,
                source: "quicktime")
        })

    static let shelf: [LibraryBook] = [
        book("a1", "Émile", "Jean-Jacques Rousseau", minutes: 1320, at: 0.5, played: 30),
        book("b2", "Middlemarch", "George Eliot", minutes: 2100, at: nil, played: nil),
        book("c3", "Persuasion", "Jane Austen", minutes: 500, at: 1, played: 10),
        book("d4", "The Whale", "H. Melville", minutes: 600, at: 0.1, played: 40, uri: "file:///books/whale.m4b"),
        book("e5", "三体", "刘慈欣", minutes: 780, at: nil, played: nil),
    ]

    static func book(
        _ id: String, _ title: String, _ author: String, minutes: Int64, at progress: Double?, played: Int64?,
        uri: String? = nil
    ) -> LibraryBook {
        LibraryBook(
            id: id, uri: uri ?? "file:///books/\(id).m4b", title: title, author: author, cover: nil,
            durationMs: minutes * 60_000, durationConfidence: "exact", files: 1, missing: 0,
            positionMs: progress.map { Int64($0 * Double(minutes)) * 60_000 }, playedAt: played)
    }
}
