// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import ItemResolver
import LibraryStore
import MediaPlayback
import PlaybackCore
import Testing

@Suite struct `An import` {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func `stores every book with its files, durations and chapters`() async throws {
        for name in ["One/1.mp3", "One/2.mp3", "Two.m4b", "Two.jpg"] { try shelf.write(name) }
        let summary = try await shelf.add()
        #expect(summary.outcomes == [.added: 2])
        let books = try await shelf.books()
        #expect(books.map(\.title) == ["One", "Two"])
        #expect(books.map(\.author) == ["Somebody", "Somebody"])
        #expect(books[0].tracks.map(\.timeline.duration) == [20_000, 20_000])
        #expect(books[0].timeline.duration == 40)
        #expect(books[0].chapters.map(\.title) == ["One"])
        #expect(books[1].cover == shelf.root + "/Two.jpg")
        #expect(shelf.log.reports.last == .progress(done: 2, total: 2, title: ""))
    }

    @Test func `of known books needs no inspection`() async throws {
        for name in ["One/1.mp3", "Two.m4b"] { try shelf.write(name) }
        try await shelf.add()
        shelf.log.clear()
        #expect(try await shelf.add().outcomes == [.unchanged: 2])
        #expect(try await shelf.rescan().outcomes == [.unchanged: 2])
        #expect(shelf.log.inspected == [])
        try shelf.write("Two.m4b", "changed")
        #expect(try await shelf.rescan().outcomes == [.unchanged: 1, .updated: 1])
        #expect(shelf.log.inspected == [shelf.uri("Two.m4b")])
        let books = try await shelf.books()
        #expect(books[1].timeline.duration == 7)
    }

    @Test func `that is cancelled halfway keeps its books and continues there`() async throws {
        for number in 0..<20 { try shelf.write("Book \(number)/1.mp3") }
        let log = shelf.log
        let started = AsyncStream.makeStream(of: Void.self)
        let importer = shelf.importer(willInspect: { _ throws(PlaybackError) in
            if log.inspected.count == 8 {
                started.continuation.finish()
                // The sleep ends when the task is cancelled.
                try? await Task.sleep(for: .seconds(600))
            }
        })
        let root = shelf.root
        let task = Task { try await importer.add([BookSource(items: [root])]) }
        for await _ in started.stream {}
        task.cancel()
        let summary = try await task.value
        #expect(summary.isCancelled)
        #expect(try await shelf.store.bookCount() == 7)
        shelf.log.clear()
        // The store is closed and opened again, as in another process after `kill -9`.
        await shelf.store.close()
        #expect(try await shelf.add().outcomes == [.unchanged: 7, .added: 13])
        #expect(shelf.log.inspected.count == 13)
        #expect(try await shelf.store.sources().count == 1)
    }

    @Test func `reports each file that cannot be read in one line and skips it`() async throws {
        try shelf.write("Good/1.mp3")
        try shelf.write("Bad.m4b", "bad file")
        try shelf.write("Half/1.mp3")
        try shelf.write("Half/2.mp3", "bad file")
        try shelf.write("Half/3.mp3")
        try shelf.write("Half/4.mp3", "")
        try shelf.write("Good/0.mp3", "")
        let summary = try await shelf.add()
        #expect(summary.outcomes == [.added: 2])
        #expect(summary.failed == 1)
        #expect(shelf.log.problems.count == 4)
        for name in ["Bad.m4b", "Half/2.mp3", "Half/4.mp3", "Good/0.mp3"] {
            #expect(shelf.log.problems.count { $0.contains(name) && !$0.contains("\n") } == 1, "\(shelf.log.problems)")
        }
        let half = try #require(try await shelf.books().first { $0.title == "Half" })
        #expect(half.tracks.map(\.codec) == ["mp3", BookTrack.unreadable, "mp3"])
        #expect(half.timeline.duration == nil)
        shelf.log.clear()
        // A file of a book that could not be read is tried again only if it has changed; a book that was not added is
        // tried again.
        try await shelf.rescan()
        #expect(shelf.log.inspected == [shelf.uri("Bad.m4b")])
    }

    @Test func `fails if there is no engine`() async throws {
        try shelf.write("Good/1.mp3")
        let importer = shelf.importer(willInspect: { _ throws(PlaybackError) in
            throw PlaybackError(.unavailable, message: "no engine for audio is installed")
        })
        let error = await #expect(throws: PlaybackError.self) {
            try await importer.add([BookSource(items: [shelf.root])])
        }
        #expect(error?.kind == .unavailable)
        #expect(try await shelf.store.bookCount() == 0)
    }

    @Test func `accepts files as one book in the given order`() async throws {
        for name in ["b.mp3", "a.mp3", "x/c.mp3"] { try shelf.write(name) }
        try await shelf.add(["b.mp3", "x/c.mp3", "a.mp3"], asOne: true)
        let book = try #require(try await shelf.books().first)
        #expect(book.shape == .list)
        #expect(book.tracks.map(\.file.uri) == ["b.mp3", "x/c.mp3", "a.mp3"].map(shelf.uri))
        let played = try await ItemResolver().resolve(ItemRequest(items: book.items, extensions: extensions))
        #expect(played.content.uri == book.uri)
    }

    @Test func `fails for a missing path and adds nothing`() async throws {
        let error = await #expect(throws: PlaybackError.self) { try await shelf.add(["none"]) }
        #expect(error?.kind == .noInput)
        #expect(try await shelf.store.sources() == [])
    }
}

