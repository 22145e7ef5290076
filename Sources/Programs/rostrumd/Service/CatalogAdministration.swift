// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import LibraryStore
import MediaPlayback
import PlaybackCore
import SessionProtocol

/// The catalogue of servers: carries out `browse`.
///
/// It answers from the library and has the servers looked at beside that. Only what was never seen is waited for.
actor CatalogAdministration {
    /// The time for which the first look at a server is waited for.
    private static let patience = Duration.seconds(8)
    /// The time for which a server is waited for that only has to say what is new.
    private static let shortPatience = Duration.seconds(2)

    private let store: any CatalogStore
    private let accounts: any CatalogAccounts
    private let refreshes: CatalogRefreshes
    private let covers: CoverCache

    init(store: any CatalogStore, accounts: any CatalogAccounts, refreshes: CatalogRefreshes, covers: CoverCache) {
        self.store = store
        self.accounts = accounts
        self.refreshes = refreshes
        self.covers = covers
    }

    func perform(_ action: BrowseAction) async throws(PlaybackError) -> BrowsePage {
        var scope = try await scope(of: action)
        if let account = scope.account {
            scope = try await seen(account, action, scope)
        } else {
            // The libraries of all accounts.
            for account in scope.accounts {
                let look = await refreshes.start(account.id, force: action.action == .refresh)
                let isKnown = try await !read { () throws(PlaceStoreError) in
                    try await store.libraries(of: account.id)
                }.isEmpty
                if let look, !isKnown || action.action == .refresh {
                    await Self.wait(for: look, action.action == .refresh ? .seconds(600) : Self.patience)
                }
            }
        }
        var page = try await page(of: action, scope)
        page.account = page.account ?? scope.account?.id
        page.library = page.library ?? scope.library?.id
        let concerned = scope.account.map { [$0] } ?? scope.accounts
        for account in concerned {
            if await refreshes.isRunning(account.id) { page.isRefreshing = true }
            if let fault = await refreshes.fault(of: account.id) {
                page.fault = page.fault ?? "\(account.name): \(fault)"
            }
        }
        return page
    }

    /// Returns items with the identity of an item of a server in place of the beginning of its ID.
    ///
    /// - Parameter books: The books of the library, which come first.
    func addresses(in items: [String], besides books: LibraryAdministration) async -> [String] {
        let scheme = "library:"
        var addresses: [String] = []
        for item in items {
            let id = String(item.dropFirst(scheme.count))
            guard item.hasPrefix(scheme), await !books.has(id), let uri = await uri(of: id) else {
                addresses.append(item)
                continue
            }
            addresses.append(uri)
        }
        return addresses
    }

    private func uri(of id: String) async -> String? {
        if let item = try? await store.item(id, of: nil) {
            return ServerItemName(account: item.account, item: item.id).uri
        }
        guard let episode = try? await store.episode(id, of: nil) else { return nil }
        return ServerItemName(account: episode.account, item: episode.item, episode: episode.id).uri
    }

    /// Ends the looks at servers.
    func end() async { await refreshes.end() }

    // MARK: Names

    /// The accounts and libraries that an action is about.
    private struct Scope {
        var accounts: [CatalogAccount]
        /// The account that was named, or the only one.
        var account: CatalogAccount?
        var libraries: [CatalogLibrary] = []
        var library: CatalogLibrary?
        /// The name of a library, which may be known only after a look.
        var libraryName: String?
    }

    private func scope(of action: BrowseAction) async throws(PlaybackError) -> Scope {
        let known = await accounts.accounts()
        guard !known.isEmpty else {
            throw PlaybackError(.unavailable, message: "there is no server; add one with `rostrum server add URL`")
        }
        var scope = Scope(accounts: known, account: known.count == 1 ? known.first : nil)
        scope.libraryName = action.library
        if let name = action.server {
            let named = known.filter { $0.isNamed(name) }
            if named.count == 1 {
                scope.account = named.first
            } else if named.isEmpty, action.library == nil {
                // With one word, it may be a library.
                scope.libraryName = name
                let all = try await read { () throws(PlaceStoreError) in try await store.libraries(of: nil) }
                let holding = Set(all.filter { Self.isNamed($0, name) }.map(\.account))
                if holding.count == 1 { scope.account = known.first { holding.contains($0.id) } }
                if scope.account == nil { throw noSuchServer(name, known) }
            } else {
                throw named.isEmpty ? noSuchServer(name, known) : ambiguous(known)
            }
        }
        if let id = action.id, let name = ServerItemName(id),
            let account = known.first(where: { $0.isNamed(name.account) })
        {
            scope.account = account
        }
        switch action.action {
        case .libraries, .refresh, .show: break
        case .items, .progress, .episodes, .series, .authors, .collections:
            if scope.account == nil { throw ambiguous(known) }
        }
        return scope
    }

    private func noSuchServer(_ name: String, _ known: [CatalogAccount]) -> PlaybackError {
        let names = known.map(\.name).joined(separator: ", ")
        return PlaybackError(.noInput, message: "no such server or library: \(name); there are \(names)")
    }

    private func ambiguous(_ known: [CatalogAccount]) -> PlaybackError {
        PlaybackError(.usage, message: "name one of the servers: \(known.map(\.name).joined(separator: ", "))")
    }

    private static func isNamed(_ library: CatalogLibrary, _ name: String) -> Bool {
        library.id == name || library.name.lowercased() == name.lowercased()
    }

    // MARK: Looks

    /// Sees to it that what is asked for was seen, and says which library is meant.
    private func seen(
        _ account: CatalogAccount, _ action: BrowseAction, _ scope: Scope
    ) async throws(PlaybackError) -> Scope {
        var scope = scope
        let isForced = action.action == .refresh
        let look = await refreshes.start(account.id, force: isForced)
        try await find(&scope, account)
        if let look {
            let isNew =
                scope.libraries.isEmpty || scope.library.map { $0.refreshedAt == nil } == true
                || scope.libraries.allSatisfy { $0.refreshedAt == nil }
                || (scope.libraryName != nil && scope.library == nil)
            if isForced || isNew {
                await Self.wait(for: look, isForced ? .seconds(600) : Self.patience)
                try await find(&scope, account)
            }
        }
        if let name = scope.libraryName, scope.library == nil {
            let names = scope.libraries.map(\.name).joined(separator: ", ")
            if let fault = await refreshes.fault(of: account.id), scope.libraries.isEmpty {
                throw PlaybackError(.io, message: "\(account.name): \(fault)")
            }
            throw PlaybackError(.noInput, message: "no such library on \(account.name): \(name); there are \(names)")
        }
        if action.action == .progress {
            let places = Task { await refreshes.readPlaces(of: account.id) }
            await Self.wait(for: places, Self.shortPatience)
        }
        return scope
    }

    private func find(_ scope: inout Scope, _ account: CatalogAccount) async throws(PlaybackError) {
        let libraries = try await read { () throws(PlaceStoreError) in try await store.libraries(of: account.id) }
        scope.libraries = libraries
        if let name = scope.libraryName {
            scope.library = libraries.first { Self.isNamed($0, name) }
        } else if libraries.count == 1 {
            scope.library = libraries.first
        }
    }

    /// Waits for a task for a time at most.
    private static func wait(for task: Task<Void, Never>, _ limit: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            await task.value
            end.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            end.finish()
        }
        for await _ in ends {}
        timer.cancel()
        waiting.cancel()
    }

    // MARK: Pages

    private func page(of action: BrowseAction, _ scope: Scope) async throws(PlaybackError) -> BrowsePage {
        let (offset, limit) = (action.offset ?? 0, action.limit ?? BrowseAction.usual)
        var page = BrowsePage(offset: offset)
        let times = scope.library.map { [$0.refreshedAt] } ?? scope.libraries.map(\.refreshedAt)
        page.refreshedAt = times.contains(nil) ? nil : times.compactMap(\.self).min()
        guard let account = scope.account else {
            if action.action == .show { return try await shown(action, nil, page) }
            let known = Set(scope.accounts.map(\.id))
            let all = try await read { () throws(PlaceStoreError) in try await store.libraries(of: nil) }
                .filter { known.contains($0.account) }
            page.refreshedAt = all.contains { $0.refreshedAt == nil } ? nil : all.compactMap(\.refreshedAt).min()
            (page.libraries, page.total) = (all.map { BrowseLibrary($0, of: scope.accounts) }, all.count)
            return page
        }
        switch action.action {
        case .libraries, .refresh:
            page.libraries = scope.libraries.map { BrowseLibrary($0, of: [account]) }
            page.total = page.libraries.count
        case .items: try await fillItems(&page, action, account.id, scope.library?.id)
        case .progress:
            var query = CatalogQuery(
                account: account.id, library: scope.library?.id, filters: [.inProgress, .book], sort: .progress,
                isReversed: action.reverse ?? false, offset: offset, limit: limit)
            query.words = action.searched
            let books = try await read { () throws(PlaceStoreError) in try await store.items(query) }
            let episodes = try await read { () throws(PlaceStoreError) in
                try await store.episodesInProgress(
                    account: account.id, library: scope.library?.id, offset: offset, limit: limit)
            }
            page.items = books.entries.map { BrowseItem($0) }
            page.episodes = episodes.entries.map { BrowseEpisode($0) }
            page.total = books.total + episodes.total
        case .episodes:
            let podcast = try await podcast(action.id, account.id)
            let found = try await read { () throws(PlaceStoreError) in
                try await store.episodes(
                    of: podcast, account: account.id, library: podcast == nil ? scope.library?.id : nil,
                    words: action.searched, offset: offset, limit: limit)
            }
            (page.episodes, page.total) = (found.entries.map { BrowseEpisode($0) }, found.total)
        case .series, .authors, .collections:
            let kind: CatalogGroup.Kind =
                action.action == .series ? .series : action.action == .authors ? .author : .collection
            let found = try await read { () throws(PlaceStoreError) in
                try await store.groups(
                    kind, of: scope.library?.id, account: account.id, offset: offset, limit: limit)
            }
            (page.groups, page.total) = (found.entries.map { BrowseGroup($0) }, found.total)
        case .show: page = try await shown(action, account.id, page)
        }
        return page
    }

    private func fillItems(
        _ page: inout BrowsePage, _ action: BrowseAction, _ account: String, _ library: String?
    ) async throws(PlaybackError) {
        var filters: [CatalogQuery.Filter] = []
        for text in action.filters ?? [] {
            do throws(SessionError) {
                filters.append(CatalogQuery.Filter(try BrowseFilter(text)))
            } catch {
                throw PlaybackError(.usage, message: error.message)
            }
        }
        let isOfGroup = filters.contains {
            if case .series = $0 { true } else if case .collection = $0 { true } else { false }
        }
        let sort = action.sort.flatMap(CatalogQuery.Sort.init) ?? (isOfGroup ? .sequence : .title)
        let query = CatalogQuery(
            account: account, library: library, filters: filters, sort: sort, isReversed: action.reverse ?? false,
            words: action.searched, offset: action.offset ?? 0, limit: action.limit ?? BrowseAction.usual,
            seed: action.seed ?? 0)
        var extra: [CatalogItem] = []
        if let words = action.searched, let library, filters.isEmpty, query.offset == 0 {
            extra = try await serverSearch(words, library, account, query.limit)
        }
        let found = try await read { () throws(PlaceStoreError) in try await store.items(query) }
        let known = Set(found.entries.map(\.id))
        // The server finds words within words, too.
        extra = found.entries.count < query.limit ? extra.filter { !known.contains($0.id) } : []
        page.items = (found.entries + extra).prefix(query.limit).map { BrowseItem($0) }
        page.total = found.total + extra.count
    }

    private func serverSearch(
        _ words: String, _ library: String, _ account: String, _ limit: Int
    ) async throws(PlaybackError) -> [CatalogItem] {
        // A server that did not answer lately would only be waited for.
        guard await refreshes.fault(of: account) == nil else { return [] }
        let refreshes = refreshes
        let search = Task { await refreshes.search(words, in: library, of: account, limit: min(limit, 50)) }
        await Self.wait(for: Task { _ = await search.value }, Self.shortPatience)
        search.cancel()
        var items: [CatalogItem] = []
        for id in await search.value {
            let item = try await read { () throws(PlaceStoreError) in try await store.item(id, of: account) }
            if let item { items.append(item) }
        }
        return items
    }

    private func podcast(_ id: String?, _ account: String) async throws(PlaybackError) -> String? {
        guard let id else { return nil }
        let name = ServerItemName(id)?.item ?? id
        let item = try await read { () throws(PlaceStoreError) in try await store.item(name, of: account) }
        guard let item else { throw noSuchItem(id) }
        return item.id
    }

    private func shown(
        _ action: BrowseAction, _ account: String?, _ page: BrowsePage
    ) async throws(PlaybackError) -> BrowsePage {
        var page = page
        let given = action.id ?? ""
        let name = ServerItemName(given)
        let episodeID = name == nil ? given : name?.episode
        if name?.episode == nil {
            let id = name?.item ?? given
            let item = try await read { () throws(PlaceStoreError) in try await store.item(id, of: account) }
            if let item {
                let refreshes = refreshes
                let look = Task { _ = await refreshes.readItem(item.id, of: item.account) }
                await Self.wait(for: look, Self.shortPatience)
                let newest = try await read { () throws(PlaceStoreError) in
                    try await store.item(item.id, of: item.account)
                }
                var shown = BrowseItem(newest ?? item, withDescription: true)
                shown.cover = await cover(of: newest ?? item)
                (page.items, page.total) = ([shown], 1)
                (page.account, page.library) = (item.account, item.library)
                return page
            }
        }
        if let episodeID {
            let episode = try await read { () throws(PlaceStoreError) in
                try await store.episode(episodeID, of: account)
            }
            if let episode {
                (page.episodes, page.total) = ([BrowseEpisode(episode, withDescription: true)], 1)
                page.account = episode.account
                return page
            }
        }
        throw noSuchItem(given)
    }

    private func cover(of item: CatalogItem) async -> String? {
        guard item.hasCover else { return nil }
        let server = await accounts.exchange(for: item.account)
        return await covers.picture(
            of: item.id, account: item.account, updatedAt: item.updatedAt ?? 0, from: server)
    }

    private func noSuchItem(_ id: String) -> PlaybackError {
        PlaybackError(
            .noInput, message: "no such item, or several begin so: \(id); `rostrum browse` lists what there is")
    }

    private func read<Value>(_ body: () async throws(PlaceStoreError) -> Value) async throws(PlaybackError) -> Value {
        do throws(PlaceStoreError) {
            return try await body()
        } catch {
            throw PlaybackError(.io, message: error.message)
        }
    }
}

extension BrowseAction {
    /// All words in one text, or `nil` if there are none.
    fileprivate var searched: String? { words.flatMap { $0.isEmpty ? nil : $0.joined(separator: " ") } }
}
