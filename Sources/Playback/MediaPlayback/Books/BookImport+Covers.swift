// SPDX-License-Identifier: Apache-2.0

/// Which picture stands for a book: one beside its files, which is the listener's choice; else one inside of them.
extension BookImport {
    /// - Parameter beside: what lies beside the book's files, or was kept for it before.
    func wantsPicture(_ beside: String?) -> Bool {
        guard let covers else { return false }
        return beside.map { covers.keeps($0) } ?? true
    }

    /// The path of a book's cover, now that its files were looked into.
    ///
    /// A picture that cannot be read or kept costs the book nothing but its cover, and is said.
    func cover(of book: Book, _ picture: EmbeddedPicture) async -> String? {
        let before = book.cover.flatMap { covers?.keeps($0) == true ? $0 : nil }
        switch picture {
        case .notAsked: return book.cover
        // It may be in a file that is not there now.
        case .absent: return book.missing > 0 ? before : nil
        case .unknown(let why):
            report(.problem("“\(book.title)”: whether there is a picture in it is not known: \(why)"))
            return before
        case .found(let picture):
            guard let covers else { return book.cover }
            do throws(PlaceStoreError) {
                return try await covers.keep(picture)
            } catch {
                report(.problem("the picture in “\(book.title)” is not kept: \(error.message)"))
                return before
            }
        }
    }
}
