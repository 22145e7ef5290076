// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
import MediaPlayback
import PlaybackCore

/// The error for a row that no version of Rostrum wrote.
struct NonsenseRow: Error {}

extension SavedPlace {
    init(row: Row) throws {
        guard let owner = String.fromDatabaseValue(row["owner"]), let uri = String.fromDatabaseValue(row["uri"]),
            let kind = String.fromDatabaseValue(row["kind"]).flatMap(ContentKind.init),
            let engine = String.fromDatabaseValue(row["engine"]),
            let track = Int.fromDatabaseValue(row["track"]), track >= 0,
            let units = Int64.fromDatabaseValue(row["units"]), units >= 0,
            let provenance = String.fromDatabaseValue(row["provenance"]).flatMap(Provenance.init),
            let finished = Bool.fromDatabaseValue(row["finished"]),
            let updatedAt = Int64.fromDatabaseValue(row["updatedAt"])
        else { throw NonsenseRow() }
        self.init(
            owner: OwnerID(owner), uri: uri, kind: kind, engine: EngineID(engine),
            position: MediaPosition(track: track, units: units), provenance: provenance, finished: finished,
            rate: Double.fromDatabaseValue(row["rate"]), voice: String.fromDatabaseValue(row["voice"]),
            // A damaged file of an earlier version may be read without being migrated.
            volume: row.hasColumn("volume") ? Double.fromDatabaseValue(row["volume"]) : nil, updatedAt: updatedAt,
            context: row.hasColumn("contextUnits") ? TextContext(row: row) : nil)
    }

    static func fetch(_ db: Database, uri: String, owner: OwnerID) throws -> SavedPlace? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM place WHERE owner = ? AND uri = ?")
        return try Row.fetchOne(statement, arguments: [owner.rawValue, uri]).map(SavedPlace.init)
    }

    func save(_ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO place
                (owner, uri, kind, engine, track, units, provenance, finished, rate, voice, volume, updatedAt,
                contextUnits, contextSize, contextBefore, contextAfter)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (owner, uri) DO UPDATE SET
                kind = excluded.kind, engine = excluded.engine, track = excluded.track, units = excluded.units,
                provenance = excluded.provenance, finished = excluded.finished,
                rate = coalesce(excluded.rate, rate), voice = coalesce(excluded.voice, voice),
                volume = coalesce(excluded.volume, volume), updatedAt = excluded.updatedAt,
                contextUnits = coalesce(excluded.contextUnits, contextUnits),
                contextSize = coalesce(excluded.contextSize, contextSize),
                contextBefore = coalesce(excluded.contextBefore, contextBefore),
                contextAfter = coalesce(excluded.contextAfter, contextAfter)
                """)
        try statement.execute(arguments: [
            owner.rawValue, uri, kind.rawValue, engine.rawValue, position.track, position.units, provenance.rawValue,
            finished, rate, voice, volume, updatedAt, context?.position, context?.size,
            context.map { Data($0.before) }, context.map { Data($0.after) },
        ])
    }
}

extension TextContext {
    /// Returns `nil` if the row has none.
    fileprivate init?(row: Row) {
        guard let position = Int64.fromDatabaseValue(row["contextUnits"]), position >= 0,
            let size = Int64.fromDatabaseValue(row["contextSize"]), size >= position,
            let before = Data.fromDatabaseValue(row["contextBefore"]), before.count <= Self.reach,
            let after = Data.fromDatabaseValue(row["contextAfter"]), after.count <= Self.reach
        else { return nil }
        self.init(position: position, size: size, before: Array(before), after: Array(after))
    }
}

extension SavedPlace {
    /// Saves this position if it is newer than the saved place, and leaves rate, voice and volume as they are.
    @discardableResult
    func advance(_ db: Database) throws -> Bool {
        var place = self
        place.uri = try FormerURI.now(db, uri)
        let uri = place.uri
        guard let saved = try SavedPlace.fetch(db, uri: uri, owner: owner) else {
            try place.save(db)
            return true
        }
        guard saved.updatedAt < updatedAt else { return false }
        try db.execute(
            sql: """
                UPDATE place SET track = ?, units = ?, provenance = ?, finished = 0, updatedAt = ?
                WHERE owner = ? AND uri = ?
                """,
            arguments: [position.track, position.units, provenance.rawValue, updatedAt, owner.rawValue, uri])
        return true
    }

    /// Makes the item of this place the last item, unless the saved one is the same or not older.
    func advanceLastItem(_ db: Database) throws {
        guard var item = LastItem(of: self) else { return }
        item.uri = try FormerURI.now(db, item.uri)
        if let last = try LastItem.fetch(db, kind: kind, owner: owner),
            last.uri == item.uri || last.updatedAt >= updatedAt
        {
            return
        }
        try item.saveWhereItIs(db)
    }

    /// Returns this place, with the rate, voice, volume and context of `saved` where this place has none.
    func keepingPreferences(of saved: SavedPlace?) -> SavedPlace {
        var place = self
        place.rate = rate ?? saved?.rate
        place.voice = voice ?? saved?.voice
        place.volume = volume ?? saved?.volume
        place.context = context ?? saved?.context
        return place
    }
}

extension LastItem {
    /// Creates the last item of a place, or returns `nil` if its URI does not open it again.
    ///
    /// The URI of a named identity, a queue or a pipe does not; neither does an address of which a part stands behind a
    /// `#`.
    init?(of place: SavedPlace) {
        guard ["file:", "http:", "https:"].contains(where: place.uri.hasPrefix), !place.uri.contains("#") else {
            return nil
        }
        self.init(
            owner: place.owner, kind: place.kind, uri: place.uri, items: [place.uri], engine: place.engine, title: nil,
            updatedAt: place.updatedAt)
    }

    /// Saves the item under its current URI: the book may have been moved.
    func saveWhereItIs(_ db: Database) throws {
        var item = self
        item.uri = try FormerURI.now(db, uri)
        if item.uri != uri, let book = try Book.fetch(db, where: "uri", is: item.uri)?.book { item.items = book.items }
        try item.save(db)
    }

    static func fetch(_ db: Database, kind: ContentKind, owner: OwnerID) throws -> LastItem? {
        let key: StatementArguments = [owner.rawValue, kind.rawValue]
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM lastItem WHERE owner = ? AND kind = ?", arguments: key)
        else { return nil }
        guard let uri = String.fromDatabaseValue(row["uri"]), let engine = String.fromDatabaseValue(row["engine"]),
            let updatedAt = Int64.fromDatabaseValue(row["updatedAt"])
        else { throw NonsenseRow() }
        let items = try String.fetchAll(
            db, sql: "SELECT item FROM lastItemPart WHERE owner = ? AND kind = ? ORDER BY number", arguments: key)
        return LastItem(
            owner: owner, kind: kind, uri: uri, items: items, engine: EngineID(engine),
            title: String.fromDatabaseValue(row["title"]), updatedAt: updatedAt)
    }

    func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO lastItem (owner, kind, uri, engine, title, updatedAt)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [owner.rawValue, kind.rawValue, uri, engine.rawValue, title, updatedAt])
        try db.execute(
            sql: "DELETE FROM lastItemPart WHERE owner = ? AND kind = ?", arguments: [owner.rawValue, kind.rawValue])
        let statement = try db.cachedStatement(
            sql: "INSERT INTO lastItemPart (owner, kind, number, item) VALUES (?, ?, ?, ?)")
        for (number, item) in items.enumerated() {
            try statement.execute(arguments: [owner.rawValue, kind.rawValue, number, item])
        }
    }
}
