// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback
public import PodcastFeeds

/// A choice of episodes for a list.
public struct EpisodeQuery: Sendable, Hashable {
    /// The podcast; `nil` for all.
    public var podcast: String?
    /// The states that are listed; empty for all.
    public var states: Set<EpisodeRecord.State>
    public var offset: Int
    public var limit: Int

    public init(podcast: String? = nil, states: Set<EpisodeRecord.State> = [], offset: Int = 0, limit: Int = 100) {
        self.podcast = podcast
        self.states = states
        self.offset = offset
        self.limit = limit
    }
}

/// The number of a podcast's episodes.
public struct EpisodeCounts: Sendable, Hashable {
    public var all = 0
    public var new = 0
    public var unplayed = 0

    public init(all: Int = 0, new: Int = 0, unplayed: Int = 0) {
        self.all = all
        self.new = new
        self.unplayed = unplayed
    }
}

/// Keeps podcasts and their episodes.
public protocol PodcastStore: Sendable {
    /// Returns the podcasts, sorted by title.
    func podcasts() async throws(PlaceStoreError) -> [PodcastSubscription]
    /// Returns the podcasts whose IDs begin with a text; one of just this ID is alone.
    func podcasts(beginning id: String) async throws(PlaceStoreError) -> [PodcastSubscription]
    /// Returns the podcast at an address.
    func podcast(at address: String) async throws(PlaceStoreError) -> PodcastSubscription?
    /// Adds a podcast, with an ID that no other has; one with this address stays as it is.
    func add(_ podcast: PodcastSubscription) async throws(PlaceStoreError) -> PodcastSubscription
    /// Keeps the state of fetching and the address of a podcast.
    func keep(_ fetching: FetchState, address: String, of id: String) async throws(PlaceStoreError)
    /// Keeps what a feed says, with the state of fetching, in one transaction; returns the episodes that are new.
    ///
    /// An episode that the feed states again keeps its ID, whatever else has changed; one that the feed has dropped stays. An
    /// episode whose recording is known under another identity is the same one.
    func keep(
        _ feed: PodcastFeed, of podcast: PodcastSubscription, isWhole: Bool, now: Int64
    ) async throws(PlaceStoreError) -> [EpisodeRecord]
    /// Keeps the chapters of an episode that came from a document.
    func keep(_ chapters: [PodcastChapter], of episode: EpisodeRecord) async throws(PlaceStoreError)
    /// Keeps the rule of a podcast.
    func keep(_ rule: KeepRule, of id: String) async throws(PlaceStoreError)
    /// Removes a podcast with its episodes; the places of these stay. Returns `false` if there is none.
    func removePodcast(_ id: String) async throws(PlaceStoreError) -> Bool
    /// Returns episodes, the newest first.
    func episodes(_ query: EpisodeQuery) async throws(PlaceStoreError) -> [EpisodeRecord]
    /// Returns the episodes whose IDs begin with a text, of podcasts whose IDs begin with one; at most `limit`.
    func episodes(
        beginning name: EpisodeName, limit: Int
    ) async throws(PlaceStoreError) -> [EpisodeRecord]
    /// Returns the numbers of episodes by podcast.
    func episodeCounts() async throws(PlaceStoreError) -> [String: EpisodeCounts]
    /// Marks episodes as played, or not; what is heard later counts for more.
    func mark(_ episodes: [EpisodeRecord], played: Bool, now: Int64) async throws(PlaceStoreError)
    /// Returns the episodes that should be on this machine by the rules of their podcasts, the newest of each first.
    func episodesToKeep() async throws(PlaceStoreError) -> [EpisodeRecord]
}

/// Parses feeds and OPML files; what they hold is foreign.
public protocol FeedParsing: Sendable {
    func feed(
        _ bytes: [UInt8], name: String, charset: String?, base: String?
    ) async throws(ItemError) -> PodcastFeed
    func subscriptions(_ bytes: [UInt8], name: String) async throws(ItemError) -> SubscriptionList
}
