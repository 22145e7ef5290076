// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The requests for a stream's progress, and whether the server answers them.
///
/// Times are monotonic, in nanoseconds.
struct TimingRequests {
    /// The time of the last request.
    private var asked: Int64 = 0
    /// The time of the first request since the last answer.
    private var unanswered: Int64?
    /// The server's time in the last answer, in its microseconds.
    private var stamp: Int64?

    mutating func ask(at now: Int64) {
        asked = now
        if unanswered == nil { unanswered = now }
    }

    /// Takes an answer; returns `false` for one that was taken before.
    ///
    /// - Parameter time: The server's time in it, in microseconds.
    mutating func take(stamped time: Int64) -> Bool {
        guard stamp != time else { return false }
        stamp = time
        unanswered = nil
        return true
    }

    /// Returns whether the last request is older than `patience`.
    func isDue(at now: Int64, patience: Int64) -> Bool { now - asked > patience }

    /// Returns the time to which the server's last answer may be extrapolated: a server that no longer answers does not
    /// play on for ever.
    func believed(_ now: Int64) -> Int64 { min(now, (unanswered ?? now) + HeardFeed.longestForetold) }
}
