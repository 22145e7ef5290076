// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `Clips in the library` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    static func clip(
        _ uri: String = "file:///books/x", _ start: Int64 = 44_100, track: Int = 0, note: String = "", made: Int64 = 1,
        print: Fingerprint? = nil
    ) -> Clip {
        func bound(_ units: Int64) -> Clip.Bound {
            Clip.Bound(MediaPosition(track: track, units: units), unitsPerSecond: 44_100, fingerprint: print)
        }
        return Clip(
            uri: uri, items: [uri], title: "A title", author: "An author", chapter: "One", start: bound(start),
            end: bound(start + 88_200), startMilliseconds: start / 441 * 10, milliseconds: 2_000, note: note,
            tags: ["one", "zwei wörter"], createdAt: made)
    }

    private func found(_ id: String) async throws -> Clip? {
        if case .found(let clip) = try await store.clip(id: id) { clip } else { nil }
    }

    @Test func `are found by id with all their data, also by another session`() async throws {
        #expect(try await store.clip(id: "0123abcd") == .none)
        let clip = try await store.add(Self.clip(note: "First line\nSecond — ünï"))
        #expect(clip.id.utf8.count == 8)
        #expect(try await found(clip.id) == clip)
        await store.close()
        #expect(try await LibraryStore(path: store.path).clip(id: clip.id) == .found(clip))
    }

    @Test func `are found by the beginning of an id that no other clip has`() async throws {
        for id in ["abcd0001", "abcd0002", "b0000000"] {
            var clip = Self.clip()
            clip.id = id
            #expect(try await store.add(clip).id == id)
        }
        #expect(try await found("b")?.id == "b0000000")
        #expect(try await store.clip(id: "abc") == .ambiguous(["abcd0001", "abcd0002"]))
        #expect(try await found("abcd0002")?.id == "abcd0002")
        for id in ["", "c", "*", "%", "abcd00011", "ABCD0001", "b0000000'"] {
            #expect(try await store.clip(id: id) == .none, "\(id)")
        }
    }

    @Test func `get another id if theirs is taken or is none`() async throws {
        var clip = Self.clip()
        clip.id = "abcd0001"
        #expect(try await store.add(clip).id == "abcd0001")
        for id in ["abcd0001", "not an id", "i"] {
            clip.id = id
            let added = try await store.add(clip)
            #expect(added.id != id)
            #expect(added.id.utf8.count == 8)
        }
    }

    @Test func `are listed by book, words, and time, in either order`() async throws {
        for (uri, start, note, made) in [
            ("file:///b", Int64(500), "Größe", Int64(10)), ("file:///a", 900, "ein BÄR", 20),
            ("file:///a", 100, "50%_of it", 30), ("file:///a", 500, "", 40),
        ] {
            _ = try await store.add(Self.clip(uri, start, note: note, made: made))
        }
        func times(_ change: (inout ClipQuery) -> Void) async throws -> [Int64] {
            var query = ClipQuery()
            change(&query)
            return try await store.clips(query).map(\.createdAt)
        }
        #expect(try await times { _ in } == [30, 40, 20, 10])
        #expect(try await times { $0.order = .made } == [40, 30, 20, 10])
        #expect(try await times { $0.uri = "file:///b" } == [10])
        #expect(try await times { $0.words = ["GRÖSSE"] } == [])
        #expect(try await times { $0.words = ["größe"] } == [10])
        #expect(try await times { $0.words = ["bär", "TITLE"] } == [20])
        #expect(try await times { $0.words = ["%_"] } == [30])
        #expect(try await times { $0.words = ["zwei wörter", "an author"] } == [30, 40, 20, 10])
        #expect(try await times { ($0.since, $0.until) = (20, 40) } == [30, 20])
        #expect(try await times { ($0.offset, $0.limit) = (1, 2) } == [40, 20])
        #expect(try await times { ($0.offset, $0.limit) = (-1, -1) } == [])
    }

    @Test func `change, and keep their file until there is another one`() async throws {
        let clip = try await store.add(Self.clip())
        let first = ClipFile(
            name: "a-1.m4a", start: 44_100, end: 132_300, frames: 88_200, sampleRate: 44_100, isEncoded: false)
        #expect(try await store.setFile(first, of: clip) == ClipFileChange(isSet: true))
        var changed = clip
        changed.end.position.units += 44_100
        changed.note = "longer"
        changed.changedAt = 5
        #expect(try await store.change(changed, from: clip) == .done)
        // Whoever has not seen that change does not undo it.
        #expect(try await store.change(clip, from: clip) == .overtaken)
        #expect(try await found(clip.id)?.file?.name == first.name)
        #expect(try await found(clip.id)?.isFileCurrent == false)
        // This file was made from the former bounds.
        let late = ClipFile(
            name: "a-2.m4a", start: 44_100, end: 132_300, frames: 88_200, sampleRate: 44_100, isEncoded: false)
        #expect(try await store.setFile(late, of: clip) == ClipFileChange(isSet: false, dropped: "a-2.m4a"))
        let second = ClipFile(
            name: "a-3.m4a", start: 44_100, end: 176_400, frames: 132_300, sampleRate: 44_100, isEncoded: true)
        #expect(try await store.setFile(second, of: changed) == ClipFileChange(isSet: true, dropped: "a-1.m4a"))
        #expect(try await store.clipFiles() == ["a-3.m4a"])
        #expect(try await store.removeClip(id: clip.id)?.file == second)
        #expect(try await store.removeClip(id: clip.id) == nil)
        #expect(try await store.change(changed, from: changed) == .gone)
        #expect(try await store.setFile(first, of: clip) == ClipFileChange(isSet: false, dropped: "a-1.m4a"))
        #expect(try await store.clipFiles() == [])
    }

    @Test func `are listed without a row that no version wrote`() async throws {
        let clip = try await store.add(Self.clip())
        _ = try await store.add(Self.clip(made: 2))
        await store.close()
        try await DatabaseQueue(path: store.path).write { db in
            try db.execute(sql: "UPDATE clip SET startTrack = -1 WHERE createdAt = 2")
        }
        #expect(try await store.clips(ClipQuery()) == [clip])
    }

    // MARK: Books that move

    /// A book whose three files have fingerprints, and its clip in the middle one.
    private func bookWithClip() async throws -> (Book, Clip) {
        var book = `Books in the library`.book("x", files: 3)
        for index in book.tracks.indices {
            book.tracks[index].fingerprint = Fingerprint((0..<16).map { UInt8($0 + 16 * index) })
        }
        book.id = try await store.add(book)
        let clip = try await store.add(Self.clip(book.uri, track: 1, print: book.tracks[1].fingerprint))
        return (book, clip)
    }

    private func move(_ book: Book, to uri: String, _ numbers: [Int]) async throws {
        let files = numbers.map { number in
            var file = book.tracks[number].file
            file.uri = "\(uri)/\(number).mp3"
            return file
        }
        try await store.move(
            book.id,
            to: BookReconciliation(
                book, uri: uri, shape: .folder, cover: nil, files: files,
                fingerprints: numbers.map { book.tracks[$0].fingerprint }))
    }

    @Test(arguments: [([0, 1, 2], 1), ([1, 2, 0], 0), ([2, 1], 1)])
    func `go with their book, and with the file in it`(_ numbers: [Int], _ track: Int) async throws {
        let (book, clip) = try await bookWithClip()
        try await move(book, to: "file:///elsewhere/y", numbers)
        let moved = try #require(try await found(clip.id))
        #expect(moved.uri == "file:///elsewhere/y")
        #expect(moved.items == ["file:///elsewhere/y"])
        #expect(moved.isSourceThere)
        #expect(
            (moved.start.position, moved.end.position) == (
                MediaPosition(track: track, units: 44_100), MediaPosition(track: track, units: 132_300)
            ))
        // A list by the former place of the book finds them, too.
        var query = ClipQuery()
        query.uri = book.uri
        #expect(try await store.clips(query).map(\.id) == [clip.id])
    }

    @Test func `wait for a file that is gone, and are there again when it is`() async throws {
        let (book, clip) = try await bookWithClip()
        try await move(book, to: book.uri, [0, 2])
        #expect(try await found(clip.id)?.isSourceThere == false)
        // Whoever read the clip before that has looked at another recording in the place of its file.
        let file = ClipFile(name: "a-1.m4a", start: 44_100, end: 132_300, frames: 1, sampleRate: 1, isEncoded: false)
        #expect(try await store.setFile(file, of: clip) == ClipFileChange(isSet: false, dropped: "a-1.m4a"))
        var longer = clip
        longer.end.position.units += 1
        #expect(try await store.change(longer, from: clip) == .overtaken)
        let without = try #require(try await store.book(id: book.id))
        let files = [0, 1, 2].map { book.tracks[$0].file }
        try await store.move(
            book.id,
            to: BookReconciliation(
                without, uri: book.uri, shape: .folder, cover: nil, files: files,
                fingerprints: book.tracks.map(\.fingerprint)))
        let back = try #require(try await found(clip.id))
        #expect(back.isSourceThere)
        #expect(back.start.position.track == 1)
    }

    @Test func `of a single file go with that file, whatever name it has then`() async throws {
        let (book, _) = try await bookWithClip()
        var ids: [String] = []
        for track in book.tracks {
            ids.append(try await store.add(Self.clip(track.file.uri, made: 7)).id)
        }
        // The first file is gone, and the second one has its name.
        func files(_ names: [Int: String], at uri: String) -> [BookFile] {
            names.sorted { $0.value < $1.value }.map { number, name in
                var file = book.tracks[number].file
                (file.uri, file.size) = ("\(uri)/\(name)", Int64(200 + number))
                return file
            }
        }
        func move(_ names: [Int: String], to uri: String) async throws {
            let now = try #require(try await store.book(id: book.id))
            try await store.move(
                book.id,
                to: BookReconciliation(
                    now, uri: uri, shape: .folder, cover: nil, files: files(names, at: uri),
                    fingerprints: names.sorted { $0.value < $1.value }.map { book.tracks[$0.key].fingerprint }))
        }
        let first = try #require(book.tracks[0].file.uri.split(separator: "/").last.map(String.init))
        try await move([1: first, 2: "zz.mp3"], to: book.uri)
        #expect(try await found(ids[0])?.isSourceThere == false)
        #expect(try await found(ids[1])?.uri == book.tracks[0].file.uri)
        #expect(try await found(ids[2])?.items == ["\(book.uri)/zz.mp3"])
        // All are elsewhere, and the first one is back.
        try await move([0: "c.mp3", 1: "b.mp3", 2: "a.mp3"], to: "file:///elsewhere/y")
        for (id, name) in zip(ids, ["c", "b", "a"]) {
            let clip = try #require(try await found(id))
            #expect((clip.uri, clip.isSourceThere) == ("file:///elsewhere/y/\(name).mp3", true))
            #expect(clip.items == [clip.uri])
            #expect(clip.start.position == MediaPosition(track: 0, units: 44_100))
        }
        // They are no clips of the book.
        #expect(try await store.clips(ClipQuery()).count { $0.uri == "file:///elsewhere/y" } == 1)
    }

    @Test func `outlive their book`() async throws {
        let (book, clip) = try await bookWithClip()
        #expect(try await store.remove(book.id))
        #expect(try await found(clip.id)?.title == clip.title)
    }

    @Test func `survive damage to another part of the library`() async throws {
        let clip = try await store.add(Self.clip(note: "kept"))
        for number in 0..<200 { _ = try await store.add(`Books in the library`.book("b\(number)", files: 4)) }
        await store.close()
        try `A damaged library`.Damage.everyTenthPage.apply(to: store.path)
        let other = LibraryStore(path: store.path, deadline: .seconds(20))
        // Damage in the books is found when they are read.
        for _ in 0..<2 { _ = try? await other.books(after: nil, offset: 0, limit: 500) }
        #expect(try await other.clip(id: clip.id) == .found(clip))
    }
}
