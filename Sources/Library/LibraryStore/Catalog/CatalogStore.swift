// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

/// The places where what servers have is kept, so that it can be browsed without them.
public protocol CatalogStore: Sendable {
    /// Takes over the libraries of an account, and removes those that it has no more, with all that is in them.
    func keep(_ libraries: [CatalogLibrary], of account: String) async throws(PlaceStoreError)

    /// Takes over a page of a library's items; rows that have not changed are not written.
    ///
    /// - Returns: The podcasts whose episodes may have changed.
    func keep(_ items: [CatalogItem]) async throws(PlaceStoreError) -> [String]

    /// Takes over all episodes of a podcast, and removes those that it has no more.
    func keep(_ episodes: [CatalogEpisode], of item: String, account: String) async throws(PlaceStoreError)

    /// Takes over all groups of a kind of a library, and removes those that it has no more.
    func keep(
        _ groups: [CatalogGroup], _ kind: CatalogGroup.Kind, of library: String, account: String
    ) async throws(PlaceStoreError)

    /// Takes over the places of a user, and removes those that are gone.
    func keep(_ progress: [CatalogProgress], of account: String) async throws(PlaceStoreError)

    /// Ends a look at all items of a library: removes those that were not seen, and notes the time.
    func finish(
        _ library: String, of account: String, seen: Set<String>, at time: Int64
    ) async throws(PlaceStoreError)

    /// Removes everything of an account.
    func forget(account: String) async throws(PlaceStoreError)

    /// Returns the libraries of an account, or of all, in the server's order.
    func libraries(of account: String?) async throws(PlaceStoreError) -> [CatalogLibrary]

    func items(_ query: CatalogQuery) async throws(PlaceStoreError) -> CatalogPage<CatalogItem>

    /// Returns an item by its ID or by the beginning of it, if no other begins so.
    func item(_ id: String, of account: String?) async throws(PlaceStoreError) -> CatalogItem?

    /// Returns the episodes of a podcast, or of a library, newest first.
    ///
    /// - Parameters:
    ///   - item: The podcast, or `nil` for all of the account.
    ///   - words: Words that must all be in the title.
    func episodes(
        of item: String?, account: String, library: String?, words: String?, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogEpisode>

    /// Returns the episodes that were begun and are not finished, what was heard last first.
    func episodesInProgress(
        account: String, library: String?, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogEpisode>

    /// Returns an episode by its ID or by the beginning of it.
    func episode(_ id: String, of account: String?) async throws(PlaceStoreError) -> CatalogEpisode?

    /// Returns the series, authors or collections of a library by their names.
    func groups(
        _ kind: CatalogGroup.Kind, of library: String?, account: String, offset: Int, limit: Int
    ) async throws(PlaceStoreError) -> CatalogPage<CatalogGroup>
}
