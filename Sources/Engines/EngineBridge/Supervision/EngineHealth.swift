// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// How often engines died lately: how long to wait before one is started again, and when it is not started any more.
///
/// Only deaths in a row count, of processes that gave no sound. One that gave some may have met bad input, which is stepped
/// over, or chance. Times are monotonic nanoseconds.
struct EngineHealth {
    private struct Death {
        var time: UInt64
        /// nil: it had not got as far as an item.
        var item: String?
    }

    private var deaths: [EngineID: [Death]] = [:]

    /// After so many in a row it is quarantined, unless all of them were of one item: that is then the item's fault.
    static let limit = 5
    /// Older ones are forgotten.
    static let window: UInt64 = 600_000_000_000
    /// Before the first start, after one death, after two, and so on: the last for all others.
    private static let pauses = [0, 0, 100, 400, 1_000, 2_000].map { Duration.milliseconds($0) }

    /// True if it is to be quarantined.
    mutating func noteDeath(of id: EngineID, item: String?, leavesSound: Bool, at now: UInt64) -> Bool {
        guard !leavesSound else {
            deaths[id] = nil
            return false
        }
        var recent = lately(id, now)
        recent.append(Death(time: now, item: item))
        deaths[id] = Array(recent.suffix(Self.limit))
        guard recent.count >= Self.limit else { return false }
        let items = Set(recent.suffix(Self.limit).map(\.item))
        guard items.count > 1 || items == [nil] else { return false }
        deaths[id] = nil
        return true
    }

    /// How long to wait before it is started.
    ///
    /// Not for long where one item is at fault: it is stepped through.
    func pause(before id: EngineID, at now: UInt64) -> Duration {
        let recent = lately(id, now)
        let pause = Self.pauses[min(recent.count, Self.pauses.count - 1)]
        guard let item = recent.first?.item, recent.allSatisfy({ $0.item == item }) else { return pause }
        return min(pause, Self.stepPause)
    }

    private static let stepPause = Duration.milliseconds(50)

    private func lately(_ id: EngineID, _ now: UInt64) -> [Death] {
        (deaths[id] ?? []).filter { now &- $0.time < Self.window }
    }
}
