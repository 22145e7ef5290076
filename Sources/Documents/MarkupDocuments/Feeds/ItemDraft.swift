// SPDX-License-Identifier: Apache-2.0

internal import PodcastFeeds

/// An entry of a feed as far as it is read.
struct ItemDraft {
    /// A value of which a feed may state several; the one of the lowest rank counts, and of equals the first.
    struct Choice<Value> {
        private(set) var value: Value?
        private var rank = Int.max

        mutating func offer(_ value: Value?, rank: Int) {
            guard let value, rank < self.rank else { return }
            (self.value, self.rank) = (value, rank)
        }
    }

    var guid: String?
    var title = Choice<String>()
    var author = Choice<String>()
    var summary = Choice<String>()
    var published = Choice<Int64>()
    var enclosure = Choice<PodcastEnclosure>()
    var duration: Int64?
    var image: String?
    var link: String?
    var season: Int?
    var number: Int?
    var kind = PodcastEpisode.Kind.full
    var isExplicit: Bool?
    var chapters: [PodcastChapter] = []
    var chapterDocument: PodcastDocument?
    var transcripts: [PodcastDocument] = []

    func episode(_ enclosure: PodcastEnclosure) -> PodcastEpisode {
        var episode = PodcastEpisode(guid: guid ?? enclosure.url.cut(to: FeedLimits.guid), enclosure: enclosure)
        episode.title = title.value
        episode.author = author.value
        episode.summary = summary.value
        episode.published = published.value
        episode.duration = duration
        episode.image = image
        episode.link = link
        episode.season = season
        episode.number = number
        episode.kind = kind
        episode.isExplicit = isExplicit
        episode.chapters = chapters.sorted { $0.start < $1.start }
        episode.chapterDocument = chapterDocument
        episode.transcripts = transcripts
        return episode
    }
}

/// Gives each episode of a feed an identity that no other has.
enum EpisodeIdentities {
    /// One recording under one identity is one episode. An identity that stands for several recordings identifies none of
    /// them: each is then known by its address.
    ///
    /// That does not depend on the order, so that an episode keeps its identity when a newer one is put before it.
    static func settle(_ feed: inout PodcastFeed) {
        var recordings: [String: Set<String>] = [:]
        for episode in feed.episodes { recordings[episode.guid, default: []].insert(episode.enclosure.url) }
        var (known, kept, repeated): (Set<String>, [PodcastEpisode], Int) = ([], [], 0)
        kept.reserveCapacity(feed.episodes.count)
        for var episode in feed.episodes {
            if recordings[episode.guid, default: []].count > 1 {
                episode.guid = episode.enclosure.url.cut(to: FeedLimits.guid)
            }
            if known.insert(episode.guid).inserted { kept.append(episode) } else { repeated += 1 }
        }
        feed.episodes = kept
        if repeated > 0 { feed.warnings.append("\(repeated) episodes are in the feed more than once") }
    }
}
