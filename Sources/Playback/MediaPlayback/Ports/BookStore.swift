// SPDX-License-Identifier: Apache-2.0

/// Keeps the books of the library.
///
/// Calls are carried out like those of a ``PlaceStore``; each change is one transaction.
public protocol BookStore: Sendable {
    func book(id: String) async throws(PlaceStoreError) -> Book?

    /// The book that is played as `uri` now.
    func book(uri: String) async throws(PlaceStoreError) -> Book?

    /// Whether `uri` is where a book was before it was moved; nil: it was not.
    func formerBook(uri: String) async throws(PlaceStoreError) -> Book?

    /// Nothing was ever at this URI but what is there now: a book that was moved away has no claim to it any more.
    func forgetFormer(uri: String) async throws(PlaceStoreError)

    /// Books that have a file of this content; the one that was played last comes first.
    func books(with fingerprint: Fingerprint) async throws(PlaceStoreError) -> [Book]

    /// By title, then id.
    ///
    /// - Parameter after: the id of the last one that is known; nil: from the first.
    func books(after: String?, offset: Int, limit: Int) async throws(PlaceStoreError) -> [BookSummary]

    /// For every play: one look.
    func whereabouts(of uri: String) async throws(PlaceStoreError) -> BookWhereabouts

    func bookCount() async throws(PlaceStoreError) -> Int

    /// Adds a book, or replaces the one with this URI, which keeps its id.
    ///
    /// - Returns: its id.
    func add(_ book: Book) async throws(PlaceStoreError) -> String

    /// The book is now what `reconciliation` says: files, numbers of tracks, and where it is.
    ///
    /// Everything that is kept by its URI (places, last items, jumps, spans) goes with it, in the same transaction.
    func move(_ id: String, to reconciliation: BookReconciliation) async throws(PlaceStoreError)

    /// Places stay.
    ///
    /// - Returns: false: there is no such book.
    func remove(_ id: String) async throws(PlaceStoreError) -> Bool

    /// What was named to be added, in order: a rescan looks there again.
    func sources() async throws(PlaceStoreError) -> [BookSource]

    func addSource(_ source: BookSource) async throws(PlaceStoreError)
}

/// What the library knows of a URI.
public enum BookWhereabouts: Sendable, Hashable {
    case emptyLibrary
    case unknown
    /// A book is played as this, or was before it was moved.
    case book(Book)
}

/// What the listener named to be added to the library.
public struct BookSource: Sendable, Hashable {
    /// Absolute paths; more than one: one book of these files in this order.
    public var items: [String]

    public init(items: [String]) { self.items = items }
}
