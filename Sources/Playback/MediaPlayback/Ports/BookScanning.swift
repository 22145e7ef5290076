// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// A book as it is in the file system.
public struct BookPlan: Sendable, Hashable {
    /// The URI by which playback knows the book.
    public var uri: String
    public var shape: BookShape
    /// The title of its folder or file; tags may know better.
    public var title: String
    /// The path of a picture beside its files.
    public var cover: String?
    public var files: [BookFile]

    public init(uri: String, shape: BookShape, title: String, cover: String?, files: [BookFile]) {
        self.uri = uri
        self.shape = shape
        self.title = title
        self.cover = cover
        self.files = files
    }
}

/// The result of a scan: the books that can be added.
public struct BookScan: Sendable, Hashable {
    public var plans: [BookPlan]
    /// One line for everything that was left out, with the reason.
    public var notes: [String]

    public init(plans: [BookPlan], notes: [String]) {
        self.plans = plans
        self.notes = notes
    }
}

/// Looks for books in the file system; opens files only to take fingerprints.
///
/// Never blocks the caller's thread. Long work ends soon after the caller's task is cancelled.
public protocol BookScanning: Sendable {
    /// Scans a source for books.
    ///
    /// - Parameters:
    ///   - source: the files and folders to look in.
    ///   - extensions: the extensions of audio files; lower case, without the dot.
    ///   - found: called with the number of books found so far.
    func scan(
        _ source: BookSource, extensions: Set<String>, found: @escaping @Sendable (Int) -> Void
    ) async throws(ItemError) -> BookScan

    /// Returns the current state of a book; throws `missing` or `empty` if nothing is there.
    func plan(of book: Book, extensions: Set<String>) async throws(ItemError) -> BookPlan

    /// Returns the files as they are now; `nil` for a file that is not there.
    func files(_ uris: [String]) async -> [BookFile?]

    /// Returns the fingerprints of files; `nil` for a file that cannot be read.
    func fingerprints(of files: [BookFile]) async -> [Fingerprint?]

    /// Looks for a book that is not where it was, by the sizes and content of its files.
    ///
    /// - Returns: the places where it may be now, to be compared with the book.
    func search(_ sources: [BookSource], for book: Book, extensions: Set<String>) async -> [BookPlan]

    /// Returns the URI of an item that is a path or a file URL; `nil` if it is neither.
    func uri(of item: String) -> String?
}
