// SPDX-License-Identifier: Apache-2.0

/// Keeps the books of the library.
///
/// Calls are carried out like those of a ``PlaceStore``; each change is one transaction.
public protocol BookStore: Sendable {
    func book(id: String) async throws(PlaceStoreError) -> Book?

    /// Returns the book that is played as `uri` now.
    func book(uri: String) async throws(PlaceStoreError) -> Book?

    /// Returns the book that was at `uri` before it was moved; `nil` if none was.
    func formerBook(uri: String) async throws(PlaceStoreError) -> Book?

    /// Forgets the books that were moved away from `uri`: they have no claim any more to what is there now.
    func forgetFormer(uri: String) async throws(PlaceStoreError)

    /// Returns the books that have a file with this content, the most recently played one first.
    func books(with fingerprint: Fingerprint) async throws(PlaceStoreError) -> [Book]

    /// Returns books sorted by title, then id.
    ///
    /// - Parameter after: the id of the last known book; `nil` starts at the first one.
    func books(after: String?, offset: Int, limit: Int) async throws(PlaceStoreError) -> [BookSummary]

    /// Returns the entry of the list for the book that is played as `uri` now.
    func summary(uri: String) async throws(PlaceStoreError) -> BookSummary?

    /// Returns the URIs of the books in the same folder as `uri`, of which a file is there; lists are in no folder.
    ///
    /// - Parameter uri: The URI of a file or folder; any other URI is in no folder.
    func books(beside uri: String) async throws(PlaceStoreError) -> [String]

    /// Returns the books that are the folder `uri` or in it; a list is in no folder.
    func books(in uri: String) async throws(PlaceStoreError) -> [BookLocation]

    /// Returns what the library knows about `uri`, in one look-up; called for every play.
    func whereabouts(of uri: String) async throws(PlaceStoreError) -> BookWhereabouts

    func bookCount() async throws(PlaceStoreError) -> Int

    /// Adds a book, or replaces the one with this URI, which keeps its id.
    ///
    /// - Returns: the id of the book.
    func add(_ book: Book) async throws(PlaceStoreError) -> String

    /// Applies a reconciliation to a book: its files, track numbers, and location.
    ///
    /// Everything that is kept by its URI (places, last items, jumps, spans) moves with it, in the same transaction.
    func move(_ id: String, to reconciliation: BookReconciliation) async throws(PlaceStoreError)

    /// Removes a book; its places stay.
    ///
    /// - Returns: `false` if there is no such book.
    func remove(_ id: String) async throws(PlaceStoreError) -> Bool

    /// Returns the sources that were added, in order; a rescan looks there again.
    func sources() async throws(PlaceStoreError) -> [BookSource]

    func addSource(_ source: BookSource) async throws(PlaceStoreError)
}

/// The location of a book of the library.
public struct BookLocation: Sendable, Hashable {
    public var id: String
    public var uri: String
    /// `true` if one of its files was there at the last look.
    public var isThere: Bool

    public init(id: String, uri: String, isThere: Bool) {
        self.id = id
        self.uri = uri
        self.isThere = isThere
    }
}

/// The knowledge of the library about a URI.
public enum BookWhereabouts: Sendable, Hashable {
    case emptyLibrary
    case unknown
    /// The URI belongs to a book, now or before it was moved.
    case book(Book)
}

/// A source that the user added to the library.
public struct BookSource: Sendable, Hashable {
    /// Absolute paths; several paths are one book of these files in this order.
    public var items: [String]

    public init(items: [String]) { self.items = items }
}
