// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The position that the player shows: that of its owner, or where the listener has just sent it.
///
/// A seek shows at once. Until the session has answered it, positions that the session reports are older than it, and
/// are kept for later.
struct OwnPosition: Sendable, Hashable {
    private var ms: Int64?
    /// The monotonic time in ms of `ms`.
    private var since: Int64 = 0
    /// The speed at which it moves, 0 while nothing is heard.
    private var rate = 0.0
    private var end: Int64?
    private var unanswered = 0
    /// The item that the position is in.
    private var item: String?
    private var reported: (ms: Int64?, at: Int64)?

    static func == (a: Self, b: Self) -> Bool {
        a.ms == b.ms && a.since == b.since && a.rate == b.rate && a.end == b.end && a.unanswered == b.unanswered
    }

    func hash(into hasher: inout Hasher) { hasher.combine(ms) }

    /// Returns the position at a monotonic time in ms; `nil` if it is not known.
    func at(_ now: Int64) -> Int64? {
        guard let ms else { return nil }
        guard rate > 0 else { return ms }
        let moved = ms.addingReportingOverflow(
            Int64(clamping: Int((Double(max(0, now - since)) * rate).rounded(.down))))
        return min(moved.overflow ? ms : moved.partialValue, max(ms, end ?? .max))
    }

    /// Returns the ms until it has another second, at least 100; `nil` while it does not move.
    func nextChange(_ now: Int64) -> Int64? {
        guard rate > 0, let position = at(now), position < end ?? .max else { return nil }
        return max(100, Int64((Double(1000 - position % 1000) / rate).rounded(.up)))
    }

    /// Takes the position of a status that has arrived at a time.
    mutating func report(_ status: Status, at now: Int64) {
        let isMoving = status.status == "playing" && status.rate > 0.01 && status.rate < 100
        // What the listener wanted of another item is of no use for this one.
        if status.item?.uri != item { unanswered = 0 }
        item = status.item?.uri
        if unanswered > 0, let position = at(now) {
            (ms, since) = (position, now)
        } else {
            (ms, since) = (status.position.ms, now)
        }
        rate = isMoving ? status.rate : 0
        end = status.duration.ms
        reported = (status.position.ms, now)
    }

    /// Moves to where the listener wants to be; ``answered()`` ends it.
    mutating func move(to target: Int64, at now: Int64) {
        unanswered += 1
        ms = min(max(0, target), max(0, end ?? .max))
        since = now
    }

    /// Notes that the session has carried a seek out, or refused it.
    mutating func answered() {
        guard unanswered > 0 else { return }
        unanswered -= 1
        guard unanswered == 0, let reported else { return }
        (ms, since) = (reported.ms, reported.at)
    }

    /// Stops where it is: nobody knows how it goes on.
    ///
    /// What the session has not answered has not happened.
    mutating func stop(at now: Int64) {
        if unanswered > 0, let reported { (ms, since) = (reported.ms, reported.at) }
        (ms, since) = (at(now), now)
        rate = 0
        unanswered = 0
        reported = (ms, now)
    }
}
