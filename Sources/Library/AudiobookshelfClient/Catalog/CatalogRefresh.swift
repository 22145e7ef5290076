// SPDX-License-Identifier: Apache-2.0

public import LibraryStore
public import MediaPlayback

/// The reason why what a server has could not be taken over.
public enum CatalogRefreshError: Error, Sendable, Hashable {
    case server(ServerRequestError)
    case store(PlaceStoreError)
    /// A library has more than is read.
    case tooLarge(String)
    case cancelled

    /// One line for a person.
    public var message: String {
        switch self {
        case .server(let error): error.message
        case .store(let error): error.message
        case .tooLarge(let name): "\(name) has more than \(CatalogRefresh.mostItems) items; what was read is kept"
        case .cancelled: "ended before everything was read"
        }
    }
}

/// One look at what a server has, page by page.
///
/// Each page is one transaction, so a look that ends early leaves what it has read. What was not seen is removed only
/// after a look at everything, during which the server named the same number of items all the time.
public struct CatalogRefresh: Sendable {
    /// The items of one page.
    static let pageSize = 200
    /// The items of a library that are read at most.
    static let mostItems = 200_000

    /// How far a look is.
    public struct Step: Sendable, Hashable {
        public var library: String
        public var done: Int
        public var total: Int?
    }

    private let server: any ServerExchange
    private let store: any CatalogStore
    private let account: String
    /// Returns the time in milliseconds since 1970.
    private let now: @Sendable () -> Int64
    private let report: @Sendable (Step) -> Void

    public init(
        account: String, server: any ServerExchange, store: any CatalogStore, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (Step) -> Void = { _ in }
    ) {
        self.account = account
        self.server = server
        self.store = store
        self.now = now
        self.report = report
    }

    /// Takes over the libraries, the places of the user, and what is in the libraries.
    ///
    /// - Parameter only: The library to look at, or `nil` for all.
    public func run(only: String? = nil) async throws(CatalogRefreshError) {
        let libraries = try await readLibraries()
        try await readProgress()
        for library in libraries where only == nil || only == library.id {
            try await readItems(of: library)
            if library.kind == .book { try await readGroups(of: library) }
        }
    }

    /// Takes over the list of libraries, and returns it.
    @discardableResult
    public func readLibraries() async throws(CatalogRefreshError) -> [CatalogLibrary] {
        let answer: ServerLibraries = try await value(at: .libraries)
        let libraries = answer.libraries.map { CatalogLibrary($0, account: account) }
        try await save { store throws(PlaceStoreError) in try await store.keep(libraries, of: account) }
        return libraries
    }

    /// Takes over the places of the user.
    public func readProgress() async throws(CatalogRefreshError) {
        let user: UserAnswer = try await value(at: .me)
        let progress = user.progress.compactMap(CatalogProgress.init)
        try await save { store throws(PlaceStoreError) in try await store.keep(progress, of: account) }
    }

    /// Takes over one item with its episodes, and returns it as the server has it.
    @discardableResult
    public func readItem(_ id: String) async throws(CatalogRefreshError) -> ServerItem {
        let item: ServerItem = try await value(at: .item(id))
        // Without the library, which a list would give, the item stays as the list had it.
        guard let library = item.library else { return item }
        _ = try await save { store throws(PlaceStoreError) in
            try await store.keep([CatalogItem(item, account: account, library: library)])
        }
        try await keepEpisodes(of: item)
        return item
    }

