// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

/// Copies what can still be read of a damaged library: in each table, the rows before the first damage and those behind
/// the last.
struct Salvage {
    var from: String
    /// The tables, each with the key that orders its rows in the file.
    ///
    /// Reading in this order from both ends is stopped by damage within the table and by nothing else.
    private static let tables = [
        ("place", "owner, uri"), ("lastItem", "owner, kind"), ("lastItemPart", "owner, kind, number"),
        ("setting", "key"), ("jump", "id"), ("span", "id"), ("book", "number"), ("track", "book, number"),
        ("chapter", "book, number"), ("formerUri", "uri"), ("parkedPlace", "owner, uri"), ("source", "number"),
        ("clip", "id"), ("pair", "recording"), ("podcast", "id"), ("episode", "podcast, id"),
    ]

    /// Copies the rows.
    ///
    /// - Returns: The number of rows, and `true` if the file can be recognised as a library.
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
        // With this setting, SQLite opens a file that is too short, and reads a table although others are damaged.
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
        // Reads row by row, to get those before the damage, and without an index of the table, which may be damaged as
        // well.
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
                // An invalid row breaks a constraint and is left out.
                let inserted: Void? = try? db.cachedStatement(
                    sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))"
                ).execute(arguments: StatementArguments(Array(row.databaseValues)))
                if inserted != nil { count += db.changesCount }
            }
            return count
        }
    }

    /// Removes books of which some files were lost, because they would appear shorter than they are.
    ///
    /// A rescan adds such a book again, with the same id.
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
