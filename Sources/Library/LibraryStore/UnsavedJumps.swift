// SPDX-License-Identifier: Apache-2.0

import BookTimeline
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
    private var count: Int64 = 0

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

    /// Removes what has been written, and keeps what was added in the meantime.
    mutating func remove(_ written: UnsavedJumps) {
        entries.removeAll { entry in written.entries.contains { $0.id == entry.id } }
    }

    /// Writes the jumps that the library does not have: one that timed out may be recorded by now.
    func write(_ db: Database) throws {
        for entry in entries {
            let isThere = try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM jump WHERE at = ? AND cause = ? AND toUri = ? AND toUnits = ?)",
                arguments: [
                    entry.at, entry.jump.cause.rawValue, entry.jump.to.item.uri, entry.jump.to.position.units,
                ])
            if isThere != true { try entry.insert(db) }
        }
    }
}
