// SPDX-License-Identifier: Apache-2.0

import EngineTransport

/// How much an engine may say, so that one that never stops costs the session a fraction of a processor.
///
/// What it says costs units, about a microsecond of a processor each. They come back by and by; when they are used up, nothing of
/// it is read, and it waits. Times are nanoseconds.
struct InputAllowance {
    static let perSecond = 16_000
    /// For a large folder that is described all at once.
    static let most = 2 * perSecond
    /// So many before it is read again: not a wake-up for each of them.
    private static let enough = perSecond / 20

    private var left = most
    private var filledAt: UInt64?
    private var isUsedUp = false

    /// Whether it is read at this time.
    mutating func isOpen(at now: UInt64) -> Bool {
        fill(now)
        if left <= 0 { isUsedUp = true }
        if left >= Self.enough { isUsedUp = false }
        return !isUsedUp
    }

    mutating func charge(_ units: Int) { left -= min(units, Self.most) }

    /// When it is read again; nil if it is read now.
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
    /// Of a message of so many bytes, before anything is done with it.
    static func cost(of message: EngineMessage, bytes: Int) -> Int {
        let content =
            switch message {
            // The controller looks at each of them.
            case .marks(_, let marks): marks.count
            case .tracks(_, let tracks): 4 * tracks.count
            case .chapters(_, let chapters): chapters.count / 4
            // A thread that opens a file.
            case .needSource: 48
            // An event of the machine, with all that follows from it.
            case .renderFailed: 256
            default: 0
            }
        return 1 + bytes / 4096 + content
    }

    /// Of a line that goes on to the log.
    static let line = 8
    /// Of a track that is described again.
    static let trackAgain = 64
    /// Of so many bytes and lines on stderr.
    static func cost(ofErrors bytes: Int, lines: Int) -> Int { 1 + bytes / 64 + lines }
}