    private func readItems(of library: CatalogLibrary) async throws(CatalogRefreshError) {
        var seen: Set<String> = []
        var first: Int64?
        var isSteady = true
        var page = 0
        while true {
            try checkCancellation()
            let answer: ServerItemPage = try await value(
                at: .items(of: library.id, page: page, limit: Self.pageSize, sort: .added))
            if page == 0 { first = answer.total }
            if answer.total != first { isSteady = false }
            let items = answer.items.map { CatalogItem($0, account: account, library: library.id) }
            let before = seen.count
            for item in items { seen.insert(item.id) }
            guard seen.count <= Self.mostItems else { throw .tooLarge(library.name) }
            let podcasts = try await save { store throws(PlaceStoreError) in try await store.keep(items) }
            report(Step(library: library.id, done: seen.count, total: answer.total.flatMap { Int(exactly: $0) }))
            for podcast in podcasts {
                try checkCancellation()
                try await readEpisodes(of: podcast)
            }
            // A server that sends the same page again and again must not be asked for ever.
            if answer.entries < Self.pageSize || seen.count == before { break }
            page += 1
        }
        // While items are added and removed, one can slip from page to page unseen.
        guard isSteady, first == nil || first == Int64(seen.count) else { return }
        try await save { [seen] store throws(PlaceStoreError) in
            try await store.finish(library.id, of: account, seen: seen, at: now())
        }
    }

    private func readEpisodes(of podcast: String) async throws(CatalogRefreshError) {
        let item: ServerItem
        do throws(CatalogRefreshError) {
            item = try await value(at: .item(podcast))
        } catch .server(.answer(let error)) where error.reason == .missing || error.reason == .forbidden {
            // It went in the meantime; the next look notices it.
            return
        }
        try await keepEpisodes(of: item)
    }

    private func keepEpisodes(of item: ServerItem) async throws(CatalogRefreshError) {
        guard let podcast = item.podcast else { return }
        let episodes = podcast.episodes.map { CatalogEpisode($0, account: account, item: item.id) }
        try await save { store throws(PlaceStoreError) in
            try await store.keep(episodes, of: item.id, account: account)
        }
    }

    private func readGroups(of library: CatalogLibrary) async throws(CatalogRefreshError) {
        let (account, id) = (account, library.id)
        try await readGroups(.series, of: id) { page throws(CatalogRefreshError) in
            let answer: ServerSeriesPage = try await value(at: .series(of: id, page: page, limit: Self.pageSize))
            return (answer.series.map { CatalogGroup($0, account: account, library: id) }, answer.entries)
        }
        try await readGroups(.author, of: id) { page throws(CatalogRefreshError) in
            let answer: ServerAuthorPage = try await value(at: .authors(of: id, page: page, limit: Self.pageSize))
            return (answer.authors.map { CatalogGroup($0, account: account, library: id) }, answer.entries)
        }
        try await readGroups(.collection, of: id) { page throws(CatalogRefreshError) in
            let answer: ServerCollectionPage = try await value(
                at: .collections(of: id, page: page, limit: Self.pageSize))
            return (answer.collections.map { CatalogGroup($0, account: account, library: id) }, answer.entries)
        }
    }

    /// Reads all pages of a kind of groups.
    ///
    /// - Parameter read: Returns the groups of a page, and the number of entries as they came.
    private func readGroups(
        _ kind: CatalogGroup.Kind, of library: String,
        read: (Int) async throws(CatalogRefreshError) -> ([CatalogGroup], Int)
    ) async throws(CatalogRefreshError) {
        var groups: [CatalogGroup] = []
        var seen: Set<String> = []
        var page = 0
        while true {
            try checkCancellation()
            let (more, entries) = try await read(page)
            let new = more.filter { seen.insert($0.id).inserted }
            groups += new
            guard groups.count <= Self.mostItems else { throw .tooLarge(library) }
            // Versions that know no pages of authors send all of them each time.
            if entries != Self.pageSize || new.isEmpty { break }
            page += 1
        }
        try await save { [groups] store throws(PlaceStoreError) in
            try await store.keep(groups, kind, of: library, account: account)
        }
    }

    private func value<Value: ServerValue>(at endpoint: ServerEndpoint) async throws(CatalogRefreshError) -> Value {
        do throws(ServerRequestError) {
            return try await server.value(at: endpoint)
        } catch {
            throw .server(error)
        }
    }

    private func save<Value>(
        _ body: (any CatalogStore) async throws(PlaceStoreError) -> Value
    ) async throws(CatalogRefreshError) -> Value {
        do throws(PlaceStoreError) {
            return try await body(store)
        } catch {
            throw .store(error)
        }
    }

    private func checkCancellation() throws(CatalogRefreshError) {
        if Task.isCancelled { throw .cancelled }
    }
}
