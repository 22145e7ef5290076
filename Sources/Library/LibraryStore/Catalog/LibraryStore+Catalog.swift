// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback

extension LibraryStore: CatalogStore {
    public func keep(_ libraries: [CatalogLibrary], of account: String) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            let known = try CatalogLibrary.fetchAll(db, of: account)
            for library in libraries {
                var old = known.first { $0.id == library.id }
                old?.items = 0
                var new = library
                (new.refreshedAt, new.items) = (old?.refreshedAt, 0)
                if old != new { try new.save(db) }
            }
            let present = Set(libraries.map(\.id))
            for library in known where !present.contains(library.id) {
                try Self.remove(
                    db, items: "account = ? AND library = ?", [account, library.id])
                for table in ["catalogGroup", "catalogLibrary"] {
                    let column = table == "catalogGroup" ? "library" : "id"
                    try db.execute(
                        sql: "DELETE FROM \(table) WHERE account = ? AND \(column) = ?",
                        arguments: [account, library.id])
                }
                try Self.dropMembers(db)
            }
        }
    }

    public func keep(_ items: [CatalogItem]) async throws(PlaceStoreError) -> [String] {
        try await change(durably: false) { db in
            var changed: [String] = []
            for item in items {
                let row = try Row.fetchOne(
                    db.cachedStatement(sql: "SELECT * FROM catalogItem WHERE account = ? AND id = ?"),
                    arguments: [item.account, item.id])
                let known = row.flatMap { try? CatalogItem(row: $0) }
                if known?.stored != item.stored { try item.save(db) }
                guard item.kind == .podcast else { continue }
                // The episodes that are known are those of a former state, or are not all.
                let version = row.flatMap { Int64.fromDatabaseValue($0["episodesOf"]) }
                let count = known.map { Int64($0.knownEpisodes) } ?? 0
                if version == nil || version != item.updatedAt || item.episodes.map({ $0 != count }) == true {
                    changed.append(item.id)
                }
            }
            return changed
        }
    }

    public func keep(
        _ episodes: [CatalogEpisode], of item: String, account: String
    ) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            var known: [String: CatalogEpisode] = [:]
            for row in try Row.fetchAll(
                db.cachedStatement(sql: "SELECT * FROM catalogEpisode WHERE account = ? AND item = ?"),
                arguments: [account, item])
            {
                guard let episode = try? CatalogEpisode(row: row) else { continue }
                known[episode.id] = episode
            }
            for episode in episodes {
                if known.removeValue(forKey: episode.id) != episode.stored { try episode.save(db) }
            }
            let present = Set(episodes.map(\.id))
            for id in known.keys where !present.contains(id) {
                try db.cachedStatement(sql: "DELETE FROM catalogEpisode WHERE account = ? AND item = ? AND id = ?")
                    .execute(arguments: [account, item, id])
            }
            try db.execute(
                sql: """
                    UPDATE catalogItem SET knownEpisodes = ?, episodesOf = coalesce(updatedAt, 0),
                    latestEpisodeAt = ? WHERE account = ? AND id = ?
                    """,
                arguments: [
                    present.count, episodes.compactMap { $0.publishedAt ?? $0.addedAt }.max(), account, item,
                ])
        }
    }

    public func keep(
        _ groups: [CatalogGroup], _ kind: CatalogGroup.Kind, of library: String, account: String
    ) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            var known: [String: CatalogGroup] = [:]
            for row in try Row.fetchAll(
                db, sql: "SELECT * FROM catalogGroup WHERE account = ? AND kind = ? AND library = ?",
                arguments: [account, kind.rawValue, library])
            {
                guard var group = try? CatalogGroup(row: row) else { continue }
                group.members = try CatalogGroup.members(db, of: group)
                known[group.id] = group
            }
            for group in groups where known.removeValue(forKey: group.id) != group { try group.save(db) }
            let present = Set(groups.map(\.id))
            for id in known.keys where !present.contains(id) {
                try db.execute(
                    sql: "DELETE FROM catalogGroup WHERE account = ? AND kind = ? AND id = ?",
                    arguments: [account, kind.rawValue, id])
            }
            try Self.dropMembers(db)
        }
    }

    public func keep(_ progress: [CatalogProgress], of account: String) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            var known: [String: CatalogProgress] = [:]
            let rows = try Row.fetchAll(
                db, sql: "SELECT \(CatalogProgress.joined) FROM catalogProgress AS p WHERE account = ?",
                arguments: [account])
            for row in rows {
                guard let place = CatalogProgress(joined: row) else { continue }
                known[place.key] = place
            }
            var present: Set<String> = []
            for place in progress where present.insert(place.key).inserted && known[place.key] != place {
                try db.cachedStatement(
                    sql: """
                        INSERT OR REPLACE INTO catalogProgress (account, item, episode, seconds, duration, isFinished,
                            isHidden, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """
                ).execute(
                    arguments: [
                        account, place.item, place.episode ?? "", place.seconds, place.duration, place.isFinished,
                        place.isHidden, place.updatedAt,
                    ])
            }
            for (key, place) in known where !present.contains(key) {
                try db.cachedStatement(
                    sql: "DELETE FROM catalogProgress WHERE account = ? AND item = ? AND episode = ?"
                ).execute(arguments: [account, place.item, place.episode ?? ""])
            }
        }
    }

    public func finish(
        _ library: String, of account: String, seen: Set<String>, at time: Int64
    ) async throws(PlaceStoreError) {
        try await write(durably: false) { db in
            let known = try String.fetchAll(
                db, sql: "SELECT id FROM catalogItem WHERE account = ? AND library = ?", arguments: [account, library])
            for id in known where !seen.contains(id) {
                try Self.remove(db, items: "account = ? AND id = ?", [account, id])
            }
            try db.execute(
                sql: "UPDATE catalogLibrary SET refreshedAt = ? WHERE account = ? AND id = ?",
                arguments: [time, account, library])
        }
    }

    public func forget(account: String) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            try Self.remove(db, items: "account = ?", [account])
            for table in ["catalogEpisode", "catalogGroup", "catalogMember", "catalogProgress", "catalogLibrary"] {
                try db.execute(sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account])
            }
        }
    }

    /// Removes items with their labels and episodes.
    ///
    /// - Parameter items: A condition in SQL.
    private static func remove(_ db: Database, items: String, _ arguments: StatementArguments) throws {
        for statement in [
            "DELETE FROM catalogLabel WHERE item IN (SELECT number FROM catalogItem WHERE \(items))",
            """
            DELETE FROM catalogEpisode WHERE (account, item) IN (SELECT account, id FROM catalogItem WHERE \(items))
            """,
            "DELETE FROM catalogItem WHERE \(items)",
        ] { try db.cachedStatement(sql: statement).execute(arguments: arguments) }
    }

    private static func dropMembers(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM catalogMember WHERE (account, kind, parent) NOT IN (SELECT account, kind, id FROM catalogGroup)
                """)
    }
}

extension CatalogProgress {
    /// Tells it from others of the account; no ID has a slash.
    fileprivate var key: String { "\(item)/\(episode ?? "")" }
}

extension CatalogLibrary {
    fileprivate func save(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO catalogLibrary (account, id, name, kind, position, refreshedAt)
                VALUES (?, ?, ?, ?, ?, ?)
                """, arguments: [account, id, name, kind.rawValue, order, refreshedAt])
    }

    static func fetchAll(_ db: Database, of account: String?) throws -> [CatalogLibrary] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT *, (SELECT count(*) FROM catalogItem AS i WHERE i.account = catalogLibrary.account
                    AND i.library = catalogLibrary.id) AS items
                FROM catalogLibrary WHERE account = coalesce(?, account) ORDER BY account, position, name, id
                """, arguments: [account]
        ).compactMap { row in
            guard let account = String.fromDatabaseValue(row["account"]), let id = String.fromDatabaseValue(row["id"]),
                let name = String.fromDatabaseValue(row["name"]),
                let kind = String.fromDatabaseValue(row["kind"]).flatMap(Kind.init)
            else { return nil }
            return CatalogLibrary(
                account: account, id: id, name: name, kind: kind, order: Int64.fromDatabaseValue(row["position"]) ?? 0,
                refreshedAt: Int64.fromDatabaseValue(row["refreshedAt"]), items: Int.fromDatabaseValue(row["items"]) ?? 0)
        }
    }
}
