// SPDX-License-Identifier: Apache-2.0

import GRDB
import MediaPlayback

/// The jumps that the library could not record, and those that it could not mark as undone.
///
/// This session still lists and undoes them, and they are written before the next write. A jump is
/// known by what it is and not by an id: a call that timed out may have been carried out all the same.
struct UnsavedJumps {
    /// The limit, which a user who skips every ten seconds reaches in a quarter of an hour.
    private static let most = 100

    /// The newest last.
    private(set) var entries: [HistoryEntry] = []
    /// The jumps that are in the library, and are to be marked there.
    private var undone: [HistoryEntry] = []

    var isEmpty: Bool { entries.isEmpty && undone.isEmpty }

    mutating func add(_ entry: HistoryEntry) {
        entries.append(entry)
        if entries.count > Self.most { entries.removeFirst() }
    }

    /// Marks a jump as undone; one that is not among those that could not be recorded is marked in the library later.
    mutating func markUndone(_ entry: HistoryEntry) {
        if let index = entries.firstIndex(where: entry.isSame(as:)) {
            entries[index].isUndone = true
        } else {
            undone.append(entry)
        }
    }

    func contains(_ entry: HistoryEntry) -> Bool { entries.contains(where: entry.isSame(as:)) }

    func isUndone(_ entry: HistoryEntry) -> Bool { undone.contains(where: entry.isSame(as:)) }

    /// Removes what has been written, and keeps what was added or marked in the meantime.
    mutating func remove(_ written: UnsavedJumps) {
        entries.removeAll { written.entries.contains($0) }
        undone.removeAll { written.undone.contains($0) }
    }

    func write(_ db: Database) throws {
        for entry in entries { try entry.insertOnce(db) }
        for entry in undone { try entry.markUndone(db) }
    }
}
