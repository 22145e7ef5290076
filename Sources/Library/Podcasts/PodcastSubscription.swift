// SPDX-License-Identifier: Apache-2.0

public import PodcastFeeds

/// The rule by which episodes of a podcast are kept on this machine.
public struct KeepRule: Sendable, Hashable {
    /// The number of the newest episodes that should be here; `nil` for none that are not asked for.
    public var newest: Int?
    /// `true` if an episode goes when it was heard to its end.
    public var deletesPlayed: Bool

    public init(newest: Int? = nil, deletesPlayed: Bool = false) {
        self.newest = newest
        self.deletesPlayed = deletesPlayed
    }

    public static let mostNewest = 1000
}

/// A podcast to which the listener subscribes.
public struct PodcastSubscription: Sendable, Hashable {
    /// Derived from the address at which it was added, so that it is the same when it is added again.
    public var id: String
    /// The address of the feed, which a server or the feed itself may move.
    public var address: String
    public var title: String?
    public var author: String?
    public var summary: String?
    public var image: String?
    public var language: String?
    public var link: String?
    public var isSerial = false
    public var keep = KeepRule()
    /// `true` if the feed may be on this machine or in a network of its own.
    public var allowsPrivate: Bool
    /// Milliseconds since 1970.
    public var addedAt: Int64
    public var fetching = FetchState()

    public init(id: String, address: String, allowsPrivate: Bool = false, addedAt: Int64) {
        self.id = id
        self.address = address
        self.allowsPrivate = allowsPrivate
        self.addedAt = addedAt
    }

    /// Takes over what the feed says about itself.
    mutating func take(_ feed: PodcastFeed) {
        // What a feed drops stays as it was.
        title = feed.title ?? title
        author = feed.author ?? author
        summary = feed.summary ?? summary
        image = feed.image ?? image
        language = feed.language ?? language
        link = feed.link ?? link
        isSerial = feed.isSerial
    }
}

/// The state of the fetching of a feed.
public struct FetchState: Sendable, Hashable {
    /// The tag of the version that is here.
    public var etag: String?
    public var lastModified: String?
    /// The last time at which the server sent the feed, or said that it has not changed; milliseconds since 1970.
    public var fetchedAt: Int64?
    /// The time of the next look; `nil` if there is none, because the feed is gone.
    public var nextAt: Int64?
    /// The looks that failed since the last one that did not.
    public var failures = 0
    /// The reason of the last failure, or what was left out of the feed.
    public var fault: String?
    /// `true` if the server says that the feed is gone for good.
    public var isGone = false

    public init() {}
}

/// An episode with what the listener made of it.
public struct EpisodeRecord: Sendable, Hashable {
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It came after the podcast was added, and nobody has begun it.
        case new
        case unplayed
        /// It was begun, and not heard to its end.
        case started
        case played
    }

    /// The subscription.
    public var podcast: String
    /// The identity within the podcast, derived from what the feed states.
    public var id: String
    public var episode: PodcastEpisode
    /// The time at which it was first in the feed, in milliseconds since 1970.
    public var arrivedAt: Int64
    /// `false` if the feed has dropped it.
    public var isListed: Bool
    public var state: State
    public var podcastTitle: String?
    public var podcastAuthor: String?

    public init(
        podcast: String, id: String, episode: PodcastEpisode, arrivedAt: Int64, isListed: Bool = true,
        state: State = .unplayed
    ) {
        self.podcast = podcast
        self.id = id
        self.episode = episode
        self.arrivedAt = arrivedAt
        self.isListed = isListed
        self.state = state
    }

    /// The identity of the item, which survives a change of the address.
    public var uri: String { EpisodeName(podcast: podcast, episode: id).uri }
    /// The time by which episodes are in order.
    public var date: Int64 { episode.published ?? arrivedAt }
}

/// The way in which an episode is named where items are: `podcast:PODCAST/EPISODE`.
public struct EpisodeName: Sendable, Hashable {
    public static let prefix = "podcast:"
    public var podcast: String
    public var episode: String

    public init(podcast: String, episode: String) {
        self.podcast = podcast
        self.episode = episode
    }

    /// Parses a name, each part of which may be the beginning of an ID; `nil` for anything else.
    public init?(_ text: String) {
        let text = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ PodcastID.isPossible(String($0)) }) else { return nil }
        (podcast, episode) = (String(parts[0]), String(parts[1]))
    }

    public var uri: String { "\(Self.prefix)\(podcast)/\(episode)" }
}

/// The IDs of podcasts and episodes.
public enum PodcastID {
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    public static let podcastLength = 5
    public static let episodeLength = 7

    /// Returns whether a text can be an ID, or the beginning of one.
    public static func isPossible(_ text: String) -> Bool {
        (1...episodeLength).contains(text.utf8.count) && text.utf8.allSatisfy { letters.contains($0) }
    }

    /// Derives an ID from a name; one that is taken is given with another `attempt`.
    public static func derived(from name: String, length: Int, attempt: Int = 0) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(name.utf8) + Array("\(attempt)".utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The low bits of FNV-1a are poor, so all are mixed (the end of MurmurHash3).
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        var id: [UInt8] = []
        for _ in 0..<length {
            id.append(letters[Int(hash % UInt64(letters.count))])
            hash /= UInt64(letters.count)
        }
        return String(decoding: id, as: UTF8.self)
    }
}
