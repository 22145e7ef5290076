// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback

extension LibraryStore: PairStore {
    public func pair(of uri: String) async throws(PlaceStoreError) -> TextPair? {
        try await read(absent: nil) { db in
            let now = try FormerURI.now(db, uri)
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT recording, text FROM pair WHERE recording = ? OR text = ?"),
                arguments: [now, uri])
            guard let row, let recording = String.fromDatabaseValue(row["recording"]) else { return nil }
            return TextPair(recording: recording, text: String.fromDatabaseValue(row["text"]))
        }
    }

    public func paired(among texts: [String]) async throws(PlaceStoreError) -> Set<String> {
        try await read(absent: []) { db in
            let marks = texts.map { _ in "?" }.joined(separator: ",")
            let sql = "SELECT text FROM pair WHERE text IN (\(marks))"
            return Set(try String.fetchAll(db, sql: sql, arguments: StatementArguments(texts)))
        }
    }

    public func keep(_ pair: TextPair, from former: String?) async throws(PlaceStoreError) -> Bool {
        try await change(durably: true) { db in
            let recording = try FormerURI.now(db, pair.recording)
            if let text = pair.text {
                let present = try String.fetchOne(
                    db, sql: "SELECT recording FROM pair WHERE text = ?", arguments: [text])
                if let present, present != recording {
                    guard let former, present == (try FormerURI.now(db, former)) else { return false }
                }
                try db.execute(sql: "DELETE FROM pair WHERE text = ?", arguments: [text])
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO pair (recording, text) VALUES (?, ?)", arguments: [recording, pair.text])
            return true
        }
    }

    public func books(titled title: String, limit: Int) async throws(PlaceStoreError) -> [BookSummary] {
        try await read(absent: []) { db in
            try BookSummary.fetch(db, "WHERE title = ? COLLATE NOCASE ORDER BY id LIMIT ?", [title, limit])
        }
    }
}
