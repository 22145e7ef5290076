// SPDX-License-Identifier: Apache-2.0

import GRDB

/// Lists of words in one column: a line for each.
enum CatalogWords {
    static func joined(_ words: [String]) -> String {
        words.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }.filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    static func split(_ text: String?) -> [String] { (text ?? "").split(separator: "\n").map(String.init) }
}

extension CatalogItem {
    init(row: Row) throws {
        guard let account = String.fromDatabaseValue(row["account"]), let id = String.fromDatabaseValue(row["id"]),
            let library = String.fromDatabaseValue(row["library"]), let title = String.fromDatabaseValue(row["title"]),
            let kind = String.fromDatabaseValue(row["kind"]).flatMap(CatalogLibrary.Kind.init)
        else { throw NonsenseRow() }
        self.init(account: account, library: library, id: id, kind: kind, title: title)
        sortTitle = String.fromDatabaseValue(row["sortTitle"]) ?? title
        subtitle = String.fromDatabaseValue(row["subtitle"])
        author = String.fromDatabaseValue(row["author"])
        sortAuthor = String.fromDatabaseValue(row["sortAuthor"])
        narrator = String.fromDatabaseValue(row["narrator"])
        series = String.fromDatabaseValue(row["series"])
        description = String.fromDatabaseValue(row["description"])
        year = String.fromDatabaseValue(row["year"])
        language = String.fromDatabaseValue(row["language"])
        genres = CatalogWords.split(String.fromDatabaseValue(row["genres"]))
        tags = CatalogWords.split(String.fromDatabaseValue(row["tags"]))
        authors = CatalogWords.split(String.fromDatabaseValue(row["authors"]))
        seconds = Double.fromDatabaseValue(row["seconds"])
        bytes = Int64.fromDatabaseValue(row["bytes"])
        files = Int64.fromDatabaseValue(row["files"])
        episodes = Int64.fromDatabaseValue(row["episodes"])
        hasCover = Bool.fromDatabaseValue(row["hasCover"]) ?? false
        isMissing = Bool.fromDatabaseValue(row["isMissing"]) ?? false
        addedAt = Int64.fromDatabaseValue(row["addedAt"])
        updatedAt = Int64.fromDatabaseValue(row["updatedAt"])
        latestEpisodeAt = Int64.fromDatabaseValue(row["latestEpisodeAt"])
        knownEpisodes = Int.fromDatabaseValue(row["knownEpisodes"]) ?? 0
    }

    /// The item as it is stored, without what comes from other tables.
    var stored: CatalogItem {
        var item = self
        item.genres = CatalogWords.split(CatalogWords.joined(genres))
        item.tags = CatalogWords.split(CatalogWords.joined(tags))
        item.authors = CatalogWords.split(CatalogWords.joined(authors))
        (item.progress, item.sequence, item.latestEpisodeAt, item.knownEpisodes) = (nil, nil, nil, 0)
        return item
    }

    private static let columns = [
        "account", "library", "id", "kind", "title", "sortTitle", "subtitle", "author", "sortAuthor", "narrator",
        "series", "description", "year", "language", "genres", "tags", "authors", "seconds", "bytes", "files",
        "episodes", "hasCover", "isMissing", "addedAt", "updatedAt",
    ]
    private static let saving = """
        INSERT INTO catalogItem (\(columns.joined(separator: ", "))) VALUES (\(databaseQuestionMarks(count: columns.count)))
        ON CONFLICT (account, id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        RETURNING number
        """

    /// Writes the item with its labels.
    func save(_ db: Database) throws {
        let arguments: [(any DatabaseValueConvertible)?] = [
            account, library, id, kind.rawValue, title, sortTitle, subtitle, author, sortAuthor, narrator, series,
            description, year, language, CatalogWords.joined(genres), CatalogWords.joined(tags),
            CatalogWords.joined(authors), seconds, bytes, files, episodes, hasCover, isMissing, addedAt, updatedAt,
        ]
        guard
            let number = try Int64.fetchOne(
                db.cachedStatement(sql: Self.saving), arguments: StatementArguments(arguments))
        else { throw NonsenseRow() }
        try db.cachedStatement(sql: "DELETE FROM catalogLabel WHERE item = ?").execute(arguments: [number])
        func add(_ kind: String, _ names: [String]) throws {
            for name in names { try addLabel(db, number, kind, name, nil) }
        }
        try add("genre", genres)
        try add("tag", tags)
        try add("author", authors)
        try add("narrator", CatalogSeriesText.names(narrator))
        for (name, sequence) in CatalogSeriesText.series(series) {
            try addLabel(db, number, "series", name, sequence)
        }
    }

    private func addLabel(_ db: Database, _ item: Int64, _ kind: String, _ name: String, _ sequence: String?) throws {
        try db.cachedStatement(
            sql: "INSERT OR IGNORE INTO catalogLabel (item, kind, name, sequence) VALUES (?, ?, ?, ?)"
        ).execute(arguments: [item, kind, name, sequence])
    }
}

/// Names that a server writes into one text.
enum CatalogSeriesText {
    /// Returns the names of a text like `One Name, Another`.
    static func names(_ text: String?) -> [String] {
        (text ?? "").split(separator: ", ").map(trimmed).filter { !$0.isEmpty }.prefix(64).map(\.self)
    }