@Suite struct `A book that was imported` {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func book() async throws -> Book {
        for number in 1...4 { try shelf.write("A/Book/\(number).mp3") }
        try await shelf.add()
        let book = try #require(try await shelf.books().first)
        try await shelf.store.save(Shelf.place(book.uri, track: 2), durably: true)
        shelf.log.clear()
        return book
    }

    @Test(arguments: [
        ("A/Book", "A/Renamed"), ("A/Book", "B/C/Book"), ("A", "Z"),
    ])
    func `is recognised with its place where it was moved to`(_ from: String, _ to: String) async throws {
        let book = try await book()
        try shelf.move(from, to)
        let summary = try await shelf.rescan()
        #expect(summary.outcomes == [.moved: 1])
        #expect(shelf.log.inspected == [])
        let now = try #require(try await shelf.books().first)
        #expect(now.id == book.id)
        #expect(now.uri != book.uri)
        #expect(await shelf.place(of: now.uri) == MediaPosition(track: 2, units: 7))
        #expect(try await shelf.store.bookCount() == 1)
    }

    @Test func `is recognised after it was copied to another disk and deleted`() async throws {
        let book = try await book()
        let other = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: shelf.root + "/A", toPath: other.path + "/A")
        // The modification times differ, as after a plain copy.
        for number in 1...4 {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
                ofItemAtPath: other.path + "/A/Book/\(number).mp3")
        }
        try shelf.remove("A")
        #expect(try await shelf.importer().add([BookSource(items: [other.path])]).outcomes == [.moved: 1])
        let now = try #require(try await shelf.store.book(id: book.id))
        #expect(now.uri == BookScanner().uri(of: other.path + "/A/Book"))
        #expect(await shelf.place(of: now.uri) == MediaPosition(track: 2, units: 7))
    }

    @Test func `stays where it is if it is copied, and each copy has its own place`() async throws {
        let book = try await book()
        try FileManager.default.copyItem(atPath: shelf.root + "/A/Book", toPath: shelf.root + "/A/Copy")
        #expect(try await shelf.rescan().outcomes == [.unchanged: 1, .added: 1])
        let books = try await shelf.books()
        #expect(Set(books.map(\.id)).count == 2)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 2, units: 7))
        #expect(await shelf.place(of: shelf.uri("A/Copy")) == nil)
        // If two identical books are gone, the one that was listened to is the one that is found.
        try shelf.move("A/Book", "B/New")
        try shelf.remove("A/Copy")
        #expect(try await shelf.rescan().outcomes == [.moved: 1, .missing: 1])
        #expect(try await shelf.store.book(id: book.id)?.uri == shelf.uri("B/New"))
        #expect(await shelf.place(of: shelf.uri("B/New")) == MediaPosition(track: 2, units: 7))
    }

    @Test func `follows a file that is renamed and keeps the place in it`() async throws {
        let book = try await book()
        try shelf.move("A/Book/3.mp3", "A/Book/0.mp3")
        #expect(try await shelf.rescan().outcomes == [.updated: 1])
        #expect(shelf.log.inspected == [])
        let now = try #require(try await shelf.store.book(id: book.id))
        #expect(now.missing == 0)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 0, units: 7))
    }

    @Test func `of which one file is missing plays the others from the same place`() async throws {
        let book = try await book()
        try shelf.move("A/Book", "B/Book")
        try shelf.move("B/Book/1.mp3", "elsewhere/1.txt")
        #expect(try await shelf.rescan().outcomes == [.moved: 1])
        var now = try #require(try await shelf.store.book(id: book.id))
        #expect(now.missing == 1)
        #expect(await shelf.place(of: now.uri) == MediaPosition(track: 1, units: 7))
        try shelf.move("elsewhere/1.txt", "B/Book/1.mp3")
        #expect(try await shelf.rescan().outcomes == [.updated: 1])
        now = try #require(try await shelf.store.book(id: book.id))
        #expect(now.missing == 0)
        #expect(await shelf.place(of: now.uri) == MediaPosition(track: 2, units: 7))
        #expect(shelf.log.inspected == [])
    }

    @Test func `that is gone keeps its place and is recognised when its disk is back`() async throws {
        let book = try await book()
        try shelf.move("A", "../away/A")
        #expect(try await shelf.rescan().outcomes == [.missing: 1])
        #expect(try await shelf.store.book(id: book.id)?.missing == 4)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 2, units: 7))
        try FileManager.default.moveItem(atPath: shelf.folder.path + "/away/A", toPath: shelf.root + "/A")
        try await shelf.rescan()
        #expect(try await shelf.store.book(id: book.id)?.missing == 0)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 2, units: 7))
        #expect(shelf.log.inspected == [])
    }

    @Test func `a book of a single file is recognised, too`() async throws {
        try shelf.write("Single.m4b")
        try await shelf.add()
        let book = try #require(try await shelf.books().first)
        try await shelf.store.save(Shelf.place(book.uri, track: 0), durably: true)
        try shelf.move("Single.m4b", "Other/Name.m4b")
        #expect(try await shelf.rescan().outcomes == [.moved: 1])
        let now = try #require(try await shelf.store.book(id: book.id))
        #expect(await shelf.place(of: now.uri) == MediaPosition(track: 0, units: 7))
    }
}
