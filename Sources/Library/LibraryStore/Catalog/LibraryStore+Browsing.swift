// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback

extension LibraryStore {
    public func libraries(of account: String?) async throws(PlaceStoreError) -> [CatalogLibrary] {
        try await read(absent: []) { try CatalogLibrary.fetchAll($0, of: account) }
    }

    public func items(_ query: CatalogQuery) async throws(PlaceStoreError) -> CatalogPage<CatalogItem> {
        try await read(absent: CatalogPage()) { try CatalogSelection(query).fetch($0) }
    }

    public func item(_ id: String, of account: String?) async throws(PlaceStoreError) -> CatalogItem? {
        guard let pattern = Self.pattern(id) else { return nil }
        return try await read(absent: nil) { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT i.*, \(CatalogProgress.joined) FROM catalogItem AS i
                        LEFT JOIN catalogProgress AS p ON p.account = i.account AND p.item = i.id AND p.episode = ''
                        WHERE i.id GLOB ? AND i.account = coalesce(?, i.account) ORDER BY i.id <> ? LIMIT 2
                        """), arguments: [pattern, account, id])
            return try Self.only(rows, id).map { row throws in
                var item = try CatalogItem(row: row)
                item.progress = CatalogProgress(joined: row)
                return item
            }
        }
    }

    public func episodes(
        of item: String?, account: String, library: String?, words: String?, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogEpisode> {
        var conditions = ["e.account = ?"]
        var arguments: StatementArguments = [account]
        if let item {
            conditions.append("e.item = ?")
            arguments += [item]
        }
        if let library {
            conditions.append("i.library = ?")
            arguments += [library]
        }
        if let words {
            guard let match = CatalogSelection.match(words) else { return CatalogPage() }
            conditions.append("e.number IN (SELECT rowid FROM catalogEpisodeWords WHERE catalogEpisodeWords MATCH ?)")
            arguments += [match]
        }
        return try await episodes(
            where: conditions, arguments, order: "e.publishedAt DESC NULLS LAST, e.addedAt DESC NULLS LAST", offset,
            limit)
    }

    public func episodesInProgress(
        account: String, library: String?, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogEpisode> {
        try await episodes(
            where: [
                "e.account = ?", "i.library = coalesce(?, i.library)", "NOT p.isFinished", "coalesce(p.seconds, 0) > 0",
            ], [account, library], order: "p.updatedAt DESC NULLS LAST", offset, limit)
    }

    private func episodes(
        where conditions: [String], _ arguments: StatementArguments, order: String, _ offset: Int, _ limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogEpisode> {
        try await read(absent: CatalogPage()) { db in
            let from = """
                FROM catalogEpisode AS e JOIN catalogItem AS i ON i.account = e.account AND i.id = e.item
                LEFT JOIN catalogProgress AS p ON p.account = e.account AND p.item = e.item AND p.episode = e.id
                WHERE \(conditions.joined(separator: " AND "))
                """
            let total =
                try Int.fetchOne(db.cachedStatement(sql: "SELECT count(*) \(from)"), arguments: arguments) ?? 0
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT e.*, i.title AS podcast, \(CatalogProgress.joined) \(from)
                        ORDER BY \(order), e.id LIMIT ? OFFSET ?
                        """), arguments: arguments + [max(0, limit), max(0, offset)])
            return CatalogPage(entries: rows.compactMap { try? CatalogEpisode(joined: $0) }, total: total)
        }
    }

    public func episode(_ id: String, of account: String?) async throws(PlaceStoreError) -> CatalogEpisode? {
        guard let pattern = Self.pattern(id) else { return nil }
        return try await read(absent: nil) { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT e.*, i.title AS podcast, \(CatalogProgress.joined) FROM catalogEpisode AS e
                        JOIN catalogItem AS i ON i.account = e.account AND i.id = e.item
                        LEFT JOIN catalogProgress AS p
                            ON p.account = e.account AND p.item = e.item AND p.episode = e.id
                        WHERE e.id GLOB ? AND e.account = coalesce(?, e.account) ORDER BY e.id <> ? LIMIT 2
                        """), arguments: [pattern, account, id])
            return try Self.only(rows, id).map { try CatalogEpisode(joined: $0) }
        }
    }

    public func groups(
        _ kind: CatalogGroup.Kind, of library: String?, account: String, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogGroup> {
        try await read(absent: CatalogPage()) { db in
            let condition = "account = ? AND kind = ? AND library = coalesce(?, library)"
            let arguments: StatementArguments = [account, kind.rawValue, library]
            let total =
                try Int.fetchOne(
                    db, sql: "SELECT count(*) FROM catalogGroup WHERE \(condition)", arguments: arguments) ?? 0
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM catalogGroup WHERE \(condition) ORDER BY sortName COLLATE NOCASE, id LIMIT ? OFFSET ?
                    """, arguments: arguments + [max(0, limit), max(0, offset)])
            return CatalogPage(entries: rows.compactMap { try? CatalogGroup(row: $0) }, total: total)
        }
    }

    /// The characters from which the beginning of an ID is accepted.
    private static let shortest = 4

    /// Returns a pattern of GLOB for the beginning of an ID, or `nil` if it can be none.
    private static func pattern(_ id: String) -> String? {
        guard id.utf8.count >= shortest, id.utf8.count <= 128,
            // Without the wildcards of GLOB.
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        return id + "*"
    }

    /// Returns the row with an ID, or the only one that begins so.
    private static func only(_ rows: [Row], _ id: String) -> Row? {
        guard let first = rows.first else { return nil }
        return rows.count == 1 || String.fromDatabaseValue(first["id"]) == id ? first : nil
    }
}

extension CatalogEpisode {
    fileprivate init(joined row: Row) throws {
        try self.init(row: row)
        podcast = String.fromDatabaseValue(row["podcast"])
        progress = CatalogProgress(joined: row)
    }
}
