// SPDX-License-Identifier: Apache-2.0

/// A library of a server, as it was seen last.
public struct CatalogLibrary: Sendable, Hashable {
    public enum Kind: String, Sendable {
        case book
        case podcast
    }

    public var account: String
    public var id: String
    public var name: String
    public var kind: Kind
    /// The place in the server's list.
    public var order: Int64
    /// The time at which the last complete look at it ended, in milliseconds since 1970.
    public var refreshedAt: Int64?
    /// The items that are known.
    public var items: Int

    public init(
        account: String, id: String, name: String, kind: Kind, order: Int64, refreshedAt: Int64? = nil, items: Int = 0
    ) {
        self.account = account
        self.id = id
        self.name = name
        self.kind = kind
        self.order = order
        self.refreshedAt = refreshedAt
        self.items = items
    }
}

/// A book or a podcast of a server's library.
public struct CatalogItem: Sendable, Hashable {
    public var account: String
    public var library: String
    public var id: String
    public var kind: CatalogLibrary.Kind
    public var title: String
    public var sortTitle: String
    public var subtitle: String?
    public var author: String?
    public var sortAuthor: String?
    public var narrator: String?
    public var series: String?
    public var description: String?
    public var year: String?
    public var language: String?
    public var genres: [String]
    public var tags: [String]
    /// The authors one by one.
    public var authors: [String]
    public var seconds: Double?
    public var bytes: Int64?
    public var files: Int64?
    public var episodes: Int64?
    public var hasCover: Bool
    /// `true` if its files are not where the server expects them.
    public var isMissing: Bool
    public var addedAt: Int64?
    public var updatedAt: Int64?
    /// The time of the newest episode.
    public var latestEpisodeAt: Int64?
    /// The episodes that are known here.
    public var knownEpisodes = 0
    public var progress: CatalogProgress?
    /// The place in the series or collection that was asked for.
    public var sequence: String?

    public init(account: String, library: String, id: String, kind: CatalogLibrary.Kind, title: String) {
        self.account = account
        self.library = library
        self.id = id
        self.kind = kind
        self.title = title
        sortTitle = title
        (genres, tags, authors) = ([], [], [])
        (hasCover, isMissing) = (false, false)
    }
}

/// An episode of a podcast on a server.
public struct CatalogEpisode: Sendable, Hashable {
    public var account: String
    public var item: String
    public var id: String
    public var title: String
    public var subtitle: String?
    public var description: String?
    public var season: String?
    public var number: String?
    public var kind: String?
    public var publishedAt: Int64?
    public var addedAt: Int64?
    public var updatedAt: Int64?
    public var seconds: Double?
    public var bytes: Int64?
    public var progress: CatalogProgress?
    /// The title of its podcast, as far as it is known.
    public var podcast: String?

    public init(account: String, item: String, id: String, title: String) {
        self.account = account
        self.item = item
        self.id = id
        self.title = title
    }
}

/// The place of a user in an item or an episode, as the server had it last.
public struct CatalogProgress: Sendable, Hashable {
    public var item: String
    public var episode: String?
    public var seconds: Double?
    public var duration: Double?
    public var isFinished: Bool
    public var isHidden: Bool
    public var updatedAt: Int64?

    public init(
        item: String, episode: String? = nil, seconds: Double? = nil, duration: Double? = nil,
        isFinished: Bool = false, isHidden: Bool = false, updatedAt: Int64? = nil
    ) {
        self.item = item
        self.episode = episode
        self.seconds = seconds
        self.duration = duration
        self.isFinished = isFinished
        self.isHidden = isHidden
        self.updatedAt = updatedAt
    }
}

/// A series, an author or a collection.
public struct CatalogGroup: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case series
        case author
        case collection
    }

    public struct Member: Sendable, Hashable {
        public var item: String
        /// The place in a series, such as `2.5`.
        public var sequence: String?

        public init(item: String, sequence: String? = nil) {
            self.item = item
            self.sequence = sequence
        }
    }

    public var account: String
    public var library: String
    public var kind: Kind
    public var id: String
    public var name: String
    public var sortName: String
    public var description: String?
    /// The number of books, by the server's word if it gives one.
    public var count: Int64
    public var updatedAt: Int64?
    /// The books in order, of a series or a collection.
    public var members: [Member]

    public init(
        account: String, library: String, kind: Kind, id: String, name: String, sortName: String? = nil,
        description: String? = nil, count: Int64 = 0, updatedAt: Int64? = nil, members: [Member] = []
    ) {
        self.account = account
        self.library = library
        self.kind = kind
        self.id = id
        self.name = name
        self.sortName = sortName ?? name
        self.description = description
        self.count = count
        self.updatedAt = updatedAt
        self.members = members
    }
}
