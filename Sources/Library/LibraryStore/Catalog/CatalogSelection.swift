// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A query of the catalogue as SQL.
///
/// Everything that comes from outside is an argument, never a part of the statement.
struct CatalogSelection {
    private(set) var conditions: [String]
    private(set) var arguments: StatementArguments
    private var order: String
    private var orderArguments: StatementArguments = []
    private let query: CatalogQuery

    /// The words of a search, and the letters of each.
    private static let (mostWords, longestWord) = (16, 64)

    init(_ query: CatalogQuery) {
        self.query = query
        conditions = ["i.account = ?"]
        arguments = [query.account]
        order = ""
        if let library = query.library {
            conditions.append("i.library = ?")
            arguments += [library]
        }
        for filter in query.filters.prefix(16) { add(filter) }
        if let words = query.words {
            guard let match = Self.match(words) else {
                conditions.append("FALSE")
                return
            }
            conditions.append("i.number IN (SELECT rowid FROM catalogItemWords WHERE catalogItemWords MATCH ?)")
            arguments += [match]
        }
        setOrder()
    }

    /// Returns words as a query of FTS5 that finds each at the beginning of a word, or `nil` if there are none.
    static func match(_ words: String) -> String? {
        let parts = words.split { !$0.isLetter && !$0.isNumber }.prefix(mostWords)
        guard !parts.isEmpty else { return nil }
        return parts.map { "\"\($0.prefix(longestWord))\"*" }.joined(separator: " ")
    }

    private mutating func add(_ filter: CatalogQuery.Filter) {
        func label(_ kind: String) -> String {
            "SELECT item FROM catalogLabel WHERE kind = '\(kind)' AND name = ?"
        }
        func group(_ kind: String) -> String {
            """
            i.id IN (SELECT m.item FROM catalogGroup AS g JOIN catalogMember AS m
                ON m.account = g.account AND m.kind = g.kind AND m.parent = g.id
                WHERE g.account = i.account AND g.kind = '\(kind)' AND (g.id = ? OR g.name = ? COLLATE NOCASE))
            """
        }
        switch filter {
        case .genre(let name): add("i.number IN (\(label("genre")))", [name])
        case .tag(let name): add("i.number IN (\(label("tag")))", [name])
        case .narrator(let name): add("i.number IN (\(label("narrator")))", [name])
        case .author(let name):
            // The ID of an author stands for the name.
            add(
                """
                (i.author = ? COLLATE NOCASE OR i.number IN (\(label("author"))) OR i.number IN (
                    SELECT item FROM catalogLabel WHERE kind = 'author' AND name IN (
                        SELECT name FROM catalogGroup WHERE account = i.account AND kind = 'author' AND id = ?)))
                """, [name, name, name])
        case .series(let name):
            add("(i.number IN (\(label("series"))) OR \(group("series")))", [name, name, name])
        case .collection(let name): add(group("collection"), [name, name])
        case .inProgress: add(Self.progress("NOT p.isFinished AND coalesce(p.seconds, 0) > 0"), [])
        case .notStarted: add("NOT " + Self.progress("p.isFinished OR coalesce(p.seconds, 0) > 0"), [])
        case .book: add("i.kind = 'book'", [])
        case .finished:
            add(
                """
                (i.kind = 'book' AND \(Self.progress("p.isFinished AND p.episode = ''")) OR i.kind = 'podcast'
                    AND i.episodes > 0 AND i.episodes <= (SELECT count(*) FROM catalogProgress AS p
                    WHERE p.account = i.account AND p.item = i.id AND p.isFinished))
                """, [])
        }
    }

    private static func progress(_ condition: String) -> String {
        "EXISTS (SELECT 1 FROM catalogProgress AS p WHERE p.account = i.account AND p.item = i.id AND (\(condition)))"
    }

    private mutating func add(_ condition: String, _ values: StatementArguments) {
        conditions.append(condition)
        arguments += values
    }