    /// Returns the series of a text like `First #1, Second #2.5`, with their sequences.
    static func series(_ text: String?) -> [(String, String?)] {
        names(text).map { name in
            guard let mark = name.range(ofLast: " #") else { return (name, nil) }
            let sequence = name[mark.upperBound...]
            guard !sequence.isEmpty, !sequence.contains(" ") else { return (name, nil) }
            return (String(name[..<mark.lowerBound]), String(sequence))
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension String {
    fileprivate func range(ofLast mark: String) -> Range<Index>? {
        guard let hash = lastIndex(of: "#"), hash > startIndex else { return nil }
        let space = index(before: hash)
        guard self[space] == " ", space > startIndex else { return nil }
        return space..<index(after: hash)
    }
}

extension CatalogEpisode {
    init(row: Row) throws {
        guard let account = String.fromDatabaseValue(row["account"]), let item = String.fromDatabaseValue(row["item"]),
            let id = String.fromDatabaseValue(row["id"]), let title = String.fromDatabaseValue(row["title"])
        else { throw NonsenseRow() }
        self.init(account: account, item: item, id: id, title: title)
        subtitle = String.fromDatabaseValue(row["subtitle"])
        description = String.fromDatabaseValue(row["description"])
        season = String.fromDatabaseValue(row["season"])
        number = String.fromDatabaseValue(row["episode"])
        kind = String.fromDatabaseValue(row["kind"])
        publishedAt = Int64.fromDatabaseValue(row["publishedAt"])
        addedAt = Int64.fromDatabaseValue(row["addedAt"])
        updatedAt = Int64.fromDatabaseValue(row["updatedAt"])
        seconds = Double.fromDatabaseValue(row["seconds"])
        bytes = Int64.fromDatabaseValue(row["bytes"])
    }

    /// The episode as it is stored, without what comes from other tables.
    var stored: CatalogEpisode {
        var episode = self
        (episode.progress, episode.podcast) = (nil, nil)
        return episode
    }

    private static let columns = [
        "account", "item", "id", "title", "subtitle", "description", "season", "episode", "kind", "publishedAt",
        "addedAt", "updatedAt", "seconds", "bytes",
    ]
    private static let saving = """
        INSERT INTO catalogEpisode (\(columns.joined(separator: ", ")))
        VALUES (\(databaseQuestionMarks(count: columns.count)))
        ON CONFLICT (account, item, id) DO UPDATE SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    func save(_ db: Database) throws {
        let arguments: [(any DatabaseValueConvertible)?] = [
            account, item, id, title, subtitle, description, season, number, kind, publishedAt, addedAt, updatedAt,
            seconds, bytes,
        ]
        try db.cachedStatement(sql: Self.saving).execute(arguments: StatementArguments(arguments))
    }
}

extension CatalogProgress {
    /// The columns of the table `p` under names of their own.
    static let joined = """
        p.item AS progressItem, p.episode AS progressEpisode, p.seconds AS progressSeconds,
        p.duration AS progressDuration, p.isFinished AS progressIsFinished, p.isHidden AS progressIsHidden,
        p.updatedAt AS progressUpdatedAt
        """

    init?(joined row: Row) {
        guard let item = String.fromDatabaseValue(row["progressItem"]) else { return nil }
        let episode = String.fromDatabaseValue(row["progressEpisode"])
        self.init(
            item: item, episode: episode?.isEmpty == true ? nil : episode,
            seconds: Double.fromDatabaseValue(row["progressSeconds"]),
            duration: Double.fromDatabaseValue(row["progressDuration"]),
            isFinished: Bool.fromDatabaseValue(row["progressIsFinished"]) ?? false,
            isHidden: Bool.fromDatabaseValue(row["progressIsHidden"]) ?? false,
            updatedAt: Int64.fromDatabaseValue(row["progressUpdatedAt"]))
    }
}

extension CatalogGroup {
    init(row: Row) throws {
        guard let account = String.fromDatabaseValue(row["account"]), let id = String.fromDatabaseValue(row["id"]),
            let library = String.fromDatabaseValue(row["library"]), let name = String.fromDatabaseValue(row["name"]),
            let kind = String.fromDatabaseValue(row["kind"]).flatMap(Kind.init)
        else { throw NonsenseRow() }
        self.init(
            account: account, library: library, kind: kind, id: id, name: name,
            sortName: String.fromDatabaseValue(row["sortName"]),
            description: String.fromDatabaseValue(row["description"]),
            count: Int64.fromDatabaseValue(row["items"]) ?? 0, updatedAt: Int64.fromDatabaseValue(row["updatedAt"]))
    }

    /// Writes the group with its members.
    func save(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO catalogGroup (account, kind, id, library, name, sortName, description, items,
                    updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [account, kind.rawValue, id, library, name, sortName, description, count, updatedAt])
        try db.cachedStatement(sql: "DELETE FROM catalogMember WHERE account = ? AND kind = ? AND parent = ?").execute(
            arguments: [account, kind.rawValue, id])
        for (number, member) in members.enumerated() {
            try db.cachedStatement(
                sql: """
                    INSERT INTO catalogMember (account, kind, parent, number, item, sequence) VALUES (?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [account, kind.rawValue, id, number, member.item, member.sequence])
        }
    }

    static func members(_ db: Database, of group: CatalogGroup) throws -> [Member] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT item, sequence FROM catalogMember WHERE account = ? AND kind = ? AND parent = ? ORDER BY number
                    """), arguments: [group.account, group.kind.rawValue, group.id]
        ).compactMap { row in
            String.fromDatabaseValue(row["item"]).map {
                Member(item: $0, sequence: String.fromDatabaseValue(row["sequence"]))
            }
        }
    }
}
