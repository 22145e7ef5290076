// SPDX-License-Identifier: Apache-2.0

/// The result of `browse`: entries of one kind, and how old they are.
public struct BrowsePage: Sendable, Hashable, Codable {
    /// The account; `nil` if the entries are of several.
    public var account: String?
    /// The ID of the library; `nil` if the entries are of several.
    public var library: String?
    /// The number of all entries that fit.
    public var total: Int
    public var offset: Int
    /// The time of the last complete look at what is shown, in milliseconds since 1970; `nil` before the first.
    public var refreshedAt: Int64?
    /// `true` while the servers are asked for what is new.
    public var isRefreshing: Bool
    /// The reason why the servers could not be asked last time.
    public var fault: String?
    public var libraries: [BrowseLibrary]
    public var items: [BrowseItem]
    public var episodes: [BrowseEpisode]
    public var groups: [BrowseGroup]

    public init(total: Int = 0, offset: Int = 0) {
        (self.total, self.offset) = (total, offset)
        isRefreshing = false
        (libraries, items, episodes, groups) = ([], [], [], [])
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(library, forKey: .library)
        try members.encode(total, forKey: .total)
        try members.encode(offset, forKey: .offset)
        try members.encode(refreshedAt, forKey: .refreshedAt)
        try members.encode(isRefreshing, forKey: .isRefreshing)
        try members.encode(fault, forKey: .fault)
        try members.encode(libraries, forKey: .libraries)
        try members.encode(items, forKey: .items)
        try members.encode(episodes, forKey: .episodes)
        try members.encode(groups, forKey: .groups)
    }
}

/// A library of a server.
public struct BrowseLibrary: Sendable, Hashable, Codable {
    public var account: String
    /// The name of the account.
    public var server: String
    public var id: String
    public var name: String
    /// `book` or `podcast`.
    public var kind: String
    /// The number of items that are known.
    public var items: Int
    public var refreshedAt: Int64?

    public init(
        account: String, server: String, id: String, name: String, kind: String, items: Int, refreshedAt: Int64?
    ) {
        self.account = account
        self.server = server
        self.id = id
        self.name = name
        self.kind = kind
        self.items = items
        self.refreshedAt = refreshedAt
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(account, forKey: .account)
        try members.encode(server, forKey: .server)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(kind, forKey: .kind)
        try members.encode(items, forKey: .items)
        try members.encode(refreshedAt, forKey: .refreshedAt)
    }
}

/// A book or a podcast of a server.
public struct BrowseItem: Sendable, Hashable, Codable {
    public var id: String
    /// The identity of the item, which also opens it.
    public var uri: String
    public var library: String
    /// `book` or `podcast`.
    public var kind: String
    public var title: String
    public var subtitle: String?
    public var author: String?
    public var narrator: String?
    public var series: String?
    /// The place in the series that was asked for.
    public var sequence: String?
    public var genres: [String]
    public var tags: [String]
    public var year: String?
    public var durationMs: Int64?
    /// The number of episodes of a podcast.
    public var episodes: Int64?
    public var latestEpisodeAt: Int64?
    /// The place of the user as the server had it last.
    public var positionMs: Int64?
    public var isFinished: Bool
    public var addedAt: Int64?
    public var updatedAt: Int64?
    /// `true` if the server misses its files.
    public var isMissing: Bool
    /// The description, for `show`, which may be HTML.
    public var description: String?
    /// The path of its picture, for `show`.
    public var cover: String?

    public init(id: String, uri: String, library: String, kind: String, title: String) {
        self.id = id
        self.uri = uri
        self.library = library
        self.kind = kind
        self.title = title
        (genres, tags) = ([], [])
        (isFinished, isMissing) = (false, false)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(library, forKey: .library)
        try members.encode(kind, forKey: .kind)
        try members.encode(title, forKey: .title)
        try members.encode(subtitle, forKey: .subtitle)
        try members.encode(author, forKey: .author)
        try members.encode(narrator, forKey: .narrator)
        try members.encode(series, forKey: .series)
        try members.encode(sequence, forKey: .sequence)
        try members.encode(genres, forKey: .genres)
        try members.encode(tags, forKey: .tags)
        try members.encode(year, forKey: .year)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(episodes, forKey: .episodes)
        try members.encode(latestEpisodeAt, forKey: .latestEpisodeAt)
        try members.encode(positionMs, forKey: .positionMs)
        try members.encode(isFinished, forKey: .isFinished)
        try members.encode(addedAt, forKey: .addedAt)
        try members.encode(updatedAt, forKey: .updatedAt)
        try members.encode(isMissing, forKey: .isMissing)
        try members.encode(description, forKey: .description)
        try members.encode(cover, forKey: .cover)
    }
}

/// An episode of a podcast of a server.
public struct BrowseEpisode: Sendable, Hashable, Codable {
    public var id: String
    /// The identity of the item, which also opens it.
    public var uri: String
    /// The ID of the podcast.
    public var item: String
    public var podcast: String?
    public var title: String
    public var subtitle: String?
    public var season: String?
    public var number: String?
    public var publishedAt: Int64?
    public var durationMs: Int64?
    /// The place of the user as the server had it last.
    public var positionMs: Int64?
    public var isFinished: Bool
    /// The description, for `show`, which may be HTML.
    public var description: String?

    public init(id: String, uri: String, item: String, title: String) {
        self.id = id
        self.uri = uri
        self.item = item
        self.title = title
        isFinished = false
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(item, forKey: .item)
        try members.encode(podcast, forKey: .podcast)
        try members.encode(title, forKey: .title)
        try members.encode(subtitle, forKey: .subtitle)
        try members.encode(season, forKey: .season)
        try members.encode(number, forKey: .number)
        try members.encode(publishedAt, forKey: .publishedAt)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(positionMs, forKey: .positionMs)
        try members.encode(isFinished, forKey: .isFinished)
        try members.encode(description, forKey: .description)
    }
}

/// A series, an author or a collection of a server.
public struct BrowseGroup: Sendable, Hashable, Codable {
    public var id: String
    public var library: String
    /// `series`, `author` or `collection`.
    public var kind: String
    public var name: String
    /// The number of books.
    public var items: Int64

    public init(id: String, library: String, kind: String, name: String, items: Int64) {
        self.id = id
        self.library = library
        self.kind = kind
        self.name = name
        self.items = items
    }
}
