// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import LibraryStore
import MediaPlayback
import PlaybackCore
import Testing

@Suite struct `A picture inside a book's files` {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private var covers: String { shelf.folder.path + "/data/covers" }
    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: covers)) ?? []).sorted()
    }

    private func cover(_ title: String) async throws -> String? {
        try #require(try await shelf.books().first { $0.title == title }).cover
    }

    private func text(_ path: String?) throws -> String {
        let path = try #require(path)
        return String(decoding: try #require(FileManager.default.contents(atPath: path)), as: UTF8.self)
    }

    @Test func `becomes the cover if it is the first one, readable by its owner only`() async throws {
        try shelf.write("Book/1.mp3")
        try shelf.write("Book/2.mp3", "sound picture:second")
        try shelf.write("Book/3.mp3", "sound picture:third")
        try await shelf.add()
        let cover = try #require(try await cover("Book"))
        #expect(cover.hasPrefix(covers + "/") && cover.hasSuffix(".png"))
        #expect(try text(cover) == "second")
        let mode = { (path: String) throws in
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(cover) == 0o600)
        #expect(try mode(covers) == 0o700)
        #expect(try await shelf.store.books(after: nil, offset: 0, limit: 1).first?.cover == cover)
        #expect(shelf.log.problems == [])
    }

    @Test func `is not requested if there is a picture beside the files`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:inside")
        try shelf.write("Book/cover.jpg", "beside")
        try await shelf.add()
        #expect(try await cover("Book") == shelf.root + "/Book/cover.jpg")
        #expect(shelf.log.askedForPictures == [])
        #expect(files == [])
    }

    @Test func `is replaced by a picture that is put beside the files`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:inside")
        try await shelf.add()
        #expect(files.count == 1)
        try shelf.write("Book/cover.jpg", "beside")
        shelf.log.clear()
        #expect(try await shelf.rescan().outcomes == [.updated: 1])
        #expect(try await cover("Book") == shelf.root + "/Book/cover.jpg")
        #expect(files == [])
        #expect(shelf.log.inspected == [])
        #expect(try await shelf.rescan().outcomes == [.unchanged: 1])
    }

    @Test func `that many books share is one file, which is removed with the last of them`() async throws {
        for number in 0..<20 { try shelf.write("Book \(number)/1.mp3", "sound \(number) picture:same") }
        try await shelf.add()
        #expect(files.count == 1)
        let books = try await shelf.books()
        #expect(Set(books.map(\.cover)).count == 1)
        for (number, book) in books.enumerated() {
            #expect(files.count == 1, "\(number)")
            #expect(try await shelf.store.remove(book.id))
        }
        #expect(files == [])
    }

    @Test func `stays the cover after rescans and moves`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:inside")
        try shelf.write("Book/2.mp3")
        try await shelf.add()
        let cover = try await cover("Book")
        shelf.log.clear()
        try await shelf.rescan()
        try shelf.move("Book", "Else/Moved")
        #expect(try await shelf.rescan().outcomes == [.moved: 1])
        try shelf.move("Else/Moved/2.mp3", "Else/Moved/0.mp3")
        #expect(try await shelf.rescan().outcomes == [.updated: 1])
        try shelf.move("Else", "../away")
        #expect(try await shelf.rescan().outcomes == [.missing: 1])
        #expect(try await shelf.books().map(\.cover) == [cover])
        #expect(try text(cover) == "inside")
        #expect(shelf.log.inspected == [])
    }

    @Test func `is searched for again when files change`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:old")
        try await shelf.add()
        let old = try await cover("Book")
        try shelf.write("Book/1.mp3", "sound picture:the new one")
        try await shelf.rescan()
        let new = try await cover("Book")
        #expect(new != old)
        #expect(try text(new) == "the new one")
        #expect(files.count == 1)
        try shelf.write("Book/1.mp3", "no more of them")
        try await shelf.rescan()
        #expect(try await cover("Book") == nil)
        #expect(files == [])
    }

    @Test func `in a file that is missing is kept while other files change`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:inside")
        try shelf.write("Book/2.mp3")
        try await shelf.add()
        let cover = try await cover("Book")
        try shelf.remove("Book/1.mp3")
        try shelf.write("Book/2.mp3", "other sound")
        try await shelf.rescan()
        #expect(try await self.cover("Book") == cover)
        #expect(try text(cover) == "inside")
    }

    @Test func `is found even if another file of the book cannot be opened`() async throws {
        try shelf.write("Book/1.mp3", "bad file")
        try shelf.write("Book/2.mp3")
        try shelf.write("Book/3.mp3", "sound picture:third")
        try shelf.write("Book/4.mp3", "sound picture:fourth")
        try await shelf.add()
        #expect(try text(try await cover("Book")) == "third")
    }

    @Test func `that cannot be read is reported in one line, and the book is added`() async throws {
        try shelf.write("Book/1.mp3", "sound picture?")
        #expect(try await shelf.add().outcomes == [.added: 1])
        #expect(try await cover("Book") == nil)
        #expect(
            shelf.log.problems == ["“Book”: cannot tell whether it contains a picture: it is damaged"])
    }

    @Test func `that cannot be stored is reported in one line, and the book is added`() async throws {
        try shelf.write("Book/1.mp3", "sound picture:inside")
        // A file is in the place of the folder.
        try shelf.folder.write("data/covers")
        #expect(try await shelf.add().outcomes == [.added: 1])
        #expect(try await cover("Book") == nil)
        #expect(
            shelf.log.problems
                == ["the picture in “Book” is not kept: cannot save a picture in \(covers): Not a directory"])
    }

    @Test func `that the disk has no room for is reported in one line, and the previous cover stays`() async throws {
        struct FullDisk: CoverStore {
            let store: LibraryStore
            func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String {
                throw PlaceStoreError(.diskFull, "the disk is full; make room")
            }
            func keeps(_ path: String) -> Bool { store.keeps(path) }
        }
        try shelf.write("Book/1.mp3", "sound picture:old")
        try await shelf.add()
        let old = try await cover("Book")
        try shelf.write("Book/1.mp3", "sound picture:newer")
        let summary = try await shelf.importer(covers: FullDisk(store: shelf.store)).rescan()
        #expect(summary.outcomes == [.updated: 1])
        #expect(try await cover("Book") == old)
        #expect(try text(old) == "old")
        #expect(shelf.log.problems == ["the picture in “Book” is not kept: the disk is full; make room"])
        // A book without a picture is asked once more when there may be room, and then no longer.
        try shelf.write("Other/1.mp3", "sound picture:other")
        _ = try await shelf.importer(covers: FullDisk(store: shelf.store)).rescan()
        #expect(try await cover("Other") == nil)
        shelf.log.clear()
        #expect(try await shelf.rescan().outcomes == [.unchanged: 1, .updated: 1])
        #expect(try text(try await cover("Other")) == "other")
        #expect(shelf.log.inspected == [])
        shelf.log.clear()
        #expect(try await shelf.rescan().outcomes == [.unchanged: 2])
        #expect(shelf.log.askedForPictures == [])
    }

    @Test func `is searched for once in a book that an earlier version imported`() async throws {
        try shelf.write("With/1.mp3", "bad file")
        try shelf.write("With/2.mp3", "sound picture:inside")
        try shelf.write("Without/1.mp3")
        try shelf.write("Beside/1.mp3", "sound picture:inside")
        try shelf.write("Beside/cover.jpg")
        try await shelf.add()
        for var book in try await shelf.books() {
            book.isPictureKnown = false
            if book.title == "With" { book.cover = nil }
            _ = try await shelf.store.add(book)
        }
        #expect(files == [])
        shelf.log.clear()
        #expect(try await shelf.rescan().outcomes == [.unchanged: 2, .updated: 1])
        #expect(shelf.log.askedForPictures.sorted() == [shelf.uri("With/2.mp3"), shelf.uri("Without/1.mp3")])
        #expect(try text(try await cover("With")) == "inside")
        #expect(try await cover("Beside") == shelf.root + "/Beside/cover.jpg")
        shelf.log.clear()
        #expect(try await shelf.rescan().outcomes == [.unchanged: 3])
        #expect(shelf.log.askedForPictures == [] && shelf.log.inspected == [])
    }
}
