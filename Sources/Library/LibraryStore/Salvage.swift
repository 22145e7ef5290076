// SPDX-License-Identifier: Apache-2.0

import GRDB
import Glibc

/// Takes over what can still be read of a damaged library, up to the first damage in each table.
struct Salvage {
    var from: String

    /// - Returns: the number of rows.
    func copy(into database: DatabaseQueue) -> Int {
        var configuration = Configuration()
        configuration.readonly = true
        guard let damaged = try? DatabaseQueue(path: from, configuration: configuration) else { return 0 }
        defer { unlink(from + "-shm") }
        var count = 0
        for table in ["place", "lastItem", "lastItemPart", "setting", "jump", "span"] {
            count += (try? copy(table, of: damaged, into: database)) ?? 0
        }
        return count
    }

    private func copy(_ table: String, of damaged: DatabaseQueue, into database: DatabaseQueue) throws -> Int {
        var rows: [Row] = []
        // Row by row, so that those before the damage are had.
        try? damaged.read { db in
            let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(table)")
            while let row = try cursor.next() { rows.append(row.copy()) }
        }
        return try database.write { db in
            var count = 0
            for row in rows {
                let names = row.columnNames.map { "\"\($0.filter { $0 != "\"" })\"" }.joined(separator: ", ")
                let marks = databaseQuestionMarks(count: row.count)
                // A row that is nonsense breaks a constraint and is left behind.
                let inserted: Void? = try? db.execute(
                    sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(marks))",
                    arguments: StatementArguments(Array(row.databaseValues)))
                if inserted != nil { count += db.changesCount }
            }
            return count
        }
    }
}
