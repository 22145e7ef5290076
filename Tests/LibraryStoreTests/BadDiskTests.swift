// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import Glibc
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `Library store on a bad disk` {
    static let uri = `Library store`.uri
    static let saved = `Library store`.place(10)

    /// Creates and closes a library with one place in it, and returns its path.
    static func library(in folder: TemporaryFolder) async throws -> String {
        let path = folder.path + "/library.sqlite"
        let store = LibraryStore(path: path)
        try await store.save(saved, durably: true)
        await store.close()
        return path
    }

    static func isFailed(_ lookup: PlaceLookup) -> PlaceStoreError.Reason? {
        if case .failed(let error) = lookup { error.reason } else { nil }
    }

    static func store(_ path: String) -> LibraryStore {
        // 2026-01-02T03:04:05Z
        LibraryStore(file: LibraryFile(path: path, now: { 1_767_323_045_000 }), deadline: .seconds(5))
    }

    @Test(arguments: ["", "short", String(repeating: "no database ", count: 1000)])
    func `a file that is no database is set aside and replaced`(_ content: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("library.sqlite", Data(content.utf8))
        let store = Self.store(path)
        let warnings = await store.prepare()
        #expect(await store.place(of: Self.uri, owner: .main) == .empty)
        try await store.save(Self.saved, durably: true)
        await store.close()
        // To SQLite, an empty file is a new database.
        #expect(warnings.count == (content.isEmpty ? 0 : 1))
        let aside = path + ".damaged-20260102T030405Z"
        #expect(content.isEmpty || FileManager.default.contents(atPath: aside) == Data(content.utf8))
        #expect(warnings.allSatisfy { $0.contains(aside) })
    }

    @Test func `a database of another program is set aside unchanged`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)") }
        try other.close()
        let before = FileManager.default.contents(atPath: path)
        let store = Self.store(path)
        #expect(await store.prepare().first?.contains("another program") == true)
        try await store.save(Self.saved, durably: true)
        #expect(FileManager.default.contents(atPath: path + ".damaged-20260102T030405Z") == before)
    }

    @Test func `a damaged table is set aside, its readable rows are kept, and no look-up reports it as empty`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let first = LibraryStore(path: path)
        for n in 0..<400 {
            try await first.save(
                `Library store`.place(Int64(n), uri: "file:///book-\(String(format: "%04d", n))"), durably: false)
        }
        await first.close()
        // Damages the last leaf of the table: the pages hold it in the order of the key.
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: size - 4096 * 2)
        try handle.write(contentsOf: Data(repeating: 0x55, count: 8192))
        try handle.close()
        let store = Self.store(path)
        var failures = 0
        var lookups: [PlaceLookup] = []
        for n in 0..<400 {
            let uri = "file:///book-\(String(format: "%04d", n))"
            let lookup = await store.place(of: uri, owner: .main)
            if Self.isFailed(lookup) != nil { failures += 1 }
            lookups.append(lookup)
        }
        #expect(failures == 1)
        let firstFailure = try #require(lookups.firstIndex { Self.isFailed($0) != nil })
        #expect(lookups[..<firstFailure].allSatisfy { $0 != .empty })
        #expect(
            await store.place(of: "file:///book-0000", owner: .main)
                == .progress(
                    `Library store`.place(0, uri: "file:///book-0000")))
        let warnings = await store.prepare()
        #expect(warnings.first?.contains("rows") == true)
        #expect(folder.names.contains("library.sqlite.damaged-20260102T030405Z"))
    }

    @Test func `a newer library is read but not written`() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let newer = try DatabaseQueue(path: path)
        try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')") }
        try newer.close()
        let store = Self.store(path)
        #expect(await store.prepare().first?.contains("newer") == true)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.saved))
        let error = await #expect(throws: PlaceStoreError.self) {
            try await store.save(`Library store`.place(99), durably: true)
        }
        #expect(error?.reason == .newerSchema)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(`Library store`.place(99)))
        #expect(await Self.store(path).place(of: Self.uri, owner: .main) == .progress(Self.saved))
    }

    @Test func `the item that a killed session played last is known even in a read-only library`() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let newer = try DatabaseQueue(path: path)
        try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 from the future')") }
        try newer.close()
        var place = Self.saved
        place.uri = "file:///b"
        var file = PlaceJournalFile(path: folder.path + "/places.journal")
        try file.write(place)
        _ = try file.settle()
        let store = Self.store(path)
        #expect(try await store.lastItem(of: .audio, owner: .main)?.uri == "file:///b")
        #expect(try await store.lastItem(of: .text, owner: .main) == nil)
    }

    @Test(arguments: ["/proc/rostrum-test/library.sqlite", "/dev/null/library.sqlite"])
    func `a folder that cannot be created is a failure, not an empty place`(_ path: String) async throws {
        let store = Self.store(path)
        #expect(await store.prepare().count == 1)
        #expect(Self.isFailed(await store.place(of: Self.uri, owner: .main)) == .unavailable)
        await #expect(throws: PlaceStoreError.self) { try await store.save(Self.saved, durably: true) }
        await #expect(throws: PlaceStoreError.self) { try await store.lastItem(of: .audio, owner: .main) }
    }

    @Test func `a folder in place of the file is a failure until it is removed`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        try folder.write("library.sqlite/x")
        let store = Self.store(path)
        #expect(Self.isFailed(await store.place(of: Self.uri, owner: .main)) == .unavailable)
        try FileManager.default.removeItem(atPath: path)
        try await store.save(Self.saved, durably: true)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.saved))
    }

    @Test func `a library that is removed while it is open is created again`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let store = Self.store(path)
        try await store.save(Self.saved, durably: true)
        for name in folder.names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        try await store.save(`Library store`.place(11), durably: true)
        await store.close()
        #expect(
            await Self.store(path).place(of: Self.uri, owner: .main) == .progress(`Library store`.place(11)))
    }

    @Test func `a full database rejects the save and keeps the old place`() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let store = LibraryStore(
            file: LibraryFile(
                path: path, now: { 0 }, prepare: { try $0.execute(sql: "PRAGMA max_page_count = 1") }),
            deadline: .seconds(5))
        let long = String(repeating: "x", count: 100_000)
        let error = await #expect(throws: PlaceStoreError.self) {
            try await store.save(`Library store`.place(1, uri: long), durably: true)
        }
        #expect(error?.reason == .diskFull)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.saved))
    }

    /// Makes every write to a table fail until it is called with `false`.
    static func refuse(_ isRefused: Bool, _ table: String, in path: String) async throws {
        let other = try DatabaseQueue(path: path)
        try await other.write { db in
            try db.execute(
                sql: isRefused
                    ? "CREATE TRIGGER refuse BEFORE INSERT ON \(table) BEGIN SELECT RAISE(FAIL, 'no room'); END"
                    : "DROP TRIGGER refuse")
        }
        try other.close()
    }

    @Test func `a place that could not be saved is still found, and is saved by the next successful write`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let store = Self.store(path)
        var later = Self.saved
        later.position.units = 500
        later.updatedAt += 1000
        try await Self.refuse(true, "place", in: path)
        for _ in 1...2 {
            await #expect(throws: PlaceStoreError.self) { try await store.save(later, durably: true) }
            later.position.units += 100
            later.updatedAt += 1000
        }
        later.position.units = 600
        later.updatedAt -= 1000
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(later))
        try await Self.refuse(false, "place", in: path)
        // Any other write is enough, here that of a setting.
        try await store.set(.rate, to: "1.5")
        await store.close()
        #expect(await Self.store(path).place(of: Self.uri, owner: .main) == .progress(later))
    }

    @Test func `a place that could not be saved does not replace a newer one`() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let store = Self.store(path)
        var failed = Self.saved
        failed.updatedAt += 1000
        try await Self.refuse(true, "place", in: path)
        await #expect(throws: PlaceStoreError.self) { try await store.save(failed, durably: true) }
        try await Self.refuse(false, "place", in: path)
        var newer = Self.saved
        newer.position.units = 9
        newer.updatedAt += 2000
        try await store.save(newer, durably: true)
        try await store.set(.rate, to: "1.5")
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(newer))
    }

    @Test func `a last item that could not be saved is still found, and is saved by the next successful write`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let store = Self.store(path)
        let item = LastItem(
            owner: .main, kind: .audio, uri: "file:///b", items: ["/b"], engine: EngineID("ffmpeg"), title: "B",
            updatedAt: 5)
        try await Self.refuse(true, "lastItem", in: path)
        await #expect(throws: PlaceStoreError.self) { try await store.setLastItem(item) }
        #expect(try await store.lastItem(of: .audio, owner: .main) == item)
        #expect(try await store.lastItem(of: .text, owner: .main) == nil)
        try await Self.refuse(false, "lastItem", in: path)
        try await store.save(`Library store`.place(11), durably: true)
        await store.close()
        #expect(try await Self.store(path).lastItem(of: .audio, owner: .main) == item)
    }

    /// Needs the right to mount, and reports that it was skipped if it has none.
    @Test func `a library that was never created is empty on a read-only disk`() async throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", UInt(MS_RDONLY), nil) == 0 else {
            print("skipped: no right to mount a read-only file system")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        for path in ["/library.sqlite", "/.local/share/rostrum/library.sqlite"] {
            let store = Self.store(folder.path + path)
            #expect(await store.place(of: Self.uri, owner: .main) == .empty)
            #expect(try await store.lastItem(of: .audio, owner: .main) == nil)
            await #expect(throws: PlaceStoreError.self) { try await store.save(Self.saved, durably: true) }
            #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.saved), "this session knows it")
        }
    }

    /// Needs the right to mount, and reports that it was skipped if it has none.
    @Test func `a full disk and a read-only disk lose nothing`() async throws {
        let folder = try TemporaryFolder()
        guard mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else {
            print("skipped: no right to mount a full and a read-only file system")
            return
        }
        defer { umount2(folder.path, Int32(MNT_DETACH)) }
        let path = try await Self.library(in: folder)
        let store = Self.store(path)
        let filler = Data(repeating: 1, count: 4096)
        var count = 0
        while (try? folder.write("fill-\(count)", filler)) != nil { count += 1 }
        var failure: PlaceStoreError?
        for n in 0..<200 where failure == nil {
            do throws(PlaceStoreError) {
                try await store.save(
                    `Library store`.place(1, uri: "file:///\(n)" + String(repeating: "y", count: 3000)), durably: true)
            } catch {
                failure = error
            }
        }
        #expect(failure?.reason == .diskFull || failure?.reason == .unavailable, "\(String(describing: failure))")
        for name in folder.names where name.hasPrefix("fill") {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.saved))
        try await store.save(`Library store`.place(12), durably: true)
        await store.close()

        #expect(mount("tmpfs", folder.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
        let readOnly = Self.store(path)
        #expect(await readOnly.place(of: Self.uri, owner: .main) == .progress(`Library store`.place(12)))
        #expect(await readOnly.prepare().isEmpty == false)
        await #expect(throws: PlaceStoreError.self) { try await readOnly.save(Self.saved, durably: true) }
        #expect(await readOnly.place(of: "file:///none", owner: .main) == .empty)
    }

    @Test func `a save that times out is reported, and carried out later`() async throws {
        let folder = try TemporaryFolder()
        let path = try await Self.library(in: folder)
        let held = DispatchSemaphore(value: 0)
        let store = LibraryStore(
            file: LibraryFile(path: path, now: { 0 }, prepare: { _ in held.wait() }), deadline: .milliseconds(20))
        let error = await #expect(throws: PlaceStoreError.self) {
            try await store.save(`Library store`.place(77), durably: true)
        }
        #expect(error?.reason == .timedOut)
        #expect(Self.isFailed(await store.place(of: "file:///other", owner: .main)) == .timedOut)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(`Library store`.place(77)))
        held.signal()
        await store.close()
        var lookup = await Self.store(path).place(of: Self.uri, owner: .main)
        // `close` waits no longer than its deadline, either.
        for _ in 0..<100 where lookup != .progress(`Library store`.place(77)) {
            await store.close()
            lookup = await Self.store(path).place(of: Self.uri, owner: .main)
        }
        #expect(lookup == .progress(`Library store`.place(77)))
    }
}
