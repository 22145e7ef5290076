// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// A book as the file system has it.
public struct BookPlan: Sendable, Hashable {
    /// What playing it is known by.
    public var uri: String
    public var shape: BookShape
    /// Of its folder or file; tags may know better.
    public var title: String
    /// Path of a picture beside its files.
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

/// What is there to be added.
public struct BookScan: Sendable, Hashable {
    public var plans: [BookPlan]
    /// What was left out and why, one line each.
    public var notes: [String]

    public init(plans: [BookPlan], notes: [String]) {
        self.plans = plans
        self.notes = notes
    }
}

/// Looks for books in the file system; opens nothing but to take fingerprints.
///
/// Never blocks the caller's thread. What takes long ends soon after the caller's task is cancelled.
public protocol BookScanning: Sendable {
    /// - Parameters:
    ///   - extensions: of audio; lower case, without the dot.
    ///   - found: so many books so far.
    func scan(
        _ source: BookSource, extensions: Set<String>, found: @escaping @Sendable (Int) -> Void
    ) async throws(ItemError) -> BookScan

    /// What is there now of a book; throws `missing` or `empty` if nothing is.
    func plan(of book: Book, extensions: Set<String>) async throws(ItemError) -> BookPlan

    /// As they are now; nil: not there.
    func files(_ uris: [String]) async -> [BookFile?]

    /// nil: it cannot be read.
    func fingerprints(of files: [BookFile]) async -> [Fingerprint?]

    /// Looks for a book that is not where it was: for files of its sizes and content.
    ///
    /// - Returns: where it seems to be now; to be compared with the book.
    func search(_ sources: [BookSource], for book: Book, extensions: Set<String>) async -> [BookPlan]

    /// By which an item is known that is a path or a file URL; nil: it is none.
    func uri(of item: String) -> String?
}
