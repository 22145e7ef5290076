// SPDX-License-Identifier: Apache-2.0

import GRDB
import MediaPlayback
import PlaybackCore

/// The jumps that the library could not record.
///
/// This session still lists and undoes them, and they are written along with the next successful write.
struct UnsavedJumps {
    /// The limit, which a user who skips every ten seconds reaches in a quarter of an hour.
    private static let most = 100
    /// Ids above those of any library, because what could not be recorded is newer than what was.
    private static let firstID: Int64 = 1 << 62

    /// The newest last.
    private(set) var entries: [HistoryEntry] = []
    /// Those that were written, since a caller may still name one of them by the id that it had here.
    private var written: [HistoryEntry] = []
    private var count: Int64 = 0
    /// The jumps of the library that were undone, which could not be marked there.
    private(set) var unmarked: Set<Int64> = []

    var isEmpty: Bool { entries.isEmpty && unmarked.isEmpty }

    mutating func addMark(_ id: Int64) { unmarked.insert(id) }

    mutating func add(_ entry: HistoryEntry) {
        var entry = entry
        entry.id = Self.firstID + count
        count += 1
        entries.append(entry)
        if entries.count > Self.most { entries.removeFirst() }
    }

    /// Marks a jump as undone, and returns whether it is one of these.
    mutating func markUndone(_ id: Int64) -> Bool {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries[index].isUndone = true
        return true
    }

    /// Returns a jump that was one of these, and is in the library now.
    func written(_ id: Int64) -> HistoryEntry? { written.last { $0.id == id } }

    /// Removes what has been written, and keeps what was added or marked in the meantime.
    mutating func remove(_ done: UnsavedJumps) {
        entries.removeAll { done.entries.contains($0) }
        unmarked.subtract(done.unmarked)
        written += done.entries
        if written.count > Self.most { written.removeFirst(written.count - Self.most) }
    }

    func write(_ db: Database) throws {
        for entry in entries { try entry.insertOnce(db) }
        for id in unmarked { try HistoryEntry.markUndone(id, db) }
    }
}
