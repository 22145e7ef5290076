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
            try await write(durably: false) { try entry.insertOnce($0) }
        } catch {
            unsavedJumps.withLock { $0.add(entry) }
            throw error
        }
    }

    public func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry] {
        let limit = max(0, limit)
        let waiting = unsavedJumps.withLock(\.self)
        let unsaved: [HistoryEntry] = waiting.entries.reversed()
        do throws(PlaceStoreError) {
            let saved = try await read(absent: [HistoryEntry]()) { db in
                try Row.fetchAll(db, sql: "SELECT * FROM jump ORDER BY id DESC LIMIT ?", arguments: [limit])
                    .compactMap { try? HistoryEntry(row: $0) }
            }
            return Array((unsaved + saved.filter { !waiting.contains($0) }).prefix(limit)).map { entry in
                var entry = entry
                if waiting.isUndone(entry) { entry.isUndone = true }
                return entry
            }
        } catch {
            if unsaved.isEmpty { throw error }
            return Array(unsaved.prefix(limit))
        }
    }

    public func lastJump() async throws(PlaceStoreError) -> HistoryEntry? {
        let waiting = unsavedJumps.withLock(\.self)
        if let unsaved = waiting.entries.last(where: { !$0.isUndone && $0.jump.cause != .undo }) { return unsaved }
        return try await read(absent: nil) { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT * FROM jump WHERE NOT undone AND cause <> ? ORDER BY id DESC",
                arguments: [Jump.Cause.undo.rawValue])
            while let row = try rows.next() {
                let entry = try HistoryEntry(row: row)
                if !waiting.contains(entry), !waiting.isUndone(entry) { return entry }
            }
            return nil
        }
    }

    public func markUndone(_ entry: HistoryEntry) async throws(PlaceStoreError) {
        // One that is not recorded yet is recorded with its mark.
        if unsavedJumps.withLock({ $0.contains(entry) }) { return unsavedJumps.withLock { $0.markUndone(entry) } }
        do throws(PlaceStoreError) {
            try await write(durably: true) { try entry.markUndone($0) }
        } catch {
            unsavedJumps.withLock { $0.markUndone(entry) }
            throw error
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

    /// Returns whether two entries are the same jump, whatever their ids and marks.
    func isSame(as other: HistoryEntry) -> Bool {
        at == other.at && jump.cause == other.jump.cause && Self.isSame(jump.from, other.jump.from)
            && Self.isSame(jump.to, other.jump.to)
    }

    private static func isSame(_ one: Playing, _ other: Playing) -> Bool {
        one.item.uri == other.item.uri && one.position == other.position
    }

    /// The number of latest rows that are searched for a jump: many times as many as can be on their way.
    private static let recent: Int64 = 1_000

    /// The same as ``isSame(as:)``, or the id if the entry was read: its book may be elsewhere by now.
    private var condition: (sql: String, arguments: StatementArguments) {
        (
            """
            id = ? OR id > (SELECT max(id) FROM jump) - \(Self.recent) AND at = ? AND cause = ?
            AND fromUri = ? AND fromTrack = ? AND fromUnits = ? AND toUri = ? AND toTrack = ? AND toUnits = ?
            """,
            [
                id, at, jump.cause.rawValue, jump.from.item.uri, jump.from.position.track, jump.from.position.units,
                jump.to.item.uri, jump.to.position.track, jump.to.position.units,
            ]
        )
    }

    /// Inserts a jump unless it is there: a call that timed out may be carried out after it was repeated.
    func insertOnce(_ db: Database) throws {
        let isThere = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM jump WHERE \(condition.sql))", arguments: condition.arguments)
        guard isThere == true else { return try insert(db) }
        if isUndone { try markUndone(db) }
    }

    func markUndone(_ db: Database) throws {
        try db.execute(sql: "UPDATE jump SET undone = 1 WHERE \(condition.sql)", arguments: condition.arguments)
    }

    private func insert(_ db: Database) throws {
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
