// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback
public import PodcastFeeds
public import Podcasts

extension LibraryStore: PodcastStore {
    /// The most episodes of a podcast, beyond which no more are taken: a feed may be without end.
    private static let mostEpisodes = 100_000

    public func podcasts() async throws(PlaceStoreError) -> [PodcastSubscription] {
        try await read(absent: []) { try PodcastSubscription.fetch($0, "", []) }
    }

    public func podcasts(beginning id: String) async throws(PlaceStoreError) -> [PodcastSubscription] {
        guard PodcastID.isPossible(id) else { return [] }
        return try await read(absent: []) { db in
            let exact = try PodcastSubscription.fetch(db, "WHERE id = ?", [id])
            return exact.isEmpty ? try PodcastSubscription.fetch(db, "WHERE id LIKE ?", [id + "%"]) : exact
        }
    }

    public func podcast(at address: String) async throws(PlaceStoreError) -> PodcastSubscription? {
        try await read(absent: nil) { try PodcastSubscription.fetch($0, "WHERE address = ?", [address]).first }
    }

    public func add(_ podcast: PodcastSubscription) async throws(PlaceStoreError) -> PodcastSubscription {
        try await change(durably: true) { db in
            if let known = try PodcastSubscription.fetch(db, "WHERE address = ?", [podcast.address]).first {
                return known
            }
            var row = podcast
            var attempt = 0
            while try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM podcast WHERE id = ?)", arguments: [row.id]) == true
            {
                attempt += 1
                row.id = PodcastID.derived(from: podcast.address, length: PodcastID.podcastLength, attempt: attempt)
            }
            try row.insert(db)
            return row
        }
    }

    public func keep(
        _ fetching: FetchState, address: String, of id: String
    ) async throws(PlaceStoreError) {
        try await write(durably: false) { try fetching.save($0, address: address, of: id) }
    }

    public func keep(
        _ feed: PodcastFeed, of podcast: PodcastSubscription, isWhole: Bool, now: Int64
    ) async throws(PlaceStoreError) -> [EpisodeRecord] {
        try await change(durably: true) { db in
            // It was removed in the meantime.
            guard try PodcastSubscription.fetch(db, "WHERE id = ?", [podcast.id]).first != nil else { return [] }
            try podcast.updateText(db)
            try podcast.fetching.save(db, address: podcast.address, of: podcast.id)
            var known = try KnownEpisodes(db, podcast.id, stated: Set(feed.episodes.map(\.guid)))
            if isWhole {
                try db.execute(sql: "UPDATE episode SET listed = 0 WHERE podcast = ?", arguments: [podcast.id])
            }
            var new: [EpisodeRecord] = []
            for episode in feed.episodes {
                if let id = known.id(of: episode) {
                    try EpisodeRecord.update(db, episode, podcast: podcast.id, id: id)
                } else if known.count < Self.mostEpisodes {
                    let record = EpisodeRecord(
                        podcast: podcast.id, id: known.newID(of: episode), episode: episode, arrivedAt: now,
                        state: now > podcast.addedAt ? .new : .unplayed)
                    try record.insert(db)
                    new.append(record)
                }
            }
            return new.sorted { ($1.date, $0.id) < ($0.date, $1.id) }
        }
    }

    public func keep(
        _ chapters: [PodcastChapter], of episode: EpisodeRecord
    ) async throws(PlaceStoreError) {
        try await write(durably: false) {
            try $0.execute(
                sql: "UPDATE episode SET chapters = ? WHERE podcast = ? AND id = ?",
                arguments: [EpisodeRecord.text(chapters), episode.podcast, episode.id])
        }
    }

    public func keep(_ rule: KeepRule, of id: String) async throws(PlaceStoreError) {
        try await write(durably: true) {
            try $0.execute(
                sql: "UPDATE podcast SET keepNewest = ?, deletesPlayed = ? WHERE id = ?",
                arguments: [rule.newest, rule.deletesPlayed, id])
        }
    }

    public func removePodcast(_ id: String) async throws(PlaceStoreError) -> Bool {
        try await change(durably: true) { db in
            try db.execute(sql: "DELETE FROM podcast WHERE id = ?", arguments: [id])
            let isThere = db.changesCount > 0
            try db.execute(sql: "DELETE FROM episode WHERE podcast = ?", arguments: [id])
            return isThere
        }
    }

    public func episodes(_ query: EpisodeQuery) async throws(PlaceStoreError) -> [EpisodeRecord] {
        try await read(absent: []) { db in
            var conditions: [String] = []
            var arguments: StatementArguments = []
            if let podcast = query.podcast {
                conditions.append("e.podcast = ?")
                arguments += [podcast]
            }
            if !query.states.isEmpty {
                conditions.append("state IN (\(databaseQuestionMarks(count: query.states.count)))")
                arguments += StatementArguments(query.states.map(\.rawValue))
            }
            let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            arguments += [max(0, query.limit), max(0, query.offset)]
            return try Row.fetchAll(
                db.cachedStatement(
                    sql: EpisodeRecord.query + " \(filter) ORDER BY e.date DESC, e.podcast, e.id LIMIT ? OFFSET ?"),
                arguments: arguments
            ).map(EpisodeRecord.init)
        }
    }

    public func episodes(
        beginning name: EpisodeName, limit: Int
    ) async throws(PlaceStoreError) -> [EpisodeRecord] {
        guard PodcastID.isPossible(name.podcast), PodcastID.isPossible(name.episode) else { return [] }
        return try await read(absent: []) { db in
            let exact = try Row.fetchAll(
                db.cachedStatement(sql: EpisodeRecord.query + " WHERE e.podcast = ? AND e.id = ?"),
                arguments: [name.podcast, name.episode])
            if !exact.isEmpty { return try exact.map(EpisodeRecord.init) }
            return try Row.fetchAll(
                db.cachedStatement(
                    sql: EpisodeRecord.query
                        + " WHERE e.podcast LIKE ? AND e.id LIKE ? ORDER BY e.date DESC, e.podcast, e.id LIMIT ?"),
                arguments: [name.podcast + "%", name.episode + "%", limit]
            ).map(EpisodeRecord.init)
        }
    }

    public func episodeCounts() async throws(PlaceStoreError) -> [String: EpisodeCounts] {
        try await read(absent: [:]) { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: "SELECT podcast, state, count(*) AS n FROM (\(EpisodeRecord.query)) GROUP BY podcast, state"))
            var counts: [String: EpisodeCounts] = [:]
            for row in rows {
                guard let podcast = String.fromDatabaseValue(row["podcast"]),
                    let state = String.fromDatabaseValue(row["state"]).flatMap(EpisodeRecord.State.init(rawValue:)),
                    let number = Int.fromDatabaseValue(row["n"])
                else { throw NonsenseRow() }
                counts[podcast, default: EpisodeCounts()].all += number
                if state == .new { counts[podcast]?.new += number }
                if state != .played { counts[podcast]?.unplayed += number }
            }
            return counts
        }
    }

    public func mark(
        _ episodes: [EpisodeRecord], played: Bool, now: Int64
    ) async throws(PlaceStoreError) {
        try await write(durably: true) { db in
            let statement = try db.cachedStatement(
                sql: "UPDATE episode SET mark = ?, markedAt = ? WHERE podcast = ? AND id = ?")
            for episode in episodes {
                try statement.execute(arguments: [played, now, episode.podcast, episode.id])
            }
        }
    }

    public func episodesToKeep() async throws(PlaceStoreError) -> [EpisodeRecord] {
        try await read(absent: []) { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM (
                            SELECT *, row_number() OVER (PARTITION BY podcast ORDER BY date DESC, id) AS age
                            FROM (\(EpisodeRecord.query)) WHERE listed
                        ) WHERE age <= keepNewest AND NOT (deletesPlayed AND state = 'played')
                        ORDER BY podcast, age
                        """)
            ).map(EpisodeRecord.init)
        }
    }
}

/// The episodes of a podcast that are stored, by what identifies them.
private struct KnownEpisodes {
    private var ids: Set<String> = []
    private var byGuid: [String: String] = [:]
    /// Those whose identity the feed does not state any more, by their recording.
    private var renamed: [String: String] = [:]

    var count: Int { ids.count }

    init(_ db: Database, _ podcast: String, stated: Set<String>) throws {
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: "SELECT id, guid, url FROM episode WHERE podcast = ?"), arguments: [podcast])
        while let row = try rows.next() {
            guard let id = String.fromDatabaseValue(row["id"]), let guid = String.fromDatabaseValue(row["guid"]),
                let url = String.fromDatabaseValue(row["url"])
            else { throw NonsenseRow() }
            ids.insert(id)
            byGuid[guid] = id
            if !stated.contains(guid) { renamed[url] = id }
        }
    }

    /// Returns the ID of an episode that is known, if need be under another identity, which only one episode can take over.
    mutating func id(of episode: PodcastEpisode) -> String? {
        if let id = byGuid[episode.guid] { return id }
        guard let id = renamed.removeValue(forKey: episode.enclosure.url) else { return nil }
        byGuid[episode.guid] = id
        return id
    }

    mutating func newID(of episode: PodcastEpisode) -> String {
        var attempt = 0
        while true {
            let id = PodcastID.derived(from: episode.guid, length: PodcastID.episodeLength, attempt: attempt)
            if ids.insert(id).inserted {
                byGuid[episode.guid] = id
                return id
            }
            attempt += 1
        }
    }
}
