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

    @Test func `keeps every book with its files, durations and chapters`() async throws {
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

    @Test func `of what is known costs no inspection`() async throws {
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

    @Test func `that ends in the middle keeps what it has, and goes on there`() async throws {
        for number in 0..<20 { try shelf.write("Book \(number)/1.mp3") }
        let log = shelf.log
        let started = AsyncStream.makeStream(of: Void.self)
        let importer = shelf.importer(willInspect: { _ throws(PlaybackError) in
            if log.inspected.count == 8 {
                started.continuation.finish()
                // Until it is cancelled.
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
        // In another process, as after kill -9.
        await shelf.store.close()
        #expect(try await shelf.add().outcomes == [.unchanged: 7, .added: 13])
        #expect(shelf.log.inspected.count == 13)
        #expect(try await shelf.store.sources().count == 1)
    }

    @Test func `reports what cannot be read in a line each, and steps over it`() async throws {
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
        // What could not be read is tried again only when it was changed; a book that is not there is.
        try await shelf.rescan()
        #expect(shelf.log.inspected == [shelf.uri("Bad.m4b")])
    }

    @Test func `ends when there is no engine`() async throws {
        try shelf.write("Good/1.mp3")
        let importer = shelf.importer(willInspect: { _ throws(PlaybackError) in
            throw PlaybackError(code: 69, message: "no engine for audio is installed")
        })
        let error = await #expect(throws: PlaybackError.self) {
            try await importer.add([BookSource(items: [shelf.root])])
        }
        #expect(error?.code == 69)
        #expect(try await shelf.store.bookCount() == 0)
    }

    @Test func `takes files as one book in the order given`() async throws {
        for name in ["b.mp3", "a.mp3", "x/c.mp3"] { try shelf.write(name) }
        try await shelf.add(["b.mp3", "x/c.mp3", "a.mp3"], asOne: true)
        let book = try #require(try await shelf.books().first)
        #expect(book.shape == .list)
        #expect(book.tracks.map(\.file.uri) == ["b.mp3", "x/c.mp3", "a.mp3"].map(shelf.uri))
        let played = try await ItemResolver().resolve(ItemRequest(items: book.items, extensions: extensions))
        #expect(played.content.uri == book.uri)
    }

    @Test func `says what is not there, and makes nothing of it`() async throws {
        let error = await #expect(throws: PlaybackError.self) { try await shelf.add(["none"]) }
        #expect(error?.code == 66)
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
    func `is known again where it was moved to, with its place`(_ from: String, _ to: String) async throws {
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

    @Test func `is known again on another disk: copied, then deleted`() async throws {
        let book = try await book()
        let other = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: shelf.root + "/A", toPath: other.path + "/A")
        // Another time of change, as after a plain copy.
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

    @Test func `stays where it is when there is a copy, and each has its own place`() async throws {
        let book = try await book()
        try FileManager.default.copyItem(atPath: shelf.root + "/A/Book", toPath: shelf.root + "/A/Copy")
        #expect(try await shelf.rescan().outcomes == [.unchanged: 1, .added: 1])
        let books = try await shelf.books()
        #expect(Set(books.map(\.id)).count == 2)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 2, units: 7))
        #expect(await shelf.place(of: shelf.uri("A/Copy")) == nil)
        // Of two that are alike and gone, the one that was listened to is the one that is found.
        try shelf.move("A/Book", "B/New")
        try shelf.remove("A/Copy")
        #expect(try await shelf.rescan().outcomes == [.moved: 1, .missing: 1])
        #expect(try await shelf.store.book(id: book.id)?.uri == shelf.uri("B/New"))
        #expect(await shelf.place(of: shelf.uri("B/New")) == MediaPosition(track: 2, units: 7))
    }

    @Test func `follows a file that is renamed, and keeps the place in it`() async throws {
        let book = try await book()
        try shelf.move("A/Book/3.mp3", "A/Book/0.mp3")
        #expect(try await shelf.rescan().outcomes == [.updated: 1])
        #expect(shelf.log.inspected == [])
        let now = try #require(try await shelf.store.book(id: book.id))
        #expect(now.missing == 0)
        #expect(await shelf.place(of: book.uri) == MediaPosition(track: 0, units: 7))
    }

    @Test func `of which one file is missing plays the others, and its place is where it was`() async throws {
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

    @Test func `that is gone altogether keeps its place, and is itself again when its disk is back`() async throws {
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

    @Test func `a file by itself is known again, too`() async throws {
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
