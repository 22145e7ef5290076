// SPDX-License-Identifier: Apache-2.0

/// The result of `podcasts`.
public struct PodcastPage: Sendable, Hashable, Codable {
    public var podcasts: [PodcastInfo]
    /// The episodes, the newest first.
    public var episodes: [EpisodeInfo]
    /// The subscriptions as OPML, for `export`.
    public var opml: String?
    /// One line for each thing that went wrong, or was left out.
    public var problems: [String]

    public init(
        podcasts: [PodcastInfo] = [], episodes: [EpisodeInfo] = [], opml: String? = nil, problems: [String] = []
    ) {
        self.podcasts = podcasts
        self.episodes = episodes
        self.opml = opml
        self.problems = problems
    }
}

/// A podcast.
public struct PodcastInfo: Sendable, Hashable, Codable {
    public var id: String
    /// The address of its feed, without a query unless it is asked for by `show`.
    public var address: String
    public var title: String?
    public var author: String?
    public var summary: String?
    public var image: String?
    public var language: String?
    public var link: String?
    /// The number of its episodes: all, those that are new, and those that were not heard to the end.
    public var episodes: Int
    public var new: Int
    public var unplayed: Int
    /// The number of the newest episodes that should be here.
    public var keepNewest: Int?
    /// `true` if an episode goes when it was heard to its end.
    public var deletesPlayed: Bool
    /// Milliseconds since 1970, as all times.
    public var addedAt: Int64
    public var fetchedAt: Int64?
    public var nextAt: Int64?
    public var fault: String?
    public var isGone: Bool

    public init(id: String, address: String, addedAt: Int64) {
        self.id = id
        self.address = address
        self.addedAt = addedAt
        (episodes, new, unplayed) = (0, 0, 0)
        deletesPlayed = false
        isGone = false
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(address, forKey: .address)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(summary, forKey: .summary)
        try members.encode(image, forKey: .image)
        try members.encode(language, forKey: .language)
        try members.encode(link, forKey: .link)
        try members.encode(episodes, forKey: .episodes)
        try members.encode(new, forKey: .new)
        try members.encode(unplayed, forKey: .unplayed)
        try members.encode(keepNewest, forKey: .keepNewest)
        try members.encode(deletesPlayed, forKey: .deletesPlayed)
        try members.encode(addedAt, forKey: .addedAt)
        try members.encode(fetchedAt, forKey: .fetchedAt)
        try members.encode(nextAt, forKey: .nextAt)
        try members.encode(fault, forKey: .fault)
        try members.encode(isGone, forKey: .isGone)
    }
}

/// An episode of a podcast.
public struct EpisodeInfo: Sendable, Hashable, Codable {
    /// `PODCAST/EPISODE`, by which it is named.
    public var id: String
    /// The identity of the item.
    public var uri: String
    public var podcast: String?
    public var title: String?
    public var author: String?
    public var summary: String?
    /// Milliseconds since 1970; `nil` if the feed states no date.
    public var publishedAt: Int64?
    /// The length that the feed states.
    public var durationMs: Int64?
    public var season: Int?
    public var number: Int?
    /// One of `full`, `trailer`, `bonus`.
    public var kind: String
    /// One of `new`, `unplayed`, `started`, `played`.
    public var state: String
    /// The type of the recording, as the feed states it.
    public var type: String?
    public var bytes: Int64?
    public var image: String?
    public var link: String?
    /// `true` if the feed names chapters, or a transcript.
    public var hasChapters: Bool
    public var hasTranscript: Bool
    /// `false` if the feed has dropped it.
    public var isListed: Bool

    public init(id: String, uri: String, kind: String, state: String) {
        self.id = id
        self.uri = uri
        self.kind = kind
        self.state = state
        (hasChapters, hasTranscript, isListed) = (false, false, true)
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(uri, forKey: .uri)
        try members.encode(podcast, forKey: .podcast)
        try members.encode(title, forKey: .title)
        try members.encode(author, forKey: .author)
        try members.encode(summary, forKey: .summary)
        try members.encode(publishedAt, forKey: .publishedAt)
        try members.encode(durationMs, forKey: .durationMs)
        try members.encode(season, forKey: .season)
        try members.encode(number, forKey: .number)
        try members.encode(kind, forKey: .kind)
        try members.encode(state, forKey: .state)
        try members.encode(type, forKey: .type)
        try members.encode(bytes, forKey: .bytes)
        try members.encode(image, forKey: .image)
        try members.encode(link, forKey: .link)
        try members.encode(hasChapters, forKey: .hasChapters)
        try members.encode(hasTranscript, forKey: .hasTranscript)
        try members.encode(isListed, forKey: .isListed)
    }
}
