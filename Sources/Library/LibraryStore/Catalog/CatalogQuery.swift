// SPDX-License-Identifier: Apache-2.0

/// A choice of items of a library, and their order.
public struct CatalogQuery: Sendable, Hashable {
    public enum Filter: Sendable, Hashable {
        case genre(String)
        case tag(String)
        /// The ID or the name of a series.
        case series(String)
        case author(String)
        case narrator(String)
        /// The ID or the name of a collection.
        case collection(String)
        case inProgress
        case finished
        case notStarted
        /// Books only.
        case book
    }

    public enum Sort: String, Sendable, CaseIterable {
        case title
        case author
        case added
        case updated
        case latestEpisode = "latest-episode"
        case genre
        case duration
        case year
        case size
        /// The time of the newest progress.
        case progress
        case random
        /// The order in a series or a collection.
        case sequence
    }

    public var account: String
    /// All libraries of the account if there is none.
    public var library: String?
    public var filters: [Filter]
    public var sort: Sort
    /// `true` if the order is the other way round than usual: times come newest first, all else smallest first.
    public var isReversed: Bool
    /// Words that must all be found at the beginnings of words.
    public var words: String?
    public var offset: Int
    public var limit: Int
    /// Makes the order of `random`: the same seed is the same order, so that pages fit together.
    public var seed: Int64

    public init(
        account: String, library: String? = nil, filters: [Filter] = [], sort: Sort = .title, isReversed: Bool = false,
        words: String? = nil, offset: Int = 0, limit: Int = 50, seed: Int64 = 0
    ) {
        self.account = account
        self.library = library
        self.filters = filters
        self.sort = sort
        self.isReversed = isReversed
        self.words = words
        self.offset = offset
        self.limit = limit
        self.seed = seed
    }
}

/// A page of what was found, with the number of all.
public struct CatalogPage<Entry: Sendable & Hashable>: Sendable, Hashable {
    public var entries: [Entry]
    public var total: Int

    public init(entries: [Entry] = [], total: Int = 0) {
        self.entries = entries
        self.total = total
    }
}
