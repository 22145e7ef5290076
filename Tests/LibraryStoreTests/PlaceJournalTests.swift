// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct `Place journal` {
    static func place(_ units: Int64, uri: String = "file:///a.m4b", at time: Int64 = 1000) -> SavedPlace {
        SavedPlace(
            owner: .main, uri: uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: 1, units: units), provenance: .heard, updatedAt: time)
    }

    @Test func `a record is decoded only if it is complete and undamaged`() throws {
        let record = JournalRecord(sequence: 7, place: Self.place(12_345, uri: "file:///Bücher/é%20a.m4b"))
        let bytes = try #require(record.encoded(limit: PlaceJournalFile.slotSize))
        #expect(JournalRecord(bytes[...]) == record)
        for count in bytes.indices { #expect(JournalRecord(bytes[..<count]) == nil) }
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 0x10
            #expect(JournalRecord(damaged[...]) == nil, "byte \(index)")
        }
    }

    @Test func `a path that is too long for a slot is not written at all`() {
        let long = "file:///" + String(repeating: "x", count: PlaceJournalFile.slotSize)
        #expect(JournalRecord(sequence: 1, place: Self.place(1, uri: long)).encoded(limit: 16_384) == nil)
    }

    @Test func `a negative position is not written`() {
        #expect(JournalRecord(sequence: 1, place: Self.place(-1)).encoded(limit: 16_384) == nil)
        var place = Self.place(1)
        place.position.track = -1
        #expect(JournalRecord(sequence: 1, place: place).encoded(limit: 16_384) == nil)
    }

    /// The clock may have been set back between two of the records.
    @Test func `records written before a place that the library has are removed with it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        var file = PlaceJournalFile(path: path)
        try file.write(Self.place(1, at: 5000))
        try file.write(Self.place(2, at: 2000))
        try file.forget(owner: .main, uri: "file:///a.m4b", upTo: 1999)
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == [2])
        try file.forget(owner: .main, uri: "file:///a.m4b", upTo: 2000)
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).isEmpty)
    }

    @Test(arguments: [false, true]) func `a write that is cut short at any byte leaves the previous place intact`(
        waits: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        var file = PlaceJournalFile(path: path, waits: waits)
        for units in 1...6 { try file.write(Self.place(Int64(units) * 100)) }
        #expect(try file.settle())
        let before = try [UInt8](Data(contentsOf: URL(filePath: path)))
        try file.write(Self.place(700))
        #expect(try file.settle())
        #expect(try !file.settle(), "told once")
        let after = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let changed = zip(before, after).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        for cut in changed.first!...changed.last! {
            try Data(after[..<cut] + before[cut...]).write(to: URL(filePath: path))
            let units = PlaceJournalFile.read(path).map(\.place.position.units)
            #expect(units == [600], "cut at \(cut)")
        }
        try Data(after).write(to: URL(filePath: path))
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == [700])
    }

    @Test func `the place of the previous item stays until the library has it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        var file = PlaceJournalFile(path: path)
        for units in 1...3 { try file.write(Self.place(Int64(units), uri: "a")) }
        for units in 4...9 { try file.write(Self.place(Int64(units), uri: "b")) }
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == [3, 9])
        try file.forget(owner: .main, uri: "a", upTo: 1000)
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.uri) == ["b"])
        try file.write(Self.place(10, uri: "c"))
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.uri) == ["b", "c"])
    }

    @Test func `eight items are kept while the library cannot save them, and then the oldest is replaced`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        var file = PlaceJournalFile(path: path)
        for units in 1...8 { for _ in 0..<3 { try file.write(Self.place(Int64(units), uri: "\(units)")) } }
        _ = try file.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == Array(1...8))
        // The same holds in a later session.
        var next = PlaceJournalFile(path: path)
        for _ in 0..<3 { try next.write(Self.place(9, uri: "9")) }
        _ = try next.settle()
        #expect(PlaceJournalFile.read(path).map(\.place.position.units) == Array(2...9))
    }

    /// Needs the right to mount, and reports that it was skipped if it has none.
    @Test func `a smaller file of an earlier version is still used if the disk is full`() throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=256k") == 0 else {
            print("skipped: no right to mount a full file system")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let path = folder.path + "/places.journal"
        // The earlier version had slots for two items.
        let size = 4 * PlaceJournalFile.slotSize
        let record = try #require(
            JournalRecord(sequence: 7, place: Self.place(70, uri: "a")).encoded(limit: PlaceJournalFile.slotSize))
        try Data(record + [UInt8](repeating: 0, count: size - record.count)).write(to: URL(filePath: path))
        var count = 0
        while (try? folder.write("fill-\(count)", Data(repeating: 1, count: 4096))) != nil { count += 1 }
        var file = PlaceJournalFile(path: path)
        for (index, uri) in ["b", "c", "c", "c"].enumerated() {
            try file.write(Self.place(Int64(80 + index), uri: uri))
            _ = try file.settle()
            // The second write of an item takes the slot of its pair that held the other item.
            let left = [["a", "b"], ["a", "b", "c"], ["b", "c"], ["b", "c"]][index]
            #expect(PlaceJournalFile.read(path).map(\.place.uri) == left)
        }
        #expect(try Data(contentsOf: URL(filePath: path)).count == size)
    }

    @Test func `a later session continues the sequence of an earlier one`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        for units in 1...5 {
            var file = PlaceJournalFile(path: path)
            try file.write(Self.place(Int64(units)))
            // Closing the file waits for the write in progress.
        }
        let records = PlaceJournalFile.read(path)
        #expect(records.map(\.sequence) == [5])
        #expect(records.map(\.place.position.units) == [5])
    }

    @Test func `an invalid file contains no place`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/places.journal"
        for content in [Data(), Data("hello".utf8), Data(repeating: 0xFF, count: 70_000)] {
            try content.write(to: URL(filePath: path))
            #expect(PlaceJournalFile.read(path).isEmpty)
        }
    }

    @Test(arguments: [false, true]) func `blocks are written whole and one at a time`(waits: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/blocks"
        let file = try BlockFile(path: path, size: 16_384, largest: 8192, waits: waits)
        try file.begin([UInt8](repeating: 1, count: 5000), at: 4096)
        #expect(try file.settle())
        try file.begin([2, 2], at: 8192)
        #expect(try file.settle())
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
        #expect(bytes == zeros(4096) + [UInt8](repeating: 1, count: 4096) + [2, 2] + zeros(8190))
        #expect(file.isLinked)
        unlink(path)
        #expect(!file.isLinked)
    }

    @Test(arguments: 2...5) func `the oldest record of an item goes first, so that none comes back`(writes: Int) throws
    {
        let folder = try TemporaryFolder()
        var file = PlaceJournalFile(path: folder.path + "/places.journal")
        for number in 1...writes { try file.write(Self.place(Int64(number))) }
        let place = Self.place(0)
        let order = file.outdated(owner: place.owner, uri: place.uri, upTo: place.updatedAt)
        #expect(order.map(\.record.place.position.units) == [Int64(writes) - 1, Int64(writes)])
        try file.forget(owner: place.owner, uri: place.uri, upTo: place.updatedAt)
        _ = try file.settle()
        #expect(PlaceJournalFile.read(folder.path + "/places.journal").isEmpty)
    }

    // MARK: Taking over the journal

    /// The arguments are the saved place, the place in the journal, and the place that a session resumes at.
    @Test(
        arguments: [
            (saved: (units: 50, at: 1000), left: (units: 900, at: 2000), found: 900),
            (saved: (units: 950, at: 3000), left: (units: 900, at: 2000), found: 950),
            // The user moved back after the record was written.
            (saved: (units: 10, at: 2001), left: (units: 900, at: 2000), found: 10),
            (saved: nil, left: (units: 900, at: 2000), found: 900),
        ] as [(saved: (units: Int64, at: Int64)?, left: (units: Int64, at: Int64), found: Int64)])
    func `the newer of the saved place and the place in the journal of a killed session counts`(
        saved: (units: Int64, at: Int64)?, left: (units: Int64, at: Int64), found: Int64
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let killed = LibraryStore(path: path)
        if let saved {
            var place = Self.place(saved.units, at: saved.at)
            place.rate = 1.5
            try await killed.save(place, durably: false)
        }
        var file = PlaceJournalFile(path: folder.path + "/places.journal")
        try file.write(Self.place(left.units, at: left.at))
        _ = try file.settle()
        await killed.close()

        let next = LibraryStore(path: path)
        guard case .progress(let place) = await next.place(of: "file:///a.m4b", owner: .main) else {
            Issue.record("no place")
            return
        }
        #expect(place.position == MediaPosition(track: 1, units: found))
        #expect(place.rate == (saved == nil ? nil : 1.5))
        // The record is removed, so that one with a wrong time does not return.
        #expect(PlaceJournalFile.read(folder.path + "/places.journal").isEmpty)
    }

    @Test func `records written while the library was out of reach survive the takeover of older ones`() async throws {
        let folder = try TemporaryFolder()
        let (path, journal) = (folder.path + "/library.sqlite", folder.path + "/places.journal")
        var file = PlaceJournalFile(path: journal)
        try file.write(Self.place(900, at: 2000))
        _ = try file.settle()
        // A folder at its path keeps the library from being opened.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let store = LibraryStore(path: path)
        #expect(await store.place(of: "file:///a.m4b", owner: .main) != .empty)
        try file.write(Self.place(50, uri: "file:///b.m4b", at: 3000))
        _ = try file.settle()
        try FileManager.default.removeItem(atPath: path)
        guard case .progress(let place) = await store.place(of: "file:///a.m4b", owner: .main) else {
            Issue.record("no place")
            return
        }
        #expect(place.position.units == 900)
        #expect(PlaceJournalFile.read(journal).map(\.place.uri) == ["file:///b.m4b"])
    }

    @Test(arguments: [
        (uri: "file:///b.m4b", at: 2000, last: "file:///b.m4b"),
        (uri: "https://example.org/b.mp3", at: 2000, last: "https://example.org/b.mp3"),
        (uri: "file:///b.m4b", at: 999, last: "file:///a.m4b"),
        // These URIs do not open the item again.
        (uri: "queue:1-2", at: 2000, last: "file:///a.m4b"),
        (uri: "https://example.org/b.php#q=0123", at: 2000, last: "file:///a.m4b"),
    ]) func `the item that a killed session played last is the last item, even if it was not saved as such`(
        uri: String, at: Int64, last: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let killed = LibraryStore(path: path)
        try await killed.setLastItem(
            LastItem(
                owner: .main, kind: .audio, uri: "file:///a.m4b", items: ["/a.m4b"], engine: EngineID("ffmpeg"),
                title: "A", updatedAt: 1000))
        var file = PlaceJournalFile(path: folder.path + "/places.journal")
        try file.write(Self.place(900, uri: uri, at: at))
        _ = try file.settle()
        await killed.close()

        for session in ["that takes it over", "after it"] {
            let next = LibraryStore(path: path)
            let found = try await next.lastItem(of: .audio, owner: .main)
            #expect(found?.uri == last, "the session \(session)")
            #expect(found?.items == (last == uri ? [uri] : ["/a.m4b"]))
            #expect(try await next.lastItem(of: .text, owner: .main) == nil)
            await next.close()
        }
    }

    @Test func `a finished item does not become unfinished`() async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        var file = PlaceJournalFile(path: folder.path + "/places.journal")
        try file.write(Self.place(900, at: 1999))
        _ = try file.settle()
        var end = Self.place(1000, at: 2000)
        end.finished = true
        try await store.save(end, durably: true)
        guard case .progress(let place) = await store.place(of: end.uri, owner: .main) else {
            Issue.record("no place")
            return
        }
        #expect(place.finished)
    }

    @Test func `an item is removed from the journal once the library has its latest place`() async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        let feed = HeardFeed()
        _ = await store.prepare()
        let clock = Mutex<Int64>(0)
        let follower = PlaceFollower(
            path: folder.path + "/other.journal", now: { clock.withLock { $0 } }, wallClock: { 1500 },
            complain: { _ in })
        await follower.follow(`Place follower`.subject(), feed: feed)
        `Place follower`.tell(feed, units: 400, at: 0)
        clock.withLock { $0 = PlaceFollower.interval }
        _ = await follower.turn()
        try await follower.settle()
        #expect(PlaceJournalFile.read(folder.path + "/other.journal").map(\.place.position.units) == [400])
        await follower.forget(owner: .main, uri: "file:///a.m4b", upTo: 1499)
        #expect(PlaceJournalFile.read(folder.path + "/other.journal").count == 1)
        await follower.forget(owner: .main, uri: "file:///a.m4b", upTo: 1500)
        try await follower.settle()
        #expect(PlaceJournalFile.read(folder.path + "/other.journal").isEmpty)
    }
}
