// SPDX-License-Identifier: Apache-2.0

import Clocks

/// The time when the route was lost last, and what a remote control reported around that time.
struct RouteLosses {
    /// A pause that was recorded as coming from a remote.
    struct Pause: Hashable {
        var time: Int64
        var command: String?
    }

    /// The time within which a pause belongs to the loss of the route, whichever of the two comes first.
    ///
    /// A headset that is taken off reports a pause just as its sink disappears; that is the route, and nobody's wish.
    static let window = MonotonicTime.second

    private var lostAt: Int64?
    /// The last pause by a remote since the last loss.
    private var paused: Pause?

    /// Returns whether the route was lost a moment ago.
    func isRecent(at now: Int64) -> Bool { lostAt.map { now - $0 < Self.window } ?? false }

    /// Notes a pause by a remote, as long as no loss of the route is known that it belongs to.
    mutating func pause(at now: Int64, by command: String?) { paused = Pause(time: now, command: command) }

    /// Notes that the route is lost, and returns the pause just before that; it belongs to this loss only.
    mutating func lose(at now: Int64) -> Pause? {
        lostAt = now
        defer { paused = nil }
        return paused.flatMap { now - $0.time < Self.window ? $0 : nil }
    }
}
