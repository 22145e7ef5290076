// SPDX-License-Identifier: Apache-2.0

/// One write to a server: the place, or the flag, which a server does not take together.
///
/// `isFinished: false` is never sent: it sets a record to 0. A place with more than ten seconds left does the same without
/// that.
public enum ProgressWrite: Sendable, Hashable {
    /// The place with the length of the item and their quotient, because a server computes none of them.
    case place(milliseconds: Int64, length: Int64, stamp: Int64)
    case finished(stamp: Int64)

    /// The share of the item that is behind a place.
    public static func share(_ milliseconds: Int64, of length: Int64) -> Double {
        length > 0 ? min(1, max(0, Double(milliseconds) / Double(length))) : 0
    }
}

/// The writes that make a server's record say what a machine's says, in order.
public struct ProgressPush: Sendable, Hashable {
    public var writes: [ProgressWrite]
    /// The record that the server has after each of the writes.
    public var steps: [ProgressRecord]

    /// The writes from a server's record to `wanted`.
    ///
    /// - Parameters:
    ///   - remote: The server's record; `nil` if it has none.
    ///   - length: The length of the item, which must be known.
    ///   - now: The server's clock: no stamp is ahead of it, and none is older than the record that is replaced.
    public init(_ wanted: ProgressRecord, over remote: ProgressRecord?, length: Int64, now: Int64) {
        writes = []
        steps = []
        var wanted = wanted
        wanted.updatedAt = min(now, max(wanted.updatedAt, (remote?.updatedAt ?? 0) + 1))
        var present = remote
        // Only a place that changes sets a finished record to unfinished.
        if let record = present, record.isFinished, !wanted.isFinished, record.milliseconds == wanted.milliseconds {
            var beside = wanted
            beside.milliseconds += wanted.milliseconds > 0 ? -1 : 1
            move(to: beside, from: &present, length: length)
        }
        if present?.milliseconds != wanted.milliseconds { move(to: wanted, from: &present, length: length) }
        if wanted.isFinished, present?.isFinished != true {
            writes.append(.finished(stamp: wanted.updatedAt))
            steps.append(wanted)
        }
    }
    private mutating func move(to wanted: ProgressRecord, from present: inout ProgressRecord?, length: Int64) {
        writes.append(.place(milliseconds: wanted.milliseconds, length: length, stamp: wanted.updatedAt))
        var record = wanted
        // A first record is never set to finished by the server.
        record.isFinished = record.isNearEnd(in: length) && present != nil
        steps.append(record)
        present = record
    }
}
