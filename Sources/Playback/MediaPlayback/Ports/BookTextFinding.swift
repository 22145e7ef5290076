// SPDX-License-Identifier: Apache-2.0

/// Finds the texts that lie beside books.
public protocol BookTextFinding: Sendable {
    /// Returns the URI of the document beside the files of a book that is its text, by its name; `nil` if none is.
    ///
    /// Never blocks the caller's thread, and answers within two seconds even if the file system does not.
    func text(beside book: Book) async -> String?

    /// Returns the URIs of such documents for many books, by the URI of the book.
    ///
    /// Answers within a fifth of a second, without what was not found by then.
    func texts(beside books: [BookSummary]) async -> [String: String]

    /// Returns the URI of the folder in which a file is; `nil` for what is no file.
    func folder(of uri: String) -> String?
}
