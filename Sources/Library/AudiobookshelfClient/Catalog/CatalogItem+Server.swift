// SPDX-License-Identifier: Apache-2.0

public import LibraryStore

extension CatalogLibrary {
    public init(_ library: ServerLibrary, account: String) {
        self.init(
            account: account, id: library.id, name: library.name, kind: library.kind == .book ? .book : .podcast,
            order: library.order)
    }
}

extension CatalogItem {
    /// Creates the item of a list.
    ///
    /// - Parameter library: The library that was asked for, since not every list says it.
    public init(_ item: ServerItem, account: String, library: String) {
        self.init(
            account: account, library: item.library ?? library, id: item.id, kind: item.book == nil ? .podcast : .book,
            title: item.title)
        bytes = item.bytes
        isMissing = item.isMissing || item.isInvalid
        hasCover = item.hasCover
        (addedAt, updatedAt) = (item.addedAt, item.updatedAt)
        author = item.author
        sortAuthor = author
        switch item.media {
        case .book(let book):
            sortTitle = book.sortTitle ?? title
            subtitle = book.subtitle
            sortAuthor = book.sortAuthor ?? author
            narrator = book.narrator
            series = book.seriesText
            description = book.description
            year = book.year
            language = book.language
            (genres, tags) = (book.genres, book.tags)
            authors = book.authors.isEmpty ? Self.names(book.author) : book.authors.map(\.name)
            seconds = book.seconds
            files = book.trackCount
        case .podcast(let podcast):
            sortTitle = podcast.sortTitle ?? title
            description = podcast.description
            language = podcast.language
            (genres, tags) = (podcast.genres, podcast.tags)
            authors = author.map { [$0] } ?? []
            episodes = podcast.episodeCount
        }
    }

    /// Returns the names in a text like `One Name, Another`.
    private static func names(_ text: String?) -> [String] {
        (text ?? "").split(separator: ", ").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
    }
}

extension CatalogEpisode {
    public init(_ episode: ServerEpisode, account: String, item: String) {
        self.init(
            account: account, item: item, id: episode.id,
            title: episode.title ?? episode.audioFile?.path.name ?? episode.id)
        subtitle = episode.subtitle
        description = episode.description
        (season, number, kind) = (episode.season, episode.number, episode.kind)
        (publishedAt, addedAt, updatedAt) = (episode.publishedAt, episode.addedAt, episode.updatedAt)
        (seconds, bytes) = (episode.seconds, episode.bytes)
        podcast = episode.podcastTitle
    }
}

extension CatalogProgress {
    /// Creates the place of an item that is known to the server, or nothing.
    public init?(_ progress: ServerMediaProgress) {
        guard let item = progress.item else { return nil }
        self.init(
            item: item, episode: progress.episode, seconds: progress.currentTime.map { max(0, $0) },
            duration: progress.duration, isFinished: progress.isFinished, isHidden: progress.isHidden,
            updatedAt: progress.lastUpdate)
    }
}

extension CatalogGroup {
    public init(_ series: ServerSeries, account: String, library: String) {
        self.init(
            account: account, library: library, kind: .series, id: series.id, name: series.name,
            sortName: series.sortName, description: series.description, count: Int64(series.items.count),
            updatedAt: series.updatedAt,
            members: series.items.map { item in
                let sequence = item.sequence ?? item.book?.series.first { $0.id == series.id }?.sequence
                return Member(item: item.id, sequence: sequence)
            })
    }

    public init(_ author: ServerAuthor, account: String, library: String) {
        self.init(
            account: account, library: library, kind: .author, id: author.id, name: author.name,
            sortName: author.sortName, description: author.description, count: author.bookCount ?? 0,
            updatedAt: author.updatedAt)
    }

    public init(_ collection: ServerCollection, account: String, library: String) {
        self.init(
            account: account, library: library, kind: .collection, id: collection.id, name: collection.name,
            description: collection.description, count: Int64(collection.items.count),
            updatedAt: collection.updatedAt, members: collection.items.map { Member(item: $0.id) })
    }
}
