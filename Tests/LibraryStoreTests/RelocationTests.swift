// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `A book that moves` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    /// Returns the files of a book with the given numbers, under another path.
    private func files(_ numbers: [Int], of book: Book, at uri: String, names: [String]? = nil) -> [BookFile] {
        numbers.enumerated().map { index, number in
            var file = book.tracks[number].file
            file.uri = uri + "/" + (names?[index] ?? "\(number).mp3")
            return file
        }
    }

    private func reconciled(
        _ book: Book, at uri: String, _ numbers: [Int], names: [String]? = nil
    ) -> BookReconciliation {
        BookReconciliation(
            book, uri: uri, shape: .folder, cover: nil, files: files(numbers, of: book, at: uri, names: names),
            fingerprints: numbers.map { book.tracks[$0].fingerprint })
    }

    private func added(_ count: Int = 4) async throws -> Book {
        var book = `Books in the library`.book("x", files: count)
        book.id = try await store.add(book)
        return book
    }

    private func place(_ track: Int, _ units: Int64 = 10, at uri: String, _ updated: Int64 = 1) -> SavedPlace {
        SavedPlace(
            owner: .main, uri: uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: track, units: units), provenance: .heard, rate: 1.5, updatedAt: updated)
    }

    @Test func `loses chapters of files that it does not have`() async throws {
        let book = try await added(2)
        await store.close()
        try await DatabaseQueue(path: store.path).write { db in
            try db.execute(sql: "UPDATE chapter SET track = 10 * number - 1")
        }
        let known = try #require(try await store.book(id: book.id))
        #expect(known.chapters.isEmpty)
        try await store.move(book.id, to: reconciled(known, at: "file:///elsewhere/x", [0, 1]))
        #expect(try await store.book(id: book.id)?.uri == "file:///elsewhere/x")
    }

    @Test func `keeps the places, last items, jumps and spans of every owner`() async throws {
        let book = try await added()
        try await store.save(place(2, at: book.uri), durably: true)
        var clip = place(1, 5, at: book.uri)
        clip.owner = OwnerID("clip-1")
        try await store.save(clip, durably: true)
        try await store.setLastItem(
            LastItem(
                owner: .main, kind: .audio, uri: book.uri, items: ["/books/x"], engine: EngineID("ffmpeg"),
                title: "x", updatedAt: 1))
        let playing = Playing(
            item: ItemReference(uri: book.uri, kind: .audio, title: "x", items: ["/books/x"]),
            engine: EngineID("ffmpeg"), position: MediaPosition(track: 2, units: 3), provenance: .restored)
        try await store.record(HistoryEntry(at: 1, jump: Jump(from: playing, to: playing, cause: .seek)))
        try await store.record(
            ListeningSpan(uri: book.uri, title: "x", began: 1, ended: 30_000, from: .start, to: playing.position))

        let uri = "file:///elsewhere/y"
        try await store.move(book.id, to: reconciled(book, at: uri, [0, 1, 2, 3]))
        #expect(try await store.book(id: book.id)?.uri == uri)
        #expect(try await store.book(uri: book.uri) == nil)
        #expect(try await store.formerBook(uri: book.uri)?.id == book.id)
        #expect(await store.place(of: uri, owner: .main) == .progress(place(2, at: uri)))
        clip.uri = uri
        #expect(await store.place(of: uri, owner: OwnerID("clip-1")) == .progress(clip))
        let last = try await store.lastItem(of: .audio, owner: .main)
        #expect(last?.uri == uri)
        #expect(last?.items == [uri])
        let jump = try #require(try await store.lastJump()).jump
        #expect(jump.from.item.uri == uri)
        #expect(jump.to.item.items == [uri])
        #expect(try await store.spans(limit: 1).first?.uri == uri)
    }

    @Test func `a session that still uses the old URI reads and saves the place`() async throws {
        let book = try await added()
        let uri = "file:///elsewhere/y"
        try await store.save(place(1, at: book.uri), durably: true)
        try await store.move(book.id, to: reconciled(book, at: uri, [0, 1, 2, 3]))
        #expect(await store.place(of: book.uri, owner: .main) == .progress(place(1, at: uri)))
        try await store.save(place(3, at: book.uri, 2), durably: true)
        #expect(await store.place(of: uri, owner: .main) == .progress(place(3, at: uri, 2)))
        // From now on, something else is at the old path.
        try await store.forgetFormer(uri: book.uri)
        #expect(await store.place(of: book.uri, owner: .main) == .empty)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var there: [Int]
        var names: [String]
        var before: Int
        var after: Int
        var units: Int64 = 10
    }

    @Test(arguments: [
        Case(
            testDescription: "first file renamed to the end", there: [1, 2, 3, 0], names: ["1", "2", "3", "9"],
            before: 0, after: 3),
        Case(
            testDescription: "the same files", there: [0, 1, 2, 3], names: ["0", "1", "2", "3"], before: 2, after: 2),
        Case(
            testDescription: "an earlier file is gone", there: [0, 2, 3], names: ["0", "2", "3"], before: 2, after: 1),
        Case(testDescription: "a later file is gone", there: [0, 1, 2], names: ["0", "1", "2"], before: 1, after: 1),
        Case(
            testDescription: "its own file is gone", there: [0, 1, 3], names: ["0", "1", "3"], before: 2, after: 2,
            units: 0),
        Case(
            testDescription: "its own file, the last, is gone", there: [0, 1], names: ["0", "1"], before: 3, after: 1,
            units: 0),
    ])
    func `a place stays in its file, whatever number the file has now`(_ it: Case) async throws {
        let book = try await added()
        let uri = "file:///books/z"
        try await store.save(place(it.before, at: book.uri), durably: true)
        try await store.move(book.id, to: reconciled(book, at: uri, it.there, names: it.names))
        #expect(await store.place(of: uri, owner: .main) == .progress(place(it.after, it.units, at: uri)))
        let now = try #require(try await store.book(id: book.id))
        #expect(now.missing == 4 - it.there.count)
        #expect(now.timeline.tracks.count == it.there.count)
        for chapter in now.chapters {
            #expect(now.tracks[chapter.track].title == "x/\(chapter.title?.last ?? "?").mp3")
        }

        // All files are back, and so is the exact place.
        try await store.move(
            book.id,
            to: reconciled(
                now, at: uri,
                (0..<4).map { number in
                    now.tracks.firstIndex { $0.title == "x/\(number).mp3" } ?? 0
                }))
        #expect(await store.place(of: uri, owner: .main) == .progress(place(it.before, at: uri)))
        #expect(try await store.book(id: book.id)?.missing == 0)
    }

    @Test func `a place that was saved after a file was lost stays when the file comes back`() async throws {
        let book = try await added()
        try await store.save(place(2, at: book.uri), durably: true)
        try await store.move(book.id, to: reconciled(book, at: book.uri, [0, 1, 3]))
        try await store.save(place(2, 500, at: book.uri, 9), durably: true)
        let now = try #require(try await store.book(id: book.id))
        try await store.move(book.id, to: reconciled(now, at: book.uri, [0, 1, 2, 3]))
        #expect(await store.place(of: book.uri, owner: .main) == .progress(place(3, 500, at: book.uri, 9)))
    }

    @Test(arguments: [1, 3] as [Int64])
    func `the newer of two places counts, and the older one is kept`(_ updated: Int64) async throws {
        let book = try await added()
        let uri = "file:///elsewhere/y"
        let (old, new) = (place(1, at: book.uri, updated), place(2, at: uri, 2))
        try await store.save(old, durably: true)
        try await store.save(new, durably: true)
        try await store.move(book.id, to: reconciled(book, at: uri, [0, 1, 2, 3]))
        try await store.forgetFormer(uri: book.uri)
        #expect(await store.place(of: uri, owner: .main) == .progress(updated > 2 ? place(1, at: uri, 3) : new))
        #expect(
            await store.place(of: book.uri, owner: .main) == .progress(updated > 2 ? place(2, at: book.uri, 2) : old))
    }

    @Test func `a file that was changed in place needs inspection and keeps its number`() throws {
        var book = `Books in the library`.book("x", files: 3)
        book.id = "x"
        var changed = book.tracks.map(\.file)
        changed[1].size = 999
        let result = BookReconciliation(
            book, uri: book.uri, shape: .folder, cover: nil, files: changed,
            fingerprints: [nil, `Books in the library`.print("new"), nil])
        #expect(result.needsInspection)
        #expect(result.numbers == [0, 1, 2])
        #expect(result.matches == 2)
        #expect(result.tracks.map(\.timeline.confidence) == [.exact, .estimated, .exact])
        #expect(result.tracks[1].timeline.duration == book.tracks[1].timeline.duration, "until an engine has seen it")
    }

    @Test func `two files with the same content in one book keep their order`() throws {
        var book = `Books in the library`.book("x", files: 3)
        book.tracks[2].fingerprint = book.tracks[0].fingerprint
        let result = reconciled(book, at: "file:///y", [0, 1, 2])
        #expect(result.numbers == [0, 1, 2])
        #expect(result.matches == 3)
        #expect(result.isSame(as: book))
    }
}
