// SPDX-License-Identifier: Apache-2.0

public import LibraryStore

/// Looks at what servers have, at most once at a time for each account, and notes how that went.
public actor CatalogRefreshes {
    /// The milliseconds for which a complete look is new enough.
    public static let fresh: Int64 = 300_000
    /// The milliseconds for which the places of a user are new enough.
    static let freshPlaces: Int64 = 15_000


    private let accounts: any CatalogAccounts
    private let store: any CatalogStore
    private let now: @Sendable () -> Int64
    private var looks: [String: Task<Void, Never>] = [:]
    private var faults: [String: String] = [:]
    /// The times of the last attempts, by account.
    private var tried: [String: Int64] = [:]
    private var placesRead: [String: Int64] = [:]

    public init(accounts: any CatalogAccounts, store: any CatalogStore, now: @escaping @Sendable () -> Int64) {
        self.accounts = accounts
        self.store = store
        self.now = now
    }

    public func isRunning(_ account: String) -> Bool { looks[account] != nil }

    /// Returns the reason why the last look at an account's server ended early.
    public func fault(of account: String) -> String? { faults[account] }

    /// Starts a look at an account's server, unless one is going on or was a short time ago.
    ///
    /// - Parameter force: `true` to look again whenever the last look was.
    /// - Returns: The look that is going on, if there is one.
    @discardableResult
    public func start(_ account: String, force: Bool = false) -> Task<Void, Never>? {
        if let look = looks[account] { return look }
        let age = now() - (tried[account] ?? .min / 2)
        // A clock that was set back must not end the looks.
        guard force || age < 0 || age >= (faults[account] == nil ? Self.fresh : Self.fresh / 10) else { return nil }
        tried[account] = now()
        let task = Task(priority: .utility) { await self.look(account) }
        looks[account] = task
        return task
    }

    /// Takes over the places of an account's user, unless that was just done.
    public func readPlaces(of account: String) async {
        let age = now() - (placesRead[account] ?? .min / 2)
        guard looks[account] == nil, age < 0 || age >= Self.freshPlaces else { return }
        placesRead[account] = now()
        guard let refresh = await refresh(of: account) else { return }
        await note(account) { () async throws(CatalogRefreshError) in try await refresh.readProgress() }
    }

    /// Takes over one item, and returns `true` if the server gave it.
    public func readItem(_ id: String, of account: String) async -> Bool {
        guard let refresh = await refresh(of: account) else { return false }
        return await note(account) { () async throws(CatalogRefreshError) in try await refresh.readItem(id) }
    }

    /// Has the server search, takes over what it finds, and returns the IDs of that.
    public func search(_ words: String, in library: String, of account: String, limit: Int) async -> [String] {
        guard let server = await accounts.exchange(for: account),
            let found: ServerSearch = try? await server.value(at: .search(library, for: words, limit: limit))
        else { return [] }
        let items = found.items.map { CatalogItem($0, account: account, library: library) }
        _ = try? await store.keep(items)
        return items.map(\.id)
    }

    /// Ends all looks, and returns when they have ended.
    public func end() async {
        let ending = Array(looks.values)
        for task in ending { task.cancel() }
        for task in ending { await task.value }
    }

    private func look(_ account: String) async {
        if let refresh = await refresh(of: account) {
            placesRead[account] = now()
            await note(account) { () async throws(CatalogRefreshError) in try await refresh.run() }
        }
        looks[account] = nil
    }

    private func refresh(of account: String) async -> CatalogRefresh? {
        guard let server = await accounts.exchange(for: account) else { return nil }
        return CatalogRefresh(account: account, server: server, store: store, now: now)
    }

    /// Carries something out, and notes whether it succeeded.
    @discardableResult
    private func note(
        _ account: String, _ body: @Sendable () async throws(CatalogRefreshError) -> some Sendable
    ) async -> Bool {
        do throws(CatalogRefreshError) {
            _ = try await body()
            faults[account] = nil
            return true
        } catch {
            if error != .cancelled { faults[account] = error.message }
            return false
        }
    }
}
