// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// A limit on how much an engine may say, so that one that never stops costs the session only a fraction of a
/// processor.
///
/// Everything it says costs units, about a microsecond of a processor each. Units are restored over time. When they are
/// used up, the session reads nothing from the engine, which has to wait. Times are in nanoseconds.
struct InputAllowance {
    static let perSecond = 16_000
    /// The maximum number of units, enough for a large folder that is described all at once.
    static let most = 2 * perSecond
    /// The number of units that must be restored before reading resumes, so that not each of them causes a wake-up.
    private static let enough = perSecond / 20

    private var left = most
    private var filledAt: UInt64?
    private var isUsedUp = false

    /// Returns `true` if the engine's input may be read at this time.
    mutating func isOpen(at now: UInt64) -> Bool {
        fill(now)
        if left <= 0 { isUsedUp = true }
        if left >= Self.enough { isUsedUp = false }
        return !isUsedUp
    }

    mutating func charge(_ units: Int) { left -= min(units, Self.most) }

    /// The time at which reading resumes, or `nil` if input may be read now.
    var opening: UInt64? {
        guard isUsedUp, let filledAt else { return nil }
        return filledAt &+ UInt64(max(0, Self.enough - left)) * Self.nanoseconds
    }

    private static let nanoseconds = 1_000_000_000 / UInt64(perSecond)

    private mutating func fill(_ now: UInt64) {
        guard let last = filledAt, now >= last else {
            filledAt = now
            return
        }
        let units = Int(min((now - last) / Self.nanoseconds, UInt64(2 * Self.most)))
        left = min(left + units, Self.most)
        filledAt = left == Self.most ? now : last + UInt64(units) * Self.nanoseconds
    }
}

extension InputAllowance {
    /// Returns the cost of a message of `bytes` bytes, before anything is done with it.
    static func cost(of message: EngineMessage, bytes: Int) -> Int {
        let content =
            switch message {
            // The controller looks at each mark.
            case .marks(_, let marks): marks.count
            case .tracks(_, let tracks): 4 * tracks.count
            case .chapters(_, let chapters): chapters.count / 4
            // The controller may look a text up.
            case .damaged: 64
            // A thread opens a file.
            case .needSource, .needScript: 48
            // The machine handles an event, with everything that follows from it.
            case .renderFailed: 256
            default: 0
            }
        return Self.message + bytes / 4096 + content
    }

    /// The cost of a message, whatever is in it: reading it, and waking an engine that waits for room.
    static let message = 4
    /// The cost of a line that goes to the log.
    static let line = 8
    /// The cost of a track that is described again.
    static let trackAgain = 64
    /// Returns the cost of reading bytes and lines from stderr.
    static func cost(ofErrors bytes: Int, lines: Int) -> Int { 1 + bytes / 64 + lines }
}
