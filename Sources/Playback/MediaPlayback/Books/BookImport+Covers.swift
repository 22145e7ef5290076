// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The picture for a book: one beside its files, which is the user's choice, or else one embedded in them.
extension BookImport {
    /// Returns whether an embedded picture is needed.
    ///
    /// - Parameter beside: the picture beside the book's files, or the one that was kept for it before.
    func wantsPicture(_ beside: String?) -> Bool {
        guard let covers else { return false }
        return beside.map { covers.keeps($0) } ?? true
    }

    /// Returns the book with its cover, after its files were searched.
    ///
    /// A picture that cannot be read or kept costs the book nothing but its cover, and is reported.
    func covered(_ book: Book, by picture: EmbeddedPicture) async -> Book {
        guard let covers, picture != .notAsked else { return book }
        var book = book
        let before = book.cover.flatMap { covers.keeps($0) ? $0 : nil }
        book.cover = before
        book.isPictureKnown = false
        switch picture {
        case .notAsked: break
        case .absent:
            // The picture may be in a file that is not there now.
            if book.missing == 0 { book.cover = nil }
            book.isPictureKnown = true
        case .unknown(let why):
            report(.problem("“\(book.title)”: cannot tell whether it contains a picture: \(why)"))
        case .found(let picture):
            do throws(PlaceStoreError) {
                book.cover = try await covers.keep(picture)
                book.isPictureKnown = true
            } catch {
                report(.problem("the picture in “\(book.title)” is not kept: \(error.message)"))
            }
        }
        return book
    }

    /// Looks for a picture of an unchanged book that was never searched for one, or whose search did not finish.
    ///
    /// - Returns: whether the book has one now.
    func lookForPicture(of book: Book, beside: String?) async throws(PlaybackError) -> Bool {
        guard !book.isPictureKnown, book.cover == nil, wantsPicture(beside) else { return false }
        let files = book.tracks.filter { !$0.isMissing && $0.codec != BookTrack.unreadable }.map(\.file.uri)
        guard !files.isEmpty else { return false }
        let picture: EmbeddedPicture
        do throws(PlaybackError) {
            picture = try await self.picture(ItemRequest(items: files, extensions: extensions))
        } catch {
            try check(error)
            picture = .unknown(error.message)
        }
        if Task.isCancelled { return false }
        let covered = await covered(book, by: picture)
        guard covered.isPictureKnown else { return false }
        _ = try await store { () throws(PlaceStoreError) in try await books.add(covered) }
        return covered.cover != nil
    }
}
