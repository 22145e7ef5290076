// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `Library store` {
    static let uri = "file:///books/a.m4b"

    static func place(
        _ units: Int64, _ provenance: Provenance = .heard, uri: String = uri, owner: OwnerID = .main
    ) -> SavedPlace {
        SavedPlace(
            owner: owner, uri: uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: 3, units: units), provenance: provenance, finished: false, rate: 1.5,
            voice: nil, updatedAt: 1_767_225_600_000)
    }

    @Test func `a place is found by item and owner, also by the next process`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/share/rostrum/library.sqlite"
        let store = LibraryStore(path: path)
        #expect(await store.place(of: Self.uri, owner: .main) == .empty)
        try await store.save(Self.place(10), durably: false)
        try await store.save(Self.place(20, .user), durably: true)
        try await store.save(Self.place(7, owner: OwnerID("clip-viewer-1")), durably: false)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.place(20, .user)))
        await store.close()
        let next = LibraryStore(path: path)
        #expect(await next.place(of: Self.uri, owner: .main) == .progress(Self.place(20, .user)))
        #expect(await next.place(of: "file:///other", owner: .main) == .empty)
        #expect(await next.prepare() == [])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/share/rostrum")[.posixPermissions]
        #expect(mode as? Int == 0o700)
    }

    @Test func `the words at a place are kept until others are saved`() async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        var place = Self.place(10)
        let context = TextContext(position: 10, size: 30, before: Array("before ".utf8), after: Array("after".utf8))
        place.context = context
        try await store.save(place, durably: true)
        // The disk of the text did not answer.
        try await store.save(Self.place(12), durably: true)
        place.position.units = 12
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(place))
        place.context = TextContext(position: 12, size: 30, before: [], after: Array("other".utf8))
        try await store.save(place, durably: true)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(place))
    }

    @Test(arguments: [Provenance.restored, .estimated, .unknown])
    func `a place that was neither heard nor chosen is rejected`(_ provenance: Provenance) async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        try await store.save(Self.place(10), durably: true)
        let error = await #expect(throws: PlaceStoreError.self) {
            try await store.save(Self.place(0, provenance), durably: true)
        }
        #expect(error?.reason == .refused)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(Self.place(10)))
    }

    @Test func `one last item is stored for each kind and owner, with its parts in order`() async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        #expect(try await store.lastItem(of: .audio, owner: .main) == nil)
        func item(_ kind: ContentKind, _ items: [String]) -> LastItem {
            LastItem(
                owner: .main, kind: kind, uri: "u", items: items, engine: EngineID("e"), title: "T", updatedAt: 5)
        }
        try await store.setLastItem(item(.audio, ["/b", "/a", "/c"]))
        try await store.setLastItem(item(.text, ["/t"]))
        try await store.setLastItem(item(.audio, ["/z", "/y"]))
        #expect(try await store.lastItem(of: .audio, owner: .main) == item(.audio, ["/z", "/y"]))
        #expect(try await store.lastItem(of: .text, owner: .main) == item(.text, ["/t"]))
        #expect(try await store.lastItem(of: .text, owner: OwnerID("x")) == nil)
    }

    @Test func `settings are set, replaced and removed`() async throws {
        let folder = try TemporaryFolder()
        let store = LibraryStore(path: folder.path + "/library.sqlite")
        #expect(try await store.setting(.selectedEngine) == nil)
        try await store.set(.selectedEngine, to: "ffmpeg")
        try await store.set(.selectedEngine, to: "espeak")
        #expect(try await store.setting(.selectedEngine) == "espeak")
        try await store.set(.selectedEngine, to: nil)
        #expect(try await store.setting(.selectedEngine) == nil)
    }

    @Test func `explicit saves are synced to the disk, and periodic ones are left to the system`() async throws {
        let folder = try TemporaryFolder()
        let modes = Modes()
        let store = LibraryStore(
            file: LibraryFile(
                path: folder.path + "/library.sqlite", now: { 0 },
                prepare: { db in
                    db.trace(options: .statement) { event in
                        let sql = "\(event)"
                        if sql.hasPrefix("PRAGMA synchronous") { modes.add(sql) }
                    }
                }), deadline: .seconds(3))
        _ = await store.prepare()
        try await store.save(Self.place(1), durably: false)
        try await store.save(Self.place(2), durably: true)
        try await store.save(Self.place(3), durably: false)
        #expect(modes.all == ["NORMAL", "FULL", "NORMAL"].map { "PRAGMA synchronous = \($0)" })
    }

    @Test func `opening and the first look-up are fast`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        let clock = ContinuousClock()
        var times: [Duration] = []
        for n in 0..<20 {
            let store = LibraryStore(path: path)
            times.append(await clock.measure { _ = await store.place(of: Self.uri, owner: .main) })
            if n == 0 { try await store.save(Self.place(9), durably: true) }
            await store.close()
        }
        print("library: first open \(times[0]), later ones, median \(times.dropFirst().sorted()[9])")
        #expect(times.dropFirst().sorted()[9] < .milliseconds(500))
    }
}

/// Collects the lines of a trace, which is called on the database's thread.
final class Modes: Sendable {
    private let lines = Synchronized<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}
