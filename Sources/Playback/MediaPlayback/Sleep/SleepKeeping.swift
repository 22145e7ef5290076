// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PlaybackCore

/// A sleep timer as the library stores it.
struct KeptSleep: Codable {
    /// The maximum age in milliseconds; an older timer is one from another night.
    static let longest: Int64 = 3 * 3_600_000

    var timer: SleepTimer
    /// The items that reopen the timer's item, which its own encoding does not contain.
    var items: [String]
    /// The remaining time of a timer that counts time, in milliseconds.
    var left: Int
    /// The wall-clock time, in milliseconds; `nil` from a version that also kept timers that were over.
    var at: Int64?

    func isFresh(at now: Int64) -> Bool { at.map { (0...Self.longest).contains(now - $0) } ?? false }
}

extension KeptSleep {
    /// Reads a timer; `nil` if the text is none.
    init?(text: String) {
        guard let kept = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = kept
    }

    var text: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}

/// The part of the sleep timer that outlives a session.
struct SleepKeeping {
    /// A change to what the library has.
    struct Change: Hashable {
        /// The timer; `nil` if there is to be none.
        var text: String?
    }

    /// A timer from an earlier session, or from before the last player left, until its item is played again.
    private(set) var waiting: KeptSleep?
    /// `true` if the library was asked for a timer.
    private(set) var isRead = false
    /// `true` if the sound ends because no player is left, and not because somebody is awake.
    private(set) var isLeaving = false
    /// `true` if the library has a timer.
    private var isStored = false

    /// Returns the change that the library needs; `nil` if it needs none.
    ///
    /// - Parameter present: the timer that is set; without one, the timer that waits stays stored.
    mutating func change(to present: KeptSleep?) -> Change? {
        guard !isLeaving else { return nil }
        let text = (present ?? waiting)?.text
        guard text != nil || isStored else { return nil }
        isStored = text != nil
        return Change(text: text)
    }

    /// Takes over, once, what an earlier session stored, and returns it.
    mutating func read(_ text: String?) -> String? {
        guard !isRead else { return nil }
        isRead = true
        if text != nil { isStored = true }
        return text
    }

    mutating func wait(with kept: KeptSleep) { waiting = kept }

    /// Ends the wait, and returns whether there was one.
    @discardableResult
    mutating func endWait() -> Bool {
        defer { waiting = nil }
        return waiting != nil
    }

    /// Stores nothing until `left`: a timer that ends because no player is left is not over.
    mutating func leaves() { isLeaving = true }

    /// Notes that the sound has ended; the timer that ended with it waits for its item.
    mutating func left(_ ended: KeptSleep?) {
        isLeaving = false
        if let ended { waiting = ended }
    }
}
