// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `A book in the list` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    private static func place(_ track: Int, _ units: Int64, at uri: String, owner: OwnerID = .main) -> SavedPlace {
        SavedPlace(
            owner: owner, uri: uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: track, units: units), provenance: .heard, updatedAt: 1_767_225_600_000)
    }

    /// The files of a book: the seconds of each, at its own rate; `nil` if they are unknown.
    struct Shelf {
        var seconds: [Double?]
        var missing: Set<Int> = []
        var rates = [44_100.0, 48_000, 8_000, 22_050]

        var book: Book {
            var book = `Books in the library`.book("x", files: 0)
            book.tracks = seconds.enumerated().map { number, seconds in
                var track = `Books in the library`.track("x/\(number).mp3")
                track.timeline = TimelineTrack(
                    unitsPerSecond: rates[number], duration: seconds.map { Int64($0 * rates[number]) },
                    confidence: .exact)
                track.isMissing = missing.contains(number)
                return track
            }
            return book
        }
    }

    @Test(
        arguments: [
            (Shelf(seconds: [1, 2, 3]), 0, 0, 0), (Shelf(seconds: [1, 2, 3]), 0, 22_050, 500),
            (Shelf(seconds: [1, 2, 3]), 1, 24_000, 1_500), (Shelf(seconds: [1, 2, 3]), 2, 24_000, 6_000),
            // A place counts the files that are there.
            (Shelf(seconds: [1, 2, 3, 4], missing: [0]), 1, 4_000, 2_500),
            (Shelf(seconds: [1, 2, 3, 4], missing: [1, 2]), 1, 22_050, 2_000),
            (Shelf(seconds: [1, nil, 3], missing: [1]), 1, 4_000, 1_500),
            (Shelf(seconds: [1, 2, 3], missing: [0, 1, 2]), 0, 0, nil),
            (Shelf(seconds: [1, nil, 3]), 1, 24_000, 1_500), (Shelf(seconds: [1, nil, 3]), 2, 0, nil),
            (Shelf(seconds: [1, 2, 3]), 3, 0, nil), (Shelf(seconds: [1, 2, 3], missing: [2]), 2, 0, nil),
            (Shelf(seconds: []), 0, 0, nil),
        ] as [(Shelf, Int, Int64, Int64?)])
    func `has the place in book time, if that is known`(
        _ shelf: Shelf, _ track: Int, _ units: Int64, _ milliseconds: Int64?
    ) async throws {
        let book = shelf.book
        _ = try await store.add(book)
        try await store.save(Self.place(track, units, at: book.uri), durably: true)
        let entry = try #require(try await store.books(after: nil, offset: 0, limit: 10).first)
        #expect(entry.position == milliseconds)
        #expect(entry.playedAt == 1_767_225_600_000)
        #expect(entry.position == book.timeline.milliseconds(of: MediaPosition(track: track, units: units)))
        #expect(try await store.summary(uri: book.uri) == entry)
    }

    @Test func `has no place of another owner, of a text, or of no sense`() async throws {
        let book = Shelf(seconds: [1, 2]).book
        _ = try await store.add(book)
        #expect(try await store.summary(uri: book.uri)?.playedAt == nil)
        try await store.save(Self.place(0, 5, at: book.uri, owner: OwnerID("clip-1")), durably: true)
        var text = Self.place(0, 5, at: book.uri)
        text.kind = .text
        try await store.save(text, durably: true)
        #expect(try await store.summary(uri: book.uri)?.playedAt == nil)
        await store.close()
        try await DatabaseQueue(path: store.path).write { db in
            try db.execute(sql: "UPDATE place SET kind = 'audio', track = -1")
        }
        let entry = try #require(try await store.summary(uri: book.uri))
        #expect(entry.playedAt == nil && entry.position == nil)
        #expect(try await store.summary(uri: "file:///books/y") == nil)
    }

    @Test(arguments: [(1.0, 3_000), (nil, 2_500)] as [(Double?, Int64)])
    func `has its end as the place once it was heard to the end, if its length is known`(
        _ last: Double?, _ milliseconds: Int64
    ) async throws {
        let book = Shelf(seconds: [2, last]).book
        _ = try await store.add(book)
        var place = Self.place(1, 24_000, at: book.uri)
        place.finished = true
        try await store.save(place, durably: true)
        #expect(try await store.summary(uri: book.uri)?.position == milliseconds)
    }

    @Test func `has its place also on the page after another book`() async throws {
        for name in ["a", "b", "c"] {
            var book = Shelf(seconds: [1, 2]).book
            (book.uri, book.title) = ("file:///books/\(name)", name)
            _ = try await store.add(book)
            if name != "b" { try await store.save(Self.place(1, 48_000, at: book.uri), durably: false) }
        }
        let first = try await store.books(after: nil, offset: 0, limit: 1)
        let rest = try await store.books(after: first.first?.id, offset: 0, limit: 9)
        #expect((first + rest).map(\.title) == ["a", "b", "c"])
        #expect((first + rest).map(\.position) == [2_000, nil, 2_000])
    }

    private static let shelf: [(uri: String, shape: BookShape, isThere: Bool)] = [
        ("file:///a/Series/1", .folder, true), ("file:///a/Series/2.m4b", .file, true),
        ("file:///a/Series/3", .folder, false), ("file:///a/Series%20B/1", .folder, true),
        ("file:///a/Series/4/5.m4b", .file, true), ("file:///a/Series0", .folder, true),
        ("file:///b.m4b", .file, true), ("queue:///a/Series/6", .list, true), ("https://h/a/1.mp3", .file, true),
        ("file:///a/Series/%C3%BC.m4b", .file, true), ("file:///a/Series/list.m3u", .list, true),
    ]

    @Test(arguments: [
        ("file:///a/Series/1", ["file:///a/Series/%C3%BC.m4b", "file:///a/Series/1", "file:///a/Series/2.m4b"]),
        ("file:///a/Series/gone", ["file:///a/Series/%C3%BC.m4b", "file:///a/Series/1", "file:///a/Series/2.m4b"]),
        ("file:///a/Series%20B/1", ["file:///a/Series%20B/1"]), ("file:///a/Series0", ["file:///a/Series0"]),
        ("file:///a/Series/4/5.m4b", ["file:///a/Series/4/5.m4b"]), ("file:///c.m4b", ["file:///b.m4b"]),
        ("https://h/a/2.mp3", []), ("queue:///a/Series/6", []), ("nonsense", []), ("", []),
    ])
    func `is found beside those of its folder`(_ uri: String, _ others: [String]) async throws {
        for (uri, shape, isThere) in Self.shelf {
            var book = Shelf(seconds: [1], missing: isThere ? [] : [0]).book
            (book.uri, book.shape) = (uri, shape)
            _ = try await store.add(book)
        }
        #expect(try await store.books(beside: uri).sorted() == others.sorted())
    }
}
