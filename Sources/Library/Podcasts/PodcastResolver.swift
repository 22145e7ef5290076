// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
public import MediaPlayback
import PlaybackCore
import PodcastFeeds

/// Resolves `podcast:PODCAST/EPISODE` to the recording of the episode, or as a text to its transcript.
///
/// The identity of the item is the episode's, so that its place stays when the recording moves.
public struct PodcastResolver: ItemResolving {
    private let resolver: any ItemResolving
    private let podcasts: PodcastLibrary

    /// - Parameter resolver: What resolves all other items, and the addresses of transcripts.
    public init(_ resolver: any ItemResolving, podcasts: PodcastLibrary) {
        self.resolver = resolver
        self.podcasts = podcasts
    }

    public func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        guard let item = request.items.first(where: { $0.hasPrefix(EpisodeName.prefix) }) else {
            return try await resolver.resolve(request)
        }
        guard request.items.count == 1 else {
            throw ItemError(.unsupported, "\(item): an episode is played by itself; name nothing beside it")
        }
        let record: EpisodeRecord
        do throws(PodcastError) {
            record = try await podcasts.episode(named: item)
        } catch {
            throw ItemError(error.reason == .storage ? .unreadable : .missing, error.message)
        }
        if request.asText { return try await transcript(of: record, request) }
        return await recording(of: record)
    }

    private func recording(of record: EpisodeRecord) async -> ResolvedItem {
        let episode = record.episode
        var content = Content(
            uri: record.uri, kind: .audio, tracks: [.url(episode.enclosure.url, headers: [])],
            title: episode.title ?? record.podcastTitle ?? WebIdentity.shown(episode.enclosure.url))
        // In a list of what was played, the podcast says more than the person who reads the news.
        content.author = record.podcastTitle ?? episode.author ?? record.podcastAuthor
        content.isListed = true
        content.cue = await podcasts.chapters(of: record).map {
            CueEntry(milliseconds: $0.start, title: $0.title, source: "podcast")
        }
        return ResolvedItem(content: content, items: [record.uri], notes: [])
    }

    /// The types of transcripts, the ones that are read best first.
    private static let types = [
        "text/vtt", "application/x-subrip", "application/srt", "text/srt", "text/html", "text/plain",
    ]

    private func transcript(of record: EpisodeRecord, _ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        let name = "\(record.podcast)/\(record.id)"
        let readable = record.episode.transcripts.filter { $0.type.map(Self.types.contains) ?? true }
        let best = readable.min { Self.rank($0) < Self.rank($1) }
        guard let best else {
            throw ItemError(
                .unsupported,
                record.episode.transcripts.isEmpty
                    ? "\(name): the episode has no transcript; play it" : "\(name): its transcript cannot be read")
        }
        var other = request
        other.items = [best.url]
        var item = try await resolver.resolve(other)
        if item.content.document?.title == nil, let title = record.episode.title { item.content.title = title }
        return item
    }

    private static func rank(_ document: PodcastDocument) -> Int {
        document.type.flatMap { types.firstIndex(of: $0) } ?? types.count
    }
}
