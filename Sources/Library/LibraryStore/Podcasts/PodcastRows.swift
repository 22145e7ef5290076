// SPDX-License-Identifier: Apache-2.0

import GRDB
import PodcastFeeds
import Podcasts

extension PodcastSubscription {
    init(row: Row) throws {
        guard let id = String.fromDatabaseValue(row["id"]), let address = String.fromDatabaseValue(row["address"]),
            let addedAt = Int64.fromDatabaseValue(row["addedAt"])
        else { throw NonsenseRow() }
        self.init(
            id: id, address: address, allowsPrivate: Bool.fromDatabaseValue(row["private"]) ?? false, addedAt: addedAt)
        title = String.fromDatabaseValue(row["title"])
        author = String.fromDatabaseValue(row["author"])
        summary = String.fromDatabaseValue(row["summary"])
        image = String.fromDatabaseValue(row["image"])
        language = String.fromDatabaseValue(row["language"])
        link = String.fromDatabaseValue(row["link"])
        isSerial = Bool.fromDatabaseValue(row["serial"]) ?? false
        keep = KeepRule(
            newest: Int.fromDatabaseValue(row["keepNewest"]),
            deletesPlayed: Bool.fromDatabaseValue(row["deletesPlayed"]) ?? false)
        fetching.etag = String.fromDatabaseValue(row["etag"])
        fetching.lastModified = String.fromDatabaseValue(row["lastModified"])
        fetching.fetchedAt = Int64.fromDatabaseValue(row["fetchedAt"])
        fetching.nextAt = Int64.fromDatabaseValue(row["nextAt"])
        fetching.failures = Int.fromDatabaseValue(row["failures"]) ?? 0
        fetching.fault = String.fromDatabaseValue(row["fault"])
        fetching.isGone = Bool.fromDatabaseValue(row["gone"]) ?? false
    }

    static func fetch(_ db: Database, _ clause: String, _ arguments: StatementArguments) throws -> [Self] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: "SELECT * FROM podcast \(clause) ORDER BY coalesce(title, address) COLLATE NOCASE, id"),
            arguments: arguments
        ).map(Self.init)
    }

    func insert(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO podcast (id, address, title, author, summary, image, language, link, serial, keepNewest,
                    deletesPlayed, private, addedAt, etag, lastModified, fetchedAt, nextAt, failures, fault, gone)
                VALUES (\(databaseQuestionMarks(count: 20)))
                """
        ).execute(arguments: description + state)
    }

    private var description: StatementArguments {
        [id, address, title, author, summary, image, language, link, isSerial, keep.newest]
    }

    private var state: StatementArguments {
        [
            keep.deletesPlayed, allowsPrivate, addedAt, fetching.etag, fetching.lastModified, fetching.fetchedAt,
            fetching.nextAt, fetching.failures, fetching.fault, fetching.isGone,
        ]
    }

    /// Writes what a feed says about the podcast; rule, address and state of fetching are written by themselves.
    func updateText(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE podcast SET title = ?, author = ?, summary = ?, image = ?, language = ?, link = ?, serial = ?
                WHERE id = ?
                """
        ).execute(arguments: [title, author, summary, image, language, link, isSerial, id])
    }
}

extension FetchState {
    /// Writes the state, and the address unless another podcast has it.
    func save(_ db: Database, address: String, of id: String) throws {
        try db.cachedStatement(
            sql: """
                UPDATE podcast SET etag = ?, lastModified = ?, fetchedAt = ?, nextAt = ?, failures = ?, fault = ?, gone = ?
                WHERE id = ?
                """
        ).execute(arguments: [etag, lastModified, fetchedAt, nextAt, failures, fault, isGone, id])
        try db.cachedStatement(sql: "UPDATE OR IGNORE podcast SET address = ? WHERE id = ?")
            .execute(arguments: [address, id])
    }
}

extension EpisodeRecord {
    /// The state of an episode `e` of a podcast `f` with the place `p`: of a mark and a place, the later one counts.
    private static let stateExpression = """
        CASE WHEN p.uri IS NOT NULL AND (e.markedAt IS NULL OR p.updatedAt > e.markedAt)
                THEN CASE WHEN p.finished THEN 'played' ELSE 'started' END
            WHEN e.mark = 1 THEN 'played' WHEN e.mark = 0 THEN 'unplayed'
            WHEN e.arrivedAt > f.addedAt THEN 'new' ELSE 'unplayed' END
        """

    /// Episodes with their states.
    static let query = """
        SELECT e.*, f.title AS podcastTitle, f.author AS podcastAuthor, f.keepNewest AS keepNewest,
            f.deletesPlayed AS deletesPlayed, \(stateExpression) AS state
        FROM episode AS e JOIN podcast AS f ON f.id = e.podcast
        LEFT JOIN place AS p ON p.owner = 'main' AND p.uri = 'podcast:' || e.podcast || '/' || e.id
        """

