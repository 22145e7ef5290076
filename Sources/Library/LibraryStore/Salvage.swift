// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

/// Takes over what can still be read of a damaged library: in each table, what lies before the first damage and what lies
/// behind the last.
struct Salvage {
    var from: String
    /// The order in which each table lies in the file: reading it so from both ends meets the damage and nothing else.
    private static let tables = [
        ("place", "owner, uri"), ("lastItem", "owner, kind"), ("lastItemPart", "owner, kind, number"),
        ("setting", "key"), ("jump", "id"), ("span", "id"), ("book", "number"), ("track", "book, number"),
        ("chapter", "book, number"), ("formerUri", "uri"), ("parkedPlace", "owner, uri"), ("source", "number"),
    ]

    /// - Returns: the number of rows, and whether it was a library of ours, as far as that can be read.
    func copy(into database: DatabaseQueue) -> (rows: Int, wasLibrary: Bool) {
        guard let damaged = reader() else { return (0, false) }
        defer {
            try? damaged.close()
            unlink(from + "-shm")
        }
        let id = try? damaged.read { try Int64.fetchOne($0, sql: "PRAGMA application_id") }
        var count = 0
        for (table, key) in Self.tables {
            count += (try? copy(table, key, of: damaged, into: database)) ?? 0
        }
        _ = try? database.write(Self.dropHalfBooks)
        return (count, id == LibrarySchema.applicationID)
    }

    private func reader() -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.readonly = true
        // SQLite gives up a file that is too short, and tables because of others, unless it is told that somebody knows.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
        return try? DatabaseQueue(path: from, configuration: configuration)
    }

    private func copy(
        _ table: String, _ key: String, of damaged: DatabaseQueue, into database: DatabaseQueue
    ) throws -> Int {
        var count = try copy(from: damaged, into: database, table, order: key)
        if count.isTorn {
            let backward = key.split(separator: ",").map { $0 + " DESC" }.joined(separator: ",")
            count.rows += try copy(from: damaged, into: database, table, order: backward).rows
        }
        return count.rows
    }

    private func copy(
        from damaged: DatabaseQueue, into database: DatabaseQueue, _ table: String, order: String
    ) throws -> (rows: Int, isTorn: Bool) {
        var rows: [Row] = []
        var isTorn = false
        var total = 0
        func keep() throws {
            total += try insert(rows, into: database, table)
            rows = []
        }
        // Row by row, so that those before the damage are had; without an index of the table's, which may be damaged, too.
        do {
            try damaged.read { db in
                guard try db.tableExists(table) else { return }
                let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) NOT INDEXED ORDER BY \(order)")
                while let row = try cursor.next() {
                    rows.append(row.copy())
                    if rows.count == 5000 { try keep() }
                }
            }
        } catch {
            isTorn = true
        }
        try keep()
        return (total, isTorn)
    }

    private func insert(_ rows: [Row], into database: DatabaseQueue, _ table: String) throws -> Int {
        try database.write { db in
            var count = 0
            for row in rows {
                let names = row.columnNames.map { "\"\($0.filter { $0 != "\"" })\"" }.joined(separator: ", ")
                let marks = databaseQuestionMarks(count: row.count)
                // A row that is nonsense breaks a constraint and is left behind.
                let inserted: Void? = try? db.cachedStatement(
                    sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))"
                ).execute(arguments: StatementArguments(Array(row.databaseValues)))
                if inserted != nil { count += db.changesCount }
            }
            return count
        }
    }

    /// A book without all of its files would say that it is shorter than it is; a rescan adds it anew, under the same id.
    private static func dropHalfBooks(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM book WHERE files + missing <> (SELECT count(*) FROM track WHERE book = book.number);
                DELETE FROM track WHERE book NOT IN (SELECT number FROM book);
                DELETE FROM chapter WHERE book NOT IN (SELECT number FROM book);
                DELETE FROM formerUri WHERE book NOT IN (SELECT number FROM book);
                """)
    }
}
