// SPDX-License-Identifier: Apache-2.0

import BookTimeline
package import ProgressSync

/// The record of one item on a server, by the rules that servers follow: the last write wins, whatever its stamp says.
package struct ServerModel: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        package var milliseconds: Int64 = 0
        package var length: Int64 = 0
        package var share = 0.0
        package var isFinished = false
        package var lastUpdate: Int64

        package init(
            milliseconds: Int64 = 0, length: Int64 = 0, share: Double = 0, isFinished: Bool = false, lastUpdate: Int64
        ) {
            self.milliseconds = milliseconds
            self.length = length
            self.share = share
            self.isFinished = isFinished
            self.lastUpdate = lastUpdate
        }
    }

    /// `true` for 2.26 and later, which keep the stamp of a write, except of the first.
    package var keepsStamps = true
    package private(set) var row: Row?

    package init(keepsStamps: Bool = true, row: Row? = nil) {
        self.keepsStamps = keepsStamps
        self.row = row
    }

    package var record: ProgressRecord? {
        row.map {
            ProgressRecord(
                milliseconds: $0.milliseconds, isFinished: $0.isFinished, updatedAt: $0.lastUpdate,
                provenance: .restored)
        }
    }

    package mutating func patch(_ write: ProgressWrite, at now: Int64) {
        let before = row
        var changed = row ?? Row(lastUpdate: now)
        var stamp: Int64
        switch write {
        case .place(let milliseconds, let length, let sent):
            stamp = sent
            let hasMoved = changed.milliseconds != milliseconds
            changed.milliseconds = milliseconds
            changed.length = length
            changed.share = ProgressWrite.share(milliseconds, of: length)
            let left = length - milliseconds
            if before != nil {
                if !changed.isFinished, length > 0, left < 10_000 {
                    finish(&changed)
                } else if changed.isFinished, hasMoved, left >= 10_000 {
                    changed.isFinished = false
                }
            }
        case .finished(let sent):
            stamp = sent
            finish(&changed)
        }
        if !keepsStamps || before == nil { stamp = now }
        // A write that changes nothing does not move the stamp.
        if let before, before.milliseconds == changed.milliseconds, before.isFinished == changed.isFinished,
            before.length == changed.length
        {
            stamp = keepsStamps ? stamp : before.lastUpdate
        }
        changed.lastUpdate = stamp
        row = changed
    }

    private func finish(_ row: inout Row) {
        row.isFinished = true
        row.share = 1
    }

    /// Stores what another client sends, with any stamp.
    package mutating func store(foreign milliseconds: Int64, stamp: Int64, length: Int64) {
        patch(.place(milliseconds: milliseconds, length: length, stamp: stamp), at: stamp)
    }

    package mutating func delete() { row = nil }
}
