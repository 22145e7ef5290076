// SPDX-License-Identifier: Apache-2.0

import BlockingCalls
import GRDB
public import MediaPlayback
import Synchronization

/// The pictures of the library, including those that no book names yet.
final class LibraryCovers: Sendable {
    private static let deadline = Duration.seconds(30)

    private let folder: CoverFolder
    /// Separate from the library's queue, so that a slow picture does not delay the save of a place.
    private let queue = BlockingQueue(label: "rostrum.covers")
    /// The paths that `keep` returned, whose books are not in the library yet.
    ///
    /// Reason for the lock: paths are added on `queue`, and removed on the library's queue.
    private let unnamed = Mutex<Set<String>>([])

    init(folder: CoverFolder) { self.folder = folder }

    func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String {
        let (folder, path) = (folder, folder.path)
        let outcome = await queue.run(within: Self.deadline) { [self] () -> Result<String, PlaceStoreError> in
            do throws(PlaceStoreError) {
                let file = try folder.file(of: picture)
                // Added before the write: from now on the picture stays, even if another book lets go of it.
                unnamed.withLock { _ = $0.insert(file) }
                do throws(PlaceStoreError) {
                    try folder.write(picture, to: file)
                } catch {
                    unnamed.withLock { _ = $0.remove(file) }
                    throw error
                }
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else {
            throw PlaceStoreError(.timedOut, "\(path) did not save a picture in time; check its disk")
        }
        return try outcome.get()
    }

    func keeps(_ path: String) -> Bool { folder.holds(path) }

    /// Notes that a book in the library has this picture as its cover.
    func isNamed(_ path: String?) {
        if let path { unnamed.withLock { _ = $0.remove(path) } }
    }

    /// Removes a picture that no book of the library names, unless a book that is being added will name it.
    func drop(_ path: String) {
        unnamed.withLock { unnamed in
            if !unnamed.contains(path) { folder.remove(path) }
        }
    }
}

extension LibraryStore: CoverStore {
    public func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String {
        try await covers.keep(picture)
    }

    public func keeps(_ path: String) -> Bool { covers.keeps(path) }

    /// Removes those pictures that no book names any more.
    ///
    /// If this fails, the pictures that are left over cost disk space and nothing else.
    func dropCovers(_ paths: [String?]) async {
        let kept = Set(paths.compactMap(\.self)).filter(covers.keeps)
        guard !kept.isEmpty else { return }
        try? await read(absent: ()) { [covers] db in
            for path in kept {
                let isNamed = try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM book WHERE cover = ?)", arguments: [path])
                if isNamed == false { covers.drop(path) }
            }
        }
    }
}