    private mutating func setOrder() {
        let (up, down) = query.isReversed ? ("DESC", "ASC") : ("ASC", "DESC")
        let title = "i.sortTitle COLLATE NOCASE"
        // What is not known comes last in either direction.
        func last(_ column: String, _ direction: String) -> String { "\(column) \(direction) NULLS LAST, \(title)" }
        order =
            switch query.sort {
            case .title: "\(title) \(up)"
            case .author: last("coalesce(i.sortAuthor, i.author) COLLATE NOCASE", up)
            case .added: last("i.addedAt", down)
            case .updated: last("i.updatedAt", down)
            case .latestEpisode: last("i.latestEpisodeAt", down)
            case .genre: last("nullif(i.genres, '') COLLATE NOCASE", up)
            case .duration: last("i.seconds", up)
            case .year: last("CAST(i.year AS INTEGER)", up)
            case .size: last("i.bytes", up)
            case .progress:
                last(
                    """
                    (SELECT max(p.updatedAt) FROM catalogProgress AS p WHERE p.account = i.account AND p.item = i.id)
                    """, down)
            case .random: "((i.number * 48271 + ? * 69621) % 2147483647 * 16807) % 2147483647"
            case .sequence: last(Self.place(groups.kind), up)
            }
        switch query.sort {
        case .random: orderArguments = [query.seed & 0xFFFFF]
        case .sequence: orderArguments = [groups.name, groups.name, groups.name]
        default: break
        }
        order += ", i.id"
    }

    /// The series or the collection that is asked for.
    private var groups: (kind: String, name: String) {
        for filter in query.filters {
            switch filter {
            case .series(let name): return ("series", name)
            case .collection(let name): return ("collection", name)
            default: break
            }
        }
        return ("series", "")
    }

    /// The place in a group: that in the server's list, or else what the item says of it.
    private static func place(_ kind: String) -> String {
        """
        coalesce((SELECT min(m.number) FROM catalogGroup AS g JOIN catalogMember AS m
            ON m.account = g.account AND m.kind = g.kind AND m.parent = g.id
            WHERE g.account = i.account AND g.kind = '\(kind)' AND m.item = i.id
            AND (g.id = ? OR g.name = ? COLLATE NOCASE)),
            (SELECT CAST(sequence AS REAL) FROM catalogLabel
            WHERE item = i.number AND kind = 'series' AND name = ?))
        """
    }

    func fetch(_ db: Database) throws -> CatalogPage<CatalogItem> {
        let condition = conditions.joined(separator: " AND ")
        let total =
            try Int.fetchOne(
                db.cachedStatement(sql: "SELECT count(*) FROM catalogItem AS i WHERE \(condition)"),
                arguments: arguments) ?? 0
        guard total > 0, !order.isEmpty else { return CatalogPage(total: total) }
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT i.*, \(CatalogProgress.joined) FROM catalogItem AS i
                    LEFT JOIN catalogProgress AS p ON p.account = i.account AND p.item = i.id AND p.episode = ''
                    WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?
                    """),
            arguments: arguments + orderArguments + [max(0, query.limit), max(0, query.offset)])
        let series = groups.name
        let entries = try rows.compactMap { row throws -> CatalogItem? in
            guard var item = try? CatalogItem(row: row) else { return nil }
            item.progress = CatalogProgress(joined: row)
            if !series.isEmpty { item.sequence = try Self.sequence(db, of: item, in: series) }
            return item
        }
        return CatalogPage(entries: entries, total: total)
    }

    private static func sequence(_ db: Database, of item: CatalogItem, in series: String) throws -> String? {
        try String.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT m.sequence FROM catalogGroup AS g JOIN catalogMember AS m
                    ON m.account = g.account AND m.kind = g.kind AND m.parent = g.id
                    WHERE g.account = ? AND m.item = ? AND (g.id = ? OR g.name = ? COLLATE NOCASE)
                    AND m.sequence IS NOT NULL LIMIT 1
                    """), arguments: [item.account, item.id, series, series])
            ?? CatalogSeriesText.series(item.series).first { $0.0.lowercased() == series.lowercased() }?.1
    }
}
