// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import BookTimeline
import LibraryStore
import SessionProtocol

extension BrowseLibrary {
    init(_ library: CatalogLibrary, of accounts: [CatalogAccount]) {
        let server = accounts.first { $0.id == library.account }?.name ?? library.account
        self.init(
            account: library.account, server: server, id: library.id, name: library.name, kind: library.kind.rawValue,
            items: library.items, refreshedAt: library.refreshedAt)
    }
}

extension BrowseItem {
    init(_ item: CatalogItem, withDescription: Bool = false) {
        self.init(
            id: item.id, uri: ServerItemName(account: item.account, item: item.id).uri, library: item.library,
            kind: item.kind.rawValue, title: item.title)
        subtitle = item.subtitle
        author = item.author
        narrator = item.narrator
        series = item.series
        sequence = item.sequence
        (genres, tags) = (item.genres, item.tags)
        year = item.year
        durationMs = item.seconds.map(BookTimeline.milliseconds)
        episodes = item.episodes
        latestEpisodeAt = item.latestEpisodeAt
        positionMs = item.progress?.seconds.map(BookTimeline.milliseconds)
        isFinished = item.progress?.isFinished ?? false
        (addedAt, updatedAt) = (item.addedAt, item.updatedAt)
        isMissing = item.isMissing
        if withDescription { description = item.description }
    }
}

extension BrowseEpisode {
    init(_ episode: CatalogEpisode, withDescription: Bool = false) {
        self.init(
            id: episode.id,
            uri: ServerItemName(account: episode.account, item: episode.item, episode: episode.id).uri,
            item: episode.item, title: episode.title)
        podcast = episode.podcast
        subtitle = episode.subtitle
        (season, number) = (episode.season, episode.number)
        publishedAt = episode.publishedAt
        durationMs = episode.seconds.map(BookTimeline.milliseconds)
        positionMs = episode.progress?.seconds.map(BookTimeline.milliseconds)
        isFinished = episode.progress?.isFinished ?? false
        if withDescription { description = episode.description }
    }
}

extension BrowseGroup {
    init(_ group: CatalogGroup) {
        self.init(
            id: group.id, library: group.library, kind: group.kind.rawValue, name: group.name, items: group.count)
    }
}

extension CatalogQuery.Filter {
    init(_ filter: BrowseFilter) {
        self =
            switch filter {
            case .genre(let name): .genre(name)
            case .tag(let name): .tag(name)
            case .series(let name): .series(name)
            case .author(let name): .author(name)
            case .narrator(let name): .narrator(name)
            case .collection(let name): .collection(name)
            case .inProgress: .inProgress
            case .finished: .finished
            case .notStarted: .notStarted
            }
    }
}
