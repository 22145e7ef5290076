// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
public import PodcastFeeds

extension PodcastLibrary {
    /// The time for which playback waits for the chapters of an episode.
    private static let chapterLimit = Duration.seconds(3)

    /// Returns the chapters of an episode: those in the feed, or else those of the document that it names.
    ///
    /// What a document has is kept, so it is asked for once. An episode is played without it if it does not come in time.
    public func chapters(of record: EpisodeRecord) async -> [PodcastChapter] {
        if !record.episode.chapters.isEmpty { return record.episode.chapters }
        guard let document = record.episode.chapterDocument else { return [] }
        // A feed is foreign: what it names is never on this machine, unless the feed itself may be.
        let podcast = try? await store.podcasts(beginning: record.podcast).first
        var request = HTTPRequest(.get, document.url, allowsPrivate: podcast?.allowsPrivate ?? false)
        request.timeLimit = Self.chapterLimit
        request.mostBytes = Int64(ChapterDocument.mostBytes)
        guard let answer = try? await transport.send(request), answer.status == 200 else { return [] }
        let chapters = ChapterDocument.chapters(answer.body)
        if !chapters.isEmpty { try? await store.keep(chapters, of: record) }
        return chapters
    }
}
