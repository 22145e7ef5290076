// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore
import Testing

@testable import LibraryStore

@Suite struct `The preferences for an item` {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private static let uri = "file:///books/a.m4b"

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    private func place(_ units: Int64, rate: Double? = nil, voice: String? = nil, volume: Double? = nil) -> SavedPlace {
        SavedPlace(
            owner: .main, uri: Self.uri, kind: .audio, engine: EngineID("ffmpeg"),
            position: MediaPosition(track: 0, units: units), provenance: .heard, rate: rate, voice: voice,
            volume: volume, updatedAt: 1)
    }

    @Test func `is saved with the place, and stays if a later place has none`() async throws {
        try await store.save(place(1, rate: 1.5, voice: "en", volume: 0.5), durably: true)
        try await store.save(place(2), durably: false)
        await store.close()
        let next = LibraryStore(path: store.path)
        #expect(
            await next.place(of: Self.uri, owner: .main)
                == .progress(place(2, rate: 1.5, voice: "en", volume: 0.5)))
    }

    @Test func `changes without creating or moving a place`() async throws {
        let preferences = ItemPreferences(rate: 2, volume: 0.25, engine: EngineID("clip"))
        try await store.remember(preferences, of: Self.uri, owner: .main)
        #expect(await store.place(of: Self.uri, owner: .main) == .empty)
        try await store.save(place(7, rate: 1, voice: "en", volume: 1), durably: true)
        try await store.remember(preferences, of: Self.uri, owner: .main)
        try await store.remember(ItemPreferences(rate: 3), of: Self.uri, owner: OwnerID("another"))
        var expected = place(7, rate: 2, voice: "en", volume: 0.25)
        expected.engine = EngineID("clip")
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(expected))
    }

    @Test(arguments: ["1 places", "2 history"])
    func `is unknown for places of an earlier version, which are all kept`(_ version: String) async throws {
        let old = try DatabaseQueue(path: store.path)
        try LibrarySchema.migrator.migrate(old, upTo: version)
        try await old.write { db in
            try db.execute(
                sql: "INSERT INTO place VALUES ('main', ?, 'audio', 'ffmpeg', 0, 9, 'heard', 0, 1.25, NULL, 1)",
                arguments: [Self.uri])
        }
        try old.close()
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(place(9, rate: 1.25)))
        try await store.save(place(10, rate: 1.25, volume: 0.75), durably: true)
        #expect(await store.place(of: Self.uri, owner: .main) == .progress(place(10, rate: 1.25, volume: 0.75)))
    }
}
