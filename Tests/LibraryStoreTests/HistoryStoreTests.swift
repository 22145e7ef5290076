// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing

@testable import LibraryStore

@Suite struct `The history` {
    private let folder: TemporaryFolder
    private let store: LibraryStore

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    private func playing(_ name: String, _ units: Int64) -> Playing {
        Playing(
            item: ItemReference(
                uri: "file:///\(name)", kind: .audio, title: name, items: ["/a/\(name)", "/b/ä\n\(name)"]),
            engine: EngineID("ffmpeg"), position: MediaPosition(track: 2, units: units), provenance: .restored)
    }

    private func jump(_ from: Int64, _ to: Int64, _ cause: Jump.Cause = .seek) -> HistoryEntry {
        HistoryEntry(
            at: 1_700_000_000_000 + from, jump: Jump(from: playing("one", from), to: playing("two", to), cause: cause),
            fromMilliseconds: from, toMilliseconds: nil)
    }

    @Test func `keeps all data of each jump, the newest first`() async throws {
        try await store.record(jump(10, 20))
        try await store.record(jump(30, 40, .sleep))
        let kept = try await store.history(limit: 10)
        #expect(kept.map(\.jump) == [jump(30, 40, .sleep).jump, jump(10, 20).jump])
        #expect(kept.first?.fromMilliseconds == 30)
        #expect(kept.first?.toMilliseconds == nil)
        #expect(try await store.history(limit: 1).count == 1)
    }

    @Test func `the last jump is neither undone nor an undo`() async throws {
        #expect(try await store.lastJump() == nil)
        try await store.record(jump(10, 20))
        try await store.record(jump(30, 40))
        let last = try #require(try await store.lastJump())
        #expect(last.jump.from.position.units == 30)
        try await store.record(jump(40, 30, .undo))
        try await store.markUndone(last)
        #expect(try await store.lastJump()?.jump.from.position.units == 10)
        #expect(try await store.history(limit: 10).map(\.isUndone) == [false, true, false])
    }

    @Test func `survives a restart`() async throws {
        try await store.record(jump(10, 20))
        await store.close()
        let next = LibraryStore(path: store.path)
        #expect(try await next.lastJump()?.jump == jump(10, 20).jump)
    }

    @Test func `jumps that could not be recorded are listed, undone, and recorded by the next successful write`()
        async throws
    {
        try await store.record(jump(10, 20))
        try await `Library store on a bad disk`.refuse(true, "jump", in: store.path)
        for from: Int64 in [30, 50] {
            await #expect(throws: PlaceStoreError.self) { try await store.record(jump(from, from + 10)) }
        }
        let froms = { [store] in try await store.history(limit: 10).map(\.jump.from.position.units) }
        #expect(try await froms() == [50, 30, 10])
        let last = try #require(try await store.lastJump())
        #expect(last.jump == jump(50, 60).jump)
        try await store.markUndone(last)
        #expect(try await store.lastJump()?.jump == jump(30, 40).jump)

        try await `Library store on a bad disk`.refuse(false, "jump", in: store.path)
        try await store.record(jump(70, 80))
        #expect(try await froms() == [70, 50, 30, 10], "each once, in order")
        await store.close()
        let next = LibraryStore(path: store.path)
        #expect(try await next.history(limit: 10).map(\.isUndone) == [false, true, false, false])
        #expect(try await next.history(limit: -1) == [])
    }

    @Test func `a jump recorded after its call timed out appears once, with its mark`() async throws {
        let entry = jump(10, 20)
        try await store.record(entry)
        // As if that call had timed out, and had been carried out all the same.
        store.unsavedJumps.withLock { $0.add(entry) }
        let last = try #require(try await store.lastJump())
        try await store.markUndone(last)
        try await store.record(jump(30, 40))
        #expect(try await store.history(limit: 10).map(\.isUndone) == [false, true])
        // The caller may have asked for it before it was written.
        try await `Library store on a bad disk`.refuse(true, "jump", in: store.path)
        await #expect(throws: PlaceStoreError.self) { try await store.record(jump(50, 60)) }
        let own = try #require(try await store.lastJump())
        try await `Library store on a bad disk`.refuse(false, "jump", in: store.path)
        try await store.set(.rate, to: "1.5")
        try await store.markUndone(own)
        #expect(try await store.history(limit: 10).map(\.isUndone) == [true, false, true])
    }

    @Test func `a jump that could not be marked as undone is not undone twice`() async throws {
        try await store.record(jump(10, 20))
        try await store.record(jump(30, 40))
        let refuse = { [store] (isRefused: Bool) in
            let other = try DatabaseQueue(path: store.path)
            try await other.write { db in
                try db.execute(
                    sql: isRefused
                        ? "CREATE TRIGGER refuse BEFORE UPDATE ON jump BEGIN SELECT RAISE(FAIL, 'no room'); END"
                        : "DROP TRIGGER refuse")
            }
        }
        try await refuse(true)
        let last = try #require(try await store.lastJump())
        await #expect(throws: PlaceStoreError.self) { try await store.markUndone(last) }
        #expect(try await store.lastJump()?.jump == jump(10, 20).jump)
        #expect(try await store.history(limit: 10).map(\.isUndone) == [true, false])
        try await refuse(false)
        try await store.set(.rate, to: "1.5")
        await store.close()
        #expect(try await LibraryStore(path: store.path).history(limit: 10).map(\.isUndone) == [true, false])
    }

