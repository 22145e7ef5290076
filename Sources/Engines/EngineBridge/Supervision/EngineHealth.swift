// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The recent deaths of engines, which determine the backoff before a restart and when to stop restarting.
///
/// Only consecutive deaths of processes that gave no sound count. A process that gave some may have met bad input,
/// which is stepped over, or chance. Times are monotonic nanoseconds.
struct EngineHealth {
    private struct Death {
        var time: UInt64
        /// The item that was being loaded or played, or `nil` if the engine had not got as far as an item.
        var item: String?
    }

    private var deaths: [EngineID: [Death]] = [:]

    /// The number of consecutive deaths after which an engine is quarantined.
    ///
    /// If all of them were of one item, the item is at fault, and the engine is not quarantined.
    static let limit = 5
    /// The time after which a death is forgotten.
    static let window: UInt64 = 600_000_000_000
    /// The backoff before the first start, after one death, after two, and so on; the last is for all others.
    private static let pauses = [0, 0, 100, 400, 1_000, 2_000].map { Duration.milliseconds($0) }

    /// Records a death, and returns `true` if the engine is to be quarantined.
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

    /// Returns the backoff before an engine is started.
    ///
    /// It is short where one item is at fault, because that item is stepped through.
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
