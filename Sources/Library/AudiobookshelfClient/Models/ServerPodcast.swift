// SPDX-License-Identifier: Apache-2.0

public import JSON

/// The media of an item that is a podcast.
public struct ServerPodcast: Sendable, Hashable {
    public var id: String?
    public var title: String?
    public var sortTitle: String?
    public var author: String?
    /// The description, which may be HTML.
    public var description: String?
    public var genres: [String]
    public var tags: [String]
    public var language: String?
    public var feed: String?
    /// `episodic` or `serial`.
    public var kind: String?
    public var isExplicit: Bool
    public var hasCover: Bool
    public var episodeCount: Int64?
    /// The episodes of an expanded podcast, in no order.
    public var episodes: [ServerEpisode]

    init(_ json: JSONValue) {
        let data = json.member("metadata") ?? .null
        id = json.id("id")
        title = data.words("title")
        sortTitle = data.words("titleIgnorePrefix")
        author = data.words("author")
        description = data.words("description", limit: AnswerLimits.text)
        genres = data.list(of: "genres")
        tags = json.list(of: "tags")
        language = data.words("language")
        feed = data.words("feedUrl", limit: 16_384)
        kind = data.words("type")
        isExplicit = data.flag("explicit") ?? false
        hasCover = json.words("coverPath", limit: AnswerLimits.text) != nil
        episodes = json.values("episodes")
        episodeCount = json.whole("numEpisodes") ?? (episodes.isEmpty ? nil : Int64(episodes.count))
    }
}

/// An episode of a podcast that the server has as a file.
public struct ServerEpisode: ServerValue {
    public var id: String
    /// The item of its podcast.
    public var item: String?
    public var title: String?
    public var subtitle: String?
    /// The description, which may be HTML.
    public var description: String?
    public var season: String?
    public var number: String?
    /// `full`, `trailer` or `bonus`.
    public var kind: String?
    /// Milliseconds since 1970; episodes that were found as files have none.
    public var publishedAt: Int64?
    public var addedAt: Int64?
    public var updatedAt: Int64?
    public var seconds: Double?
    public var bytes: Int64?
    /// Identifies the episode in its feed.
    public var guid: String?
    public var audioFile: ServerAudioFile?
    public var chapters: [ServerChapter]
    /// The title of its podcast, in lists of episodes of several.
    public var podcastTitle: String?
    public var library: String?

    public init?(_ json: JSONValue) {
        guard let id = json.id("id") else { return nil }
        self.id = id
        item = json.id("libraryItemId")
        title = json.words("title")
        subtitle = json.words("subtitle", limit: AnswerLimits.text)
        description = json.words("description", limit: AnswerLimits.text)
        season = json.words("season")
        number = json.words("episode")
        kind = json.words("episodeType")
        publishedAt = json.whole("publishedAt")
        addedAt = json.whole("addedAt")
        updatedAt = json.whole("updatedAt")
        guid = json.words("guid")
        audioFile =
            json.member("audioTrack").flatMap(ServerAudioFile.init)
            ?? json.member("audioFile").flatMap(ServerAudioFile.init)
        // The track of versions before 2.18 has no `ino`.
        if audioFile?.ino == nil, let file = json.member("audioFile").flatMap(ServerAudioFile.init) { audioFile = file }
        seconds = json.seconds("duration") ?? audioFile?.seconds
        bytes = json.whole("size") ?? audioFile?.path.bytes
        chapters = json.values("chapters")
        podcastTitle = json.member("podcast")?.member("metadata")?.words("title")
        library = json.id("libraryId")
    }

    /// Returns `true` if the first is shown before the second: newest first, and those without a date last.
    public static func isNewer(_ one: ServerEpisode, _ other: ServerEpisode) -> Bool {
        let (left, right) = (one.publishedAt ?? .min, other.publishedAt ?? .min)
        if left != right { return left > right }
        let (first, second) = (one.addedAt ?? .min, other.addedAt ?? .min)
        return first != second ? first > second : one.id < other.id
    }
}