    @Test func `a mark that failed twice is still not lost`() async throws {
        let refuse = { [store] (isRefused: Bool, statement: String) in
            let other = try DatabaseQueue(path: store.path)
            try await other.write { db in
                try db.execute(
                    sql: isRefused
                        ? "CREATE TRIGGER no\(statement) BEFORE \(statement) ON jump BEGIN SELECT RAISE(FAIL, 'no'); END"
                        : "DROP TRIGGER no\(statement)")
            }
        }
        try await store.record(jump(10, 20))
        try await refuse(true, "INSERT")
        await #expect(throws: PlaceStoreError.self) { try await store.record(jump(30, 40)) }
        let own = try #require(try await store.lastJump())
        try await refuse(false, "INSERT")
        // It is written now, before the caller marks it, and then it cannot be marked.
        try await store.set(.rate, to: "1.5")
        try await refuse(true, "UPDATE")
        await #expect(throws: PlaceStoreError.self) { try await store.markUndone(own) }
        #expect(try await store.lastJump()?.jump == jump(10, 20).jump)
        try await refuse(false, "UPDATE")
        try await store.set(.rate, to: "2.0")
        await store.close()
        #expect(try await LibraryStore(path: store.path).history(limit: 10).map(\.isUndone) == [true, false])
    }

    @Test func `a mark that comes while a jump is being written is written, too`() throws {
        var unsaved = UnsavedJumps()
        unsaved.add(jump(10, 20))
        let written = unsaved
        unsaved.markUndone(written.entries[0])
        unsaved.remove(written)
        #expect(unsaved.entries.map(\.isUndone) == [true])
    }

    @Test func `a jump that cannot be written does not prevent places from being saved`() async throws {
        let path = try await `Library store on a bad disk`.library(in: folder)
        let store = `Library store on a bad disk`.store(path)
        var later = `Library store on a bad disk`.saved
        later.position.units = 500
        later.updatedAt += 1000
        try await `Library store on a bad disk`.refuse(true, "place", in: path)
        await #expect(throws: PlaceStoreError.self) { try await store.save(later, durably: true) }
        try await `Library store on a bad disk`.refuse(false, "place", in: path)
        try await `Library store on a bad disk`.refuse(true, "jump", in: path)
        await #expect(throws: PlaceStoreError.self) { try await store.record(jump(10, 20)) }
        try await store.set(.rate, to: "1.5")
        await store.close()
        #expect(await `Library store on a bad disk`.store(path).place(of: later.uri, owner: .main) == .progress(later))
    }

    @Test func `a session whose library cannot be opened lists and undoes its own jumps`() async throws {
        let blocked = LibraryStore(path: folder.path + "/file/library.sqlite")
        _ = try folder.write("file", Data())
        await #expect(throws: PlaceStoreError.self) { try await blocked.history(limit: 10) }
        await #expect(throws: PlaceStoreError.self) { try await blocked.record(jump(10, 20)) }
        #expect(try await blocked.history(limit: 10).map(\.jump) == [jump(10, 20).jump])
        #expect(try await blocked.lastJump()?.jump == jump(10, 20).jump)
    }

    @Test func `keeps a limited number of jumps`() async throws {
        for number in 0..<300 { try await store.record(jump(Int64(number), 0)) }
        let database = try DatabaseQueue(path: store.path)
        try await database.write { db in
            try db.execute(sql: "UPDATE sqlite_sequence SET seq = 11999 WHERE name = 'jump'")
        }
        try await store.record(jump(1_000, 0))
        #expect(try await store.history(limit: 1_000).map(\.jump.from.position.units) == [1_000])
    }

    @Test func `a row that no version wrote is skipped`() async throws {
        try await store.record(jump(10, 20))
        let database = try DatabaseQueue(path: store.path)
        try await database.write { db in
            try db.execute(
                sql:
                    "INSERT INTO jump SELECT id + 1, at, 'of the future', undone, fromUri, fromKind, fromTitle, fromItems, fromEngine, fromTrack, fromUnits, fromMs, toUri, toKind, toTitle, toItems, toEngine, toTrack, toUnits, toMs FROM jump"
            )
        }
        #expect(try await store.history(limit: 10).count == 1)
    }

    @Test func `listening spans are returned with the newest first`() async throws {
        let span = ListeningSpan(
            uri: "file:///one", title: "one", began: 1_000, ended: 31_000, from: MediaPosition(track: 0, units: 5),
            to: MediaPosition(track: 0, units: 9), fromMilliseconds: 5, toMilliseconds: nil)
        var later = span
        later.began = 50_000
        later.ended = 90_000
        try await store.record(span)
        try await store.record(later)
        #expect(try await store.spans(limit: 10) == [later, span])
        // The first span grows. Another item may have begun in the same millisecond.
        var more = span
        more.ended = 45_000
        more.to = MediaPosition(track: 0, units: 14)
        more.toMilliseconds = 14
        var other = more
        other.uri = "file:///two"
        try await store.record(more)
        try await store.record(other)
        #expect(Set(try await store.spans(limit: 10)) == [later, more, other])
    }

    /// Migrates a library of the first schema with a place in it, as the first version left it.
    @Test func `a library of the first version gets a history and keeps its places`() async throws {
        let path = folder.path + "/old.sqlite"
        do {
            let old = try DatabaseQueue(path: path)
            try LibrarySchema.migrator.migrate(old, upTo: "1 places")
            try await old.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO place VALUES
                        ('main', 'file:///book', 'audio', 'ffmpeg', 3, 12345, 'heard', 0, NULL, NULL, 99)
                        """)
            }
            try old.close()
        }
        let store = LibraryStore(path: path)
        #expect(try await store.history(limit: 10) == [])
        guard case .progress(let place) = await store.place(of: "file:///book", owner: .main) else {
            Issue.record("the place is gone")
            return
        }
        #expect(place.position == MediaPosition(track: 3, units: 12345))
        try await store.record(jump(10, 20))
        #expect(try await store.lastJump() != nil)
    }
}
