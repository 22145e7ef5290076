// SPDX-License-Identifier: Apache-2.0

import GRDB
public import MediaPlayback
import Synchronization

/// The pictures of the library, and which of them no book names yet.
final class LibraryCovers: Sendable {
    private static let deadline = Duration.seconds(30)

    private let folder: CoverFolder
    /// Apart from the library's own: a picture that takes its time keeps no place from being saved.
    private let queue = BlockingQueue(label: "rostrum.covers")
    /// Paths that were given out, whose book is not in the library yet.
    ///
    /// Reason for the lock: they come on `queue`, and go on the library's.
    private let unnamed = Mutex<Set<String>>([])

    init(folder: CoverFolder) { self.folder = folder }

    func keep(_ picture: CoverPicture) async throws(PlaceStoreError) -> String {
        let (folder, path) = (folder, folder.path)
        let outcome = await queue.run(within: Self.deadline) { [self] () -> Result<String, PlaceStoreError> in
            do throws(PlaceStoreError) {
                let file = try folder.file(of: picture)
                // First of all: from now on it stays, whoever else lets go of it.
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
            throw PlaceStoreError(.timedOut, "\(path) did not take a picture in time; check its disk")
        }
        return try outcome.get()
    }

    func keeps(_ path: String) -> Bool { folder.holds(path) }

    /// A book has it as its cover now.
    func isNamed(_ path: String?) {
        if let path { unnamed.withLock { _ = $0.remove(path) } }
    }

    /// Removes a picture that no book of the library names, unless one is about to.
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

    /// Of pictures that books named until now, removes those that none names any more.
    ///
    /// What is left over because this fails costs its room and nothing else.
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
