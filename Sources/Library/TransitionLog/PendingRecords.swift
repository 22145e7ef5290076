// SPDX-License-Identifier: Apache-2.0

import MediaPlayback
import TransitionRecords

/// An entry with the times at which it was recorded.
struct TransitionRecord: Sendable {
    var entry: TransitionEntry
    var monotonic: Int64
    var wall: Int64
    /// The number of records before this one that are in no file.
    var lost: Int64 = 0
    /// `true` if a new file begins with this record.
    var beginsFile = false

    init(_ entry: TransitionEntry, _ clock: TransitionClock) {
        self.entry = entry
        monotonic = clock.monotonic()
        wall = clock.wall()
    }
}

/// The records that wait to be written, and the snapshot that is due.
struct PendingRecords: Sendable {
    private var records: [TransitionRecord] = []
    private var hasBegun = false
    /// `true` if the next event begins a file.
    var isFull = false
    var lost: Int64 = 0
    var isClosed = false

    /// Returns the values for the snapshot that is due before the next record, or `nil` if none is due.
    ///
    /// A caller that gets a result must take the snapshot.
    mutating func claimSnapshot(before kind: TransitionEntry.Kind) -> (lost: Int64, beginsFile: Bool)? {
        if isClosed { return nil }
        let atEvent = kind == .event || kind == .snapshot
        let beginsFile = isFull && atEvent
        guard !hasBegun || beginsFile || (lost > 0 && atEvent) else { return nil }
        hasBegun = true
        if beginsFile { isFull = false }
        defer { lost = 0 }
        return (lost, beginsFile)
    }

    /// Returns and resets the number of lost records, or returns `nil` if there are none.
    mutating func claimLoss() -> Int64? {
        if lost == 0 || isClosed { return nil }
        defer { lost = 0 }
        return lost
    }

    /// Adds the record and its snapshot, or counts them as lost if they do not fit.
    ///
    /// - Returns: `true` if the writer sleeps and must be woken.
    mutating func add(_ opening: TransitionRecord?, _ record: TransitionRecord, capacity: Int) -> Bool {
        if isClosed { return false }
        let wasEmpty = records.isEmpty
        let needed = opening == nil ? 1 : 2
        guard records.count + needed <= capacity else {
            lost &+= Int64(1) &+ record.lost &+ (opening?.lost ?? 0)
            if record.beginsFile || opening?.beginsFile == true { isFull = true }
            return false
        }
        if let opening { records.append(opening) }
        records.append(record)
        return wasEmpty
    }

    mutating func takeAll() -> [TransitionRecord] {
        defer { records = [] }
        return records
    }
}
