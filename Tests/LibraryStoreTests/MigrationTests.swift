// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `A library of an earlier version` {
    /// The rows as that version wrote them.
    ///
    /// The statements are frozen, whatever the current code does.
    private static let places = """
        INSERT INTO place VALUES ('main', 'file:///books/a.m4b', 'audio', 'ffmpeg', 3, 20, 'user', 0, 1.5, NULL, 1767225600000);
        INSERT INTO place VALUES ('clip-1', 'file:///books/a.m4b', 'audio', 'clip', 0, 7, 'heard', 0, NULL, NULL, 5);
        INSERT INTO place VALUES ('main', 'file:///t.txt', 'text', 'espeak', 0, 99, 'heard', 1, NULL, 'en', 6);
        INSERT INTO lastItem VALUES ('main', 'audio', 'file:///books/a.m4b', 'ffmpeg', 'A', 1767225600000);
        INSERT INTO lastItemPart VALUES ('main', 'audio', 0, '/books/a.m4b');
        INSERT INTO setting VALUES ('rate', '1.25');
        """
    private static let history = """
        INSERT INTO jump (id, at, cause, undone, fromUri, fromKind, fromTitle, fromItems, fromEngine, fromTrack, fromUnits,
            fromMs, toUri, toKind, toTitle, toItems, toEngine, toTrack, toUnits, toMs)
        VALUES (41, 1767225600000, 'seek', 0, 'file:///books/a.m4b', 'audio', 'A', x'2F61', 'ffmpeg', 1, 2, 3,
            'file:///books/a.m4b', 'audio', 'A', x'2F61', 'ffmpeg', 4, 5, NULL);
        INSERT INTO span VALUES (1, 'file:///books/a.m4b', 'A', 10, 40000, 0, 1, 2, 0, 3, NULL);
        """

    private static let book = """
        INSERT INTO book VALUES (7, 'hh7m6fc1', 'file:///books/b', 'folder', 'B', NULL, '/books/b/cover.jpg', 1000, 'exact', 1, 0,
            1767225600000);
        INSERT INTO track VALUES (7, 0, 'file:///books/b/1.mp3', 100, 5, NULL, 44100, 44100, 'exact', 'mp3', 'One', 0);
        INSERT INTO chapter VALUES (7, 0, 0, 0, NULL, 'First', 'id3');
        """

    @Test func `has its places under the addresses without queries`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.migrator.migrate(old, upTo: "5 pictures")
        try await old.write {
            try $0.execute(
                sql: """
                    INSERT INTO place VALUES ('main', 'http://h/a.mp3?token=2', 'audio', 'ffmpeg', 0, 20, 'user', 0, 1, NULL, 9, NULL);
                    INSERT INTO place VALUES ('main', 'http://h/a.mp3?token=1', 'audio', 'ffmpeg', 0, 10, 'user', 0, 1, NULL, 8, NULL);
                    INSERT INTO place VALUES ('main', 'http://h/b.mp3?token=1', 'audio', 'ffmpeg', 0, 30, 'user', 0, 1, NULL, 5, NULL);
                    INSERT INTO place VALUES ('main', 'http://h/b.mp3', 'audio', 'ffmpeg', 0, 40, 'user', 0, 1, NULL, 6, NULL);
                    INSERT INTO lastItem VALUES ('main', 'audio', 'http://h/a.mp3?token=2', 'ffmpeg', 'A', 9);
                    INSERT INTO lastItemPart VALUES ('main', 'audio', 0, 'http://h/a.mp3?token=2');
                    INSERT INTO span VALUES (1, 'http://h/a.mp3?token=2', 'A', 10, 40000, 0, 1, 0, 2, 3, NULL);
                    """)
        }
        try old.close()
        let store = LibraryStore(path: path)
        #expect(await store.prepare() == [])
        for (uri, units) in [
            ("http://h/a.mp3", 20), ("http://h/a.mp3?token=3", 20), ("http://h/b.mp3", 40),
        ] {
            guard case .progress(let place) = await store.place(of: uri, owner: .main) else {
                Issue.record("no place of \(uri)")
                continue
            }
            #expect(place.position.units == Int64(units) && place.uri.hasSuffix(".mp3"))
        }
        let last = try #require(try await store.lastItem(of: .audio, owner: .main))
        #expect(last.uri == "http://h/a.mp3" && last.items == ["http://h/a.mp3?token=2"])
        #expect(try await store.spans(limit: 9).map(\.uri) == ["http://h/a.mp3"])
    }

    @Test(arguments: ["3 books", "4 listening"])
    func `has its books, marked as not yet searched for a picture`(_ version: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.migrator.migrate(old, upTo: version)
        try await old.write { try $0.execute(sql: Self.book) }
        try old.close()

        let store = LibraryStore(path: path)
        #expect(await store.prepare() == [])
        var book = try #require(try await store.book(id: "hh7m6fc1"))
        #expect(book.cover == "/books/b/cover.jpg" && !book.isPictureKnown)
        #expect(book.tracks.map(\.title) == ["One"] && book.chapters.map(\.title) == ["First"])
        book.isPictureKnown = true
        #expect(try await store.add(book) == "hh7m6fc1")
        await store.close()
        #expect(try await LibraryStore(path: path).book(id: "hh7m6fc1") == book)
    }

    @Test func `has its clips, which are of recordings`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.migrator.migrate(old, upTo: "8 contexts")
        try await old.write {
            try $0.execute(
                sql: """
                    INSERT INTO clip VALUES ('7qk2m9xd', 'file:///b.mp3', x'2F622E6D7033', 'B', NULL, NULL, 0, 10, 44100, NULL,
                        0, 20, 44100, NULL, 0, 1, 'n', 't', 5, 6, 1, NULL, NULL, NULL, NULL, NULL, NULL);
                    """)
        }
        try old.close()
        let store = LibraryStore(path: path)
        #expect(await store.prepare() == [])
        guard case .found(var clip) = try await store.clip(id: "7qk2m9xd") else {
            return #expect(Bool(false), "the clip is gone")
        }
        #expect(clip.quote == nil && clip.note == "n" && clip.end.position.units == 20)
        clip.id = ""
        clip.quote = ClipQuote(text: "Some words.", before: [1], after: [], size: 30)
        let added = try await store.add(clip)
        await store.close()
        let next = LibraryStore(path: path)
        #expect(try await next.clip(id: added.id) == .found(added))
        var query = ClipQuery()
        query.words = ["SOME"]
        #expect(try await next.clips(query).map(\.id) == [added.id])
    }

    @Test func `has its places in texts, whose words are not known`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.migrator.migrate(old, upTo: "7 clips")
        try await old.write {
            try $0.execute(
                sql: """
                    INSERT INTO place VALUES ('main', 'file:///t.txt', 'text', 'espeak', 0, 99, 'heard', 0, 1.5, 'en', 6, NULL);
                    """)
        }
        try old.close()
        let store = LibraryStore(path: path)
        #expect(await store.prepare() == [])
        guard case .progress(var place) = await store.place(of: "file:///t.txt", owner: .main) else {
            return #expect(Bool(false), "the place is gone")
        }
        #expect(place.position.units == 99 && place.rate == 1.5 && place.context == nil)
        place.context = TextContext(position: 99, size: 200, before: [1, 0, 255], after: [])
        try await store.save(place, durably: true)
        await store.close()
        #expect(await LibraryStore(path: path).place(of: "file:///t.txt", owner: .main) == .progress(place))
    }

    @Test(arguments: ["1 places", "2 history"])
    func `is migrated with every row`(_ version: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let old = try DatabaseQueue(path: path)
        try LibrarySchema.migrator.migrate(old, upTo: version)
        try await old.write { try $0.execute(sql: Self.places) }
        if version != "1 places" { try await old.write { try $0.execute(sql: Self.history) } }
        try old.close()

        let store = LibraryStore(path: path)
        #expect(await store.prepare() == [])
        #expect(
            await store.place(of: `Library store`.uri, owner: .main)
                == .progress(`Library store`.place(20, .user)))
        guard case .progress(let clip) = await store.place(of: `Library store`.uri, owner: OwnerID("clip-1")),
            case .progress(let text) = await store.place(of: "file:///t.txt", owner: .main)
        else { return #expect(Bool(false), "a place is gone") }
        #expect(clip.position == MediaPosition(track: 0, units: 7))
        #expect(text.finished && text.voice == "en")
        #expect(try await store.lastItem(of: .audio, owner: .main)?.items == ["/books/a.m4b"])
        #expect(try await store.setting(.rate) == "1.25")
        #expect(try await store.history(limit: 9).map(\.id) == (version == "1 places" ? [] : [41]))
        #expect(try await store.spans(limit: 9).count == (version == "1 places" ? 0 : 1))
        #expect(try await store.bookCount() == 0)
        let id = try await store.add(`Books in the library`.book("x", files: 2))
        #expect(try await store.book(id: id)?.tracks.count == 2)
        await store.close()

        let again = LibraryStore(path: path)
        #expect(try await again.bookCount() == 1)
        #expect(
            await again.place(of: `Library store`.uri, owner: .main)
                == .progress(`Library store`.place(20, .user)))
    }
}
