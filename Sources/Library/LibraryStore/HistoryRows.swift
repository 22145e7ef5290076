// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
public import MediaPlayback
import PlaybackCore
import Synchronization

extension LibraryStore: HistoryStore {
    public func record(_ entry: HistoryEntry) async throws(PlaceStoreError) {
        do throws(PlaceStoreError) {
            let written = try await change(durably: false) { [self] db in
                let waiting = unsavedJumps.withLock(\.self)
                try waiting.write(db)
                try entry.insert(db)
                return waiting
            }
            unsavedJumps.withLock { $0.remove(written) }
        } catch {
            unsavedJumps.withLock { $0.add(entry) }
            throw error
        }
    }

    public func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry] {
        let limit = max(0, limit)
        let unsaved = unsavedJumps.withLock { Array($0.entries.suffix(limit).reversed()) }
        do throws(PlaceStoreError) {
            let saved = try await read(absent: []) { db in
                try Row.fetchAll(db, sql: "SELECT * FROM jump ORDER BY id DESC LIMIT ?", arguments: [limit])
                    .compactMap { try? HistoryEntry(row: $0) }
            }
            return Array((unsaved + saved).prefix(limit))
        } catch {
            if unsaved.isEmpty { throw error }
            return unsaved
        }
    }

    public func lastJump() async throws(PlaceStoreError) -> HistoryEntry? {
        let unsaved = unsavedJumps.withLock { $0.entries.last { !$0.isUndone && $0.jump.cause != .undo } }
        if let unsaved { return unsaved }
        return try await read(absent: nil) { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM jump WHERE NOT undone AND cause <> ? ORDER BY id DESC",
                arguments: [Jump.Cause.undo.rawValue]
            ).map(HistoryEntry.init)
        }
    }

    public func markUndone(_ id: Int64) async throws(PlaceStoreError) {
        if unsavedJumps.withLock({ $0.markUndone(id) }) { return }
        try await write(durably: true) { db in
            try db.execute(sql: "UPDATE jump SET undone = 1 WHERE id = ?", arguments: [id])
        }
    }

    public func record(_ span: ListeningSpan) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            try db.execute(
                sql: "UPDATE span SET ended = ?, toTrack = ?, toUnits = ?, toMs = ? WHERE uri = ? AND began = ?",
                arguments: [
                    span.ended, span.to.track, span.to.units, span.toMilliseconds, span.uri, span.began,
                ])
            guard db.changesCount == 0 else { return }
            try db.execute(
                sql: """
                    INSERT INTO span (uri, title, began, ended, fromTrack, fromUnits, fromMs, toTrack, toUnits, toMs)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    span.uri, span.title, span.began, span.ended, span.from.track, span.from.units,
                    span.fromMilliseconds, span.to.track, span.to.units, span.toMilliseconds,
                ])
        }
    }

    public func spans(limit: Int) async throws(PlaceStoreError) -> [ListeningSpan] {
        try await read(absent: []) { db in
            try Row.fetchAll(db, sql: "SELECT * FROM span ORDER BY began DESC LIMIT ?", arguments: [limit])
                .compactMap { try? ListeningSpan(row: $0) }
        }
    }
}

extension HistoryEntry {
    /// The number of jumps that are kept.
    ///
    /// A user who skips every ten seconds makes that many in about a day.
    private static let most: Int64 = 10_000

    init(row: Row) throws {
        guard let id = Int64.fromDatabaseValue(row["id"]), let at = Int64.fromDatabaseValue(row["at"]),
            let cause = String.fromDatabaseValue(row["cause"]).flatMap(Jump.Cause.init),
            let isUndone = Bool.fromDatabaseValue(row["undone"])
        else { throw NonsenseRow() }
        self.init(
            id: id, at: at,
            jump: Jump(from: try Playing(row: row, "from"), to: try Playing(row: row, "to"), cause: cause),
            fromMilliseconds: Int64.fromDatabaseValue(row["fromMs"]),
            toMilliseconds: Int64.fromDatabaseValue(row["toMs"]), isUndone: isUndone)
    }

    func insert(_ db: Database) throws {
        var arguments: StatementArguments = [at, jump.cause.rawValue, isUndone]
        for (playing, milliseconds) in [(jump.from, fromMilliseconds), (jump.to, toMilliseconds)] {
            arguments += [
                playing.item.uri, playing.item.kind.rawValue, playing.item.title,
                // A path may contain any byte except zero.
                Data(playing.item.items.joined(separator: "\0").utf8), playing.engine.rawValue, playing.position.track,
                playing.position.units, milliseconds,
            ]
        }
        try db.execute(
            sql: """
                INSERT INTO jump (at, cause, undone,
                    fromUri, fromKind, fromTitle, fromItems, fromEngine, fromTrack, fromUnits, fromMs,
                    toUri, toKind, toTitle, toItems, toEngine, toTrack, toUnits, toMs)
                VALUES (\(databaseQuestionMarks(count: 19)))
                """, arguments: arguments)
        if db.lastInsertedRowID % 100 == 0 {
            try db.execute(sql: "DELETE FROM jump WHERE id <= ?", arguments: [db.lastInsertedRowID - Self.most])
        }
    }
}

extension Playing {
    /// Reads one end of a jump.
    ///
    /// `end` is the prefix of the column names.
    fileprivate init(row: Row, _ end: String) throws {
        guard let uri = String.fromDatabaseValue(row["\(end)Uri"]),
            let kind = String.fromDatabaseValue(row["\(end)Kind"]).flatMap(ContentKind.init),
            let engine = String.fromDatabaseValue(row["\(end)Engine"]),
            let track = Int.fromDatabaseValue(row["\(end)Track"]), track >= 0,
            let units = Int64.fromDatabaseValue(row["\(end)Units"]), units >= 0
        else { throw NonsenseRow() }
        let items = (Data.fromDatabaseValue(row["\(end)Items"]) ?? Data()).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }
        self.init(
            item: ItemReference(
                uri: uri, kind: kind, title: String.fromDatabaseValue(row["\(end)Title"]) ?? uri, items: items),
            engine: EngineID(engine), position: MediaPosition(track: track, units: units), provenance: .restored)
    }
}

extension ListeningSpan {
    fileprivate init(row: Row) throws {
        guard let uri = String.fromDatabaseValue(row["uri"]), let began = Int64.fromDatabaseValue(row["began"]),
            let ended = Int64.fromDatabaseValue(row["ended"]),
            let fromTrack = Int.fromDatabaseValue(row["fromTrack"]),
            let fromUnits = Int64.fromDatabaseValue(row["fromUnits"]),
            let toTrack = Int.fromDatabaseValue(row["toTrack"]), let toUnits = Int64.fromDatabaseValue(row["toUnits"])
        else { throw NonsenseRow() }
        self.init(
            uri: uri, title: String.fromDatabaseValue(row["title"]) ?? uri, began: began, ended: ended,
            from: MediaPosition(track: fromTrack, units: fromUnits), to: MediaPosition(track: toTrack, units: toUnits),
            fromMilliseconds: Int64.fromDatabaseValue(row["fromMs"]),
            toMilliseconds: Int64.fromDatabaseValue(row["toMs"]))
    }
}
