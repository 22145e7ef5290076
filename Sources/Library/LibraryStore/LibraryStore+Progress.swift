// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Foundation
import GRDB
public import MediaPlayback
public import ProgressSync

extension LibraryStore: ProgressStore {
    public func progress(of account: String) async throws(PlaceStoreError) -> KeptProgress {
        try await read(absent: KeptProgress()) { db in
            let offset = try Int64.fetchOne(
                db, sql: "SELECT ahead FROM serverClock WHERE account = ?", arguments: [account])
            var kept = KeptProgress(clock: ClockCorrection(offset: offset))
            let rows = try Row.fetchCursor(db, sql: "SELECT * FROM serverPlace WHERE account = ?", arguments: [account])
            while let row = try rows.next() {
                guard let key = String.fromDatabaseValue(row["item"]), let item = ServedItem(account: account, key: key)
                else { continue }
                kept.states[item] = ProgressState(row: row)
            }
            return kept
        }
    }

    public func keep(
        _ states: [ServedItem: ProgressState], clock: ClockCorrection, of account: String, durably: Bool
    ) async throws(PlaceStoreError) {
        try await write(durably: durably) { db in
            for (item, state) in states where item.account == account { try state.save(db, of: item) }
            if let offset = clock.offset {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO serverClock (account, ahead) VALUES (?, ?)",
                    arguments: [account, offset])
            }
        }
    }

    public func keep(_ session: ListeningSession) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            // The id stays, so that the server recognises the session that has grown.
            try db.execute(
                sql: "UPDATE serverSession SET ended = ?, toMs = ? WHERE account = ? AND item = ? AND began = ?",
                arguments: [
                    session.ended, session.to, session.item.account, session.item.key, session.began,
                ])
            guard db.changesCount == 0 else { return }
            try db.execute(
                sql: """
                    INSERT INTO serverSession (id, account, item, title, began, ended, fromMs, toMs)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    session.id, session.item.account, session.item.key, session.title, session.began, session.ended,
                    session.from, session.to,
                ])
        }
    }

    public func sessions(of account: String, limit: Int) async throws(PlaceStoreError) -> [ListeningSession] {
        try await read(absent: []) { db in
            try Row.fetchAll(
                db, sql: "SELECT * FROM serverSession WHERE account = ? ORDER BY began, id LIMIT ?",
                arguments: [account, max(0, limit)]
            ).compactMap(ListeningSession.init(row:))
        }
    }

    public func remove(_ sessions: [ListeningSession]) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            for session in sessions {
                // One that has grown since is still to be sent.
                try db.execute(
                    sql: "DELETE FROM serverSession WHERE id = ? AND ended = ?", arguments: [session.id, session.ended])
            }
        }
    }
}

extension ProgressState {
    /// The state of a row; its place is understood even if the rest was written by another version.
    init(row: Row) {
        let rest = String.fromDatabaseValue(row["rest"])
        let known = rest.flatMap { try? JSONDecoder().decode(ProgressState.self, from: Data($0.utf8)) }
        self = known ?? ProgressState()
        guard known == nil, let milliseconds = Int64.fromDatabaseValue(row["ms"]),
            let isFinished = Bool.fromDatabaseValue(row["finished"]),
            let updatedAt = Int64.fromDatabaseValue(row["updatedAt"]),
            let provenance = String.fromDatabaseValue(row["provenance"]).flatMap(Provenance.init)
        else { return }
        let record = ProgressRecord(
            milliseconds: milliseconds, isFinished: isFinished, updatedAt: updatedAt, provenance: provenance,
            device: String.fromDatabaseValue(row["device"]))
        local = record
        // The server is compared with it, since nobody knows any more whether it was told.
        pending = record.isHonest ? record : nil
        length = Int64.fromDatabaseValue(row["length"]) ?? 0
    }

    fileprivate func save(_ db: Database, of item: ServedItem) throws {
        let rest = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO serverPlace
                    (account, item, ms, finished, updatedAt, provenance, device, length, isPending, rest)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                item.account, item.key, local?.milliseconds, local?.isFinished, local?.updatedAt,
                local?.provenance.rawValue, local?.device, length, pending != nil, rest,
            ])
    }
}

extension ListeningSession {
    fileprivate init?(row: Row) {
        guard let id = String.fromDatabaseValue(row["id"]), let account = String.fromDatabaseValue(row["account"]),
            let key = String.fromDatabaseValue(row["item"]), let item = ServedItem(account: account, key: key),
            let title = String.fromDatabaseValue(row["title"]), let began = Int64.fromDatabaseValue(row["began"]),
            let ended = Int64.fromDatabaseValue(row["ended"]), let from = Int64.fromDatabaseValue(row["fromMs"]),
            let to = Int64.fromDatabaseValue(row["toMs"])
        else { return nil }
        self.init(id: id, item: item, title: title, began: began, ended: ended, from: from, to: to)
    }
}