    init(row: Row) throws {
        guard let podcast = String.fromDatabaseValue(row["podcast"]), let id = String.fromDatabaseValue(row["id"]),
            let guid = String.fromDatabaseValue(row["guid"]), let url = String.fromDatabaseValue(row["url"]),
            let arrivedAt = Int64.fromDatabaseValue(row["arrivedAt"]),
            let state = String.fromDatabaseValue(row["state"]).flatMap(State.init(rawValue:))
        else { throw NonsenseRow() }
        var episode = PodcastEpisode(
            guid: guid,
            enclosure: PodcastEnclosure(
                url: url, type: String.fromDatabaseValue(row["type"]),
                length: Int64.fromDatabaseValue(row["length"])))
        episode.title = String.fromDatabaseValue(row["title"])
        episode.author = String.fromDatabaseValue(row["author"])
        episode.summary = String.fromDatabaseValue(row["summary"])
        episode.published = Int64.fromDatabaseValue(row["published"])
        episode.duration = Int64.fromDatabaseValue(row["duration"])
        episode.image = String.fromDatabaseValue(row["image"])
        episode.link = String.fromDatabaseValue(row["link"])
        episode.season = Int.fromDatabaseValue(row["season"])
        episode.number = Int.fromDatabaseValue(row["number"])
        episode.kind = String.fromDatabaseValue(row["kind"]).flatMap(PodcastEpisode.Kind.init(rawValue:)) ?? .full
        episode.isExplicit = Bool.fromDatabaseValue(row["explicit"])
        episode.chapters = Self.chapters(String.fromDatabaseValue(row["chapters"]) ?? "")
        episode.chapterDocument = String.fromDatabaseValue(row["chapterDocument"]).flatMap(Self.document)
        episode.transcripts = (String.fromDatabaseValue(row["transcripts"]) ?? "").split(separator: "\n")
            .compactMap { Self.document(String($0)) }
        self.init(
            podcast: podcast, id: id, episode: episode, arrivedAt: arrivedAt,
            isListed: Bool.fromDatabaseValue(row["listed"]) ?? true, state: state)
        podcastTitle = String.fromDatabaseValue(row["podcastTitle"])
        podcastAuthor = String.fromDatabaseValue(row["podcastAuthor"])
    }

    private static func chapters(_ text: String) -> [PodcastChapter] {
        text.split(separator: "\n").compactMap { line in
            let start = line.prefix { $0 != " " }
            guard let start = Int64(start) else { return nil }
            return PodcastChapter(start: start, title: String(line.drop { $0 != " " }).line(to: FeedLimits.title))
        }
    }

    static func text(_ chapters: [PodcastChapter]) -> String {
        chapters.map { "\($0.start) \($0.title ?? "")" }.joined(separator: "\n")
    }

    private static func document(_ line: String) -> PodcastDocument? {
        let words = line.split(separator: " ")
        guard words.count == 3 else { return nil }
        func word(_ index: Int) -> String? { words[index] == "-" ? nil : String(words[index]) }
        return PodcastDocument(url: String(words[2]), type: word(0), language: word(1))
    }

    private static func text(_ document: PodcastDocument) -> String {
        "\(document.type ?? "-") \(document.language ?? "-") \(document.url)"
    }

    private static let columns = [
        "guid", "url", "type", "length", "title", "author", "summary", "published", "duration", "image", "link",
        "season",
        "number", "kind", "explicit", "chapters", "chapterDocument", "transcripts", "date",
    ]

    func insert(_ db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO episode (\(Self.columns.joined(separator: ", ")), podcast, id, arrivedAt, listed)
                VALUES (\(databaseQuestionMarks(count: Self.columns.count + 4)))
                """
        ).execute(
            arguments: Self.arguments(episode, date: date, empty: "") + [podcast, id, arrivedAt, isListed])
    }

    /// Writes what the feed says now; what it says no more stays.
    static func update(_ db: Database, _ episode: PodcastEpisode, podcast: String, id: String) throws {
        let assignments = columns.map { "\($0) = coalesce(?, \($0))" }
        try db.cachedStatement(
            sql: """
                UPDATE episode SET \(assignments.joined(separator: ", ")), listed = 1 WHERE podcast = ? AND id = ?
                """
        ).execute(
            arguments: arguments(episode, date: episode.published, empty: nil) + [podcast, id])
    }

    /// - Parameter empty: What stands for a list without entries.
    private static func arguments(
        _ episode: PodcastEpisode, date: Int64?, empty: String?
    ) -> StatementArguments {
        let chapters = episode.chapters.isEmpty ? empty : text(episode.chapters)
        let transcripts =
            episode.transcripts.isEmpty ? empty : episode.transcripts.map { text($0) }.joined(separator: "\n")
        let first: StatementArguments = [
            episode.guid, episode.enclosure.url, episode.enclosure.type, episode.enclosure.length, episode.title,
            episode.author, episode.summary, episode.published, episode.duration, episode.image,
        ]
        let second: StatementArguments = [
            episode.link, episode.season, episode.number, episode.kind.rawValue, episode.isExplicit, chapters,
            episode.chapterDocument.map { text($0) }, transcripts, date,
        ]
        return first + second
    }
}
