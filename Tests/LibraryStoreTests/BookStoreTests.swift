// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `Books in the library` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    static func print(_ name: String) -> Fingerprint? {
        let bytes = Array(name.utf8.suffix(16))
        return Fingerprint(bytes + [UInt8](repeating: 0, count: 16 - bytes.count))
    }

    static func track(_ name: String, _ size: Int64 = 100, units: Int64 = 44_100) -> BookTrack {
        BookTrack(
            file: BookFile(uri: "file:///books/" + name, size: size, modified: 5), fingerprint: print(name),
            timeline: TimelineTrack(unitsPerSecond: 44_100, duration: units, confidence: .exact), codec: "mp3",
            title: name)
    }

    /// Returns a book in a folder with files 0, 1, 2 …, each one second longer than the one before.
    static func book(_ name: String, files: Int, title: String? = nil) -> Book {
        Book(
            uri: "file:///books/" + name, shape: .folder, title: title ?? name, author: "An author", cover: "/c.jpg",
            tracks: (0..<files).map { track("\(name)/\($0).mp3", units: Int64($0 + 1) * 44_100) },
            chapters: (0..<files).map {
                Chapter(title: "Chapter \($0)", track: $0, start: 0, end: nil, source: "id3")
            }, addedAt: 1_767_225_600_000)
    }

    @Test func `a book is found by id and by URI with all its data`() async throws {
        var book = Self.book("x", files: 3)
        book.id = try await store.add(book)
        #expect(book.id.count == 8)
        #expect(try await store.book(id: book.id) == book)
        #expect(try await store.book(uri: book.uri) == book)
        #expect(try await store.book(id: "nothing") == nil)
        await store.close()
        #expect(try await LibraryStore(path: store.path).book(id: book.id) == book)
    }

    @Test func `a book that is added again keeps its id, and a copy of it gets another id`() async throws {
        let first = try await store.add(Self.book("x", files: 2))
        var changed = Self.book("x", files: 3)
        changed.title = "Another title"
        #expect(try await store.add(changed) == first)
        #expect(try await store.book(id: first)?.title == "Another title")
        #expect(try await store.bookCount() == 1)
        var copy = changed
        copy.uri = "file:///copy"
        let second = try await store.add(copy)
        #expect(second != first)
        #expect(
            try await store.books(with: #require(Self.print("x/0.mp3"))).map(\.id).sorted() == [first, second].sorted())
    }

    @Test func `ids are derived from the content, so a library that is built again has the same ids`() async throws {
        let id = try await store.add(Self.book("x", files: 2))
        let other = LibraryStore(path: folder.path + "/other.sqlite")
        _ = try await other.add(Self.book("y", files: 2))
        #expect(try await other.add(Self.book("x", files: 2)) == id)
    }

    @Test func `the list is sorted by title and continues after the last page`() async throws {
        let titles = ["b", "A", "c", "B", "a"]
        for (number, title) in titles.enumerated() {
            _ = try await store.add(Self.book("n\(number)", files: 1, title: title))
        }
        let all = try await store.books(after: nil, offset: 0, limit: 10)
        #expect(all.map { $0.title.lowercased() } == ["a", "a", "b", "b", "c"])
        var paged: [BookSummary] = []
        while true {
            let page = try await store.books(after: paged.last?.id, offset: 0, limit: 2)
            if page.isEmpty { break }
            paged += page
        }
        #expect(paged == all)
        #expect(try await store.books(after: nil, offset: 3, limit: 2) == Array(all[3...]))
        #expect(all.first?.milliseconds == 1000)
    }

    @Test func `a book that is removed leaves its place behind`() async throws {
        let id = try await store.add(Self.book("x", files: 2))
        try await store.save(`Library store`.place(7, uri: "file:///books/x"), durably: true)
        #expect(try await store.remove(id))
        #expect(try await store.remove(id) == false)
        #expect(try await store.bookCount() == 0)
        #expect(
            await store.place(of: "file:///books/x", owner: .main)
                == .progress(`Library store`.place(7, uri: "file:///books/x")))
    }

    @Test func `each source is stored once, in order`() async throws {
        for items in [["/b"], ["/a", "/x\ny"], ["/b"]] { try await store.addSource(BookSource(items: items)) }
        #expect(try await store.sources() == [BookSource(items: ["/b"]), BookSource(items: ["/a", "/x\ny"])])
    }
}
