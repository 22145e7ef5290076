// SPDX-License-Identifier: Apache-2.0

public import JSON

/// A shelf of a library's start page.
public struct ServerShelf: ServerValue {
    public enum Entries: Sendable, Hashable {
        /// Books, podcasts, or podcasts with an episode each.
        case items([ServerItem])
        case series([ServerSeries])
        case authors([ServerAuthor])
    }

    /// `continue-listening`, `recently-added`, `newest-episodes` and others.
    public var id: String
    public var label: String?
    public var entries: Entries
    public var total: Int64?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id"), case .array? = json["entities"] else { return nil }
        self.id = id
        label = json.words("label")
        total = json.whole("total")
        switch json.text("type") {
        case "book", "podcast", "episode": entries = .items(json.values("entities"))
        case "series": entries = .series(json.values("entities"))
        case "authors": entries = .authors(json.values("entities"))
        default: return nil
        }
    }
}

/// The answer to `/api/libraries/ID/personalized`.
public struct ServerShelves: ServerValue {
    public var shelves: [ServerShelf]

    public init?(_ json: JSONValue) {
        guard case .array(let entries) = json else { return nil }
        shelves = entries.prefix(AnswerLimits.words).compactMap(ServerShelf.init)
    }
}

/// The answer to `/api/libraries/ID/search`.
public struct ServerSearch: ServerValue {
    /// A word with the number of items that have it, where the server says it.
    public struct Word: ServerValue {
        public var name: String
        public var count: Int64?

        public init?(_ json: JSONValue) {
            guard let name = json.words("name") else { return nil }
            self.name = name
            count = json.whole("numItems") ?? json.whole("numBooks")
        }
    }

    private struct Found: ServerValue {
        var item: ServerItem

        init?(_ json: JSONValue) {
            guard let item = json.member("libraryItem").flatMap(ServerItem.init) else { return nil }
            self.item = item
        }
    }

    private struct FoundSeries: ServerValue {
        var series: ServerSeries

        init?(_ json: JSONValue) {
            guard var series = json.member("series").flatMap(ServerSeries.init) else { return nil }
            series.items = json.values("books")
            self.series = series
        }
    }

    /// Books or podcasts.
    public var items: [ServerItem]
    /// Podcasts, each with the episode that was found.
    public var episodes: [ServerItem]
    public var series: [ServerSeries]
    public var authors: [ServerAuthor]
    public var narrators: [Word]
    public var tags: [Word]
    public var genres: [Word]

    public init?(_ json: JSONValue) {
        guard json["book"] != nil || json["podcast"] != nil else { return nil }
        let books: [Found] = json.values("book")
        let podcasts: [Found] = json.values("podcast")
        items = (books + podcasts).map(\.item)
        let found: [Found] = json.values("episodes")
        episodes = found.map(\.item)
        let foundSeries: [FoundSeries] = json.values("series")
        series = foundSeries.map(\.series)
        authors = json.values("authors")
        narrators = json.values("narrators")
        tags = json.values("tags")
        genres = json.values("genres")
    }
}
