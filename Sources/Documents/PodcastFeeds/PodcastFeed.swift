// SPDX-License-Identifier: Apache-2.0

/// The contents of a podcast's feed, as one document of it states them.
public struct PodcastFeed: Sendable, Hashable {
    public var title: String?
    public var author: String?
    /// Plain text, of bounded length.
    public var summary: String?
    public var image: String?
    /// A language tag, as the feed writes it.
    public var language: String?
    /// The address of the podcast's page.
    public var link: String?
    /// The address to which the feed says that it has moved.
    public var newAddress: String?
    /// The address of the next, older page of the feed.
    public var nextPage: String?
    /// `true` if the feed says that its episodes are heard from the first to the last.
    public var isSerial = false
    public var isExplicit: Bool?
    /// The episodes in the order of the document, each with an identity that no other has.
    public var episodes: [PodcastEpisode] = []
    /// One line for everything that was left out.
    public var warnings: [String] = []

    public init() {}
}

/// An episode of a podcast.
public struct PodcastEpisode: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable { case full, trailer, bonus }

    /// The identity within the feed: what the feed states, else the address of the recording.
    public var guid: String
    public var title: String?
    public var author: String?
    /// Plain text, of bounded length.
    public var summary: String?
    /// Milliseconds since 1970; `nil` if the feed states no date, or none that can be read.
    public var published: Int64?
    /// Milliseconds.
    public var duration: Int64?
    public var enclosure: PodcastEnclosure
    public var image: String?
    public var link: String?
    public var season: Int?
    public var number: Int?
    public var kind: Kind
    public var isExplicit: Bool?
    /// The chapters that stand in the feed itself, in order.
    public var chapters: [PodcastChapter]
    /// The document with the chapters, if the feed names one.
    public var chapterDocument: PodcastDocument?
    public var transcripts: [PodcastDocument]

    public init(guid: String, enclosure: PodcastEnclosure) {
        self.guid = guid
        self.enclosure = enclosure
        kind = .full
        chapters = []
        transcripts = []
    }
}

/// The recording of an episode.
public struct PodcastEnclosure: Sendable, Hashable {
    /// An http or https address.
    public var url: String
    /// The type in lower case, as the feed states it.
    public var type: String?
    /// The length in bytes that the feed states, which is often wrong.
    public var length: Int64?

    public init(url: String, type: String? = nil, length: Int64? = nil) {
        self.url = url
        self.type = type
        self.length = length
    }
}

/// A chapter of an episode.
public struct PodcastChapter: Sendable, Hashable {
    /// Milliseconds from the beginning of the recording.
    public var start: Int64
    public var title: String?

    public init(start: Int64, title: String? = nil) {
        self.start = start
        self.title = title
    }
}

/// A document beside an episode: its chapters, or a transcript.
public struct PodcastDocument: Sendable, Hashable {
    public var url: String
    /// The type in lower case, as the feed states it.
    public var type: String?
    public var language: String?

    public init(url: String, type: String? = nil, language: String? = nil) {
        self.url = url
        self.type = type
        self.language = language
    }
}

/// The bounds within which a feed is read and handed over.
public enum FeedLimits {
    /// The most bytes of the document of a feed.
    public static let document = 64 << 20
    public static let episodes = 20_000
    /// The most chapters of one episode, and of all together.
    public static let chapters = 1000
    public static let allChapters = 200_000
    public static let transcripts = 10
    /// The most bytes of what is handed over; summaries are left out where it would be more.
    public static let message = 96 << 20
    public static let summary = 4000
    public static let title = 1000
    public static let guid = 2000
    public static let url = 4096
    public static let word = 127
    public static let subscriptions = 10_000
    /// The longest time of a recording, in milliseconds.
    public static let duration: Int64 = 1000 * 3_600_000
    static let warnings = 20
}
