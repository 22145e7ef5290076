// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import PodcastFeeds
import Podcasts
import SessionProtocol

extension PodcastInfo {
    /// - Parameter isWhole: Whether the whole address is shown, which may hold what opens a feed that is paid for.
    init(_ podcast: PodcastSubscription, _ counts: EpisodeCounts, isWhole: Bool) {
        self.init(
            id: podcast.id, address: isWhole ? podcast.address : WebIdentity.shown(podcast.address),
            addedAt: podcast.addedAt)
        title = podcast.title
        author = podcast.author
        summary = isWhole ? podcast.summary : nil
        image = podcast.image
        language = podcast.language
        link = podcast.link
        (episodes, new, unplayed) = (counts.all, counts.new, counts.unplayed)
        (keepNewest, deletesPlayed) = (podcast.keep.newest, podcast.keep.deletesPlayed)
        (fetchedAt, nextAt) = (podcast.fetching.fetchedAt, podcast.fetching.nextAt)
        (fault, isGone) = (podcast.fetching.fault, podcast.fetching.isGone)
    }
}

extension EpisodeInfo {
    /// - Parameter isWhole: Whether the summary is shown; a list of many would be too long for a message.
    init(_ record: EpisodeRecord, isWhole: Bool = false) {
        let episode = record.episode
        self.init(
            id: "\(record.podcast)/\(record.id)", uri: record.uri, kind: episode.kind.rawValue,
            state: record.state.rawValue)
        podcast = record.podcastTitle
        title = episode.title
        author = episode.author
        summary = isWhole ? episode.summary : nil
        publishedAt = episode.published
        durationMs = episode.duration
        (season, number) = (episode.season, episode.number)
        (type, bytes) = (episode.enclosure.type, episode.enclosure.length)
        (image, link) = (episode.image, episode.link)
        hasChapters = !episode.chapters.isEmpty || episode.chapterDocument != nil
        hasTranscript = !episode.transcripts.isEmpty
        isListed = record.isListed
    }
}
