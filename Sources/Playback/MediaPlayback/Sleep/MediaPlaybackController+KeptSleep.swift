// SPDX-License-Identifier: Apache-2.0

import BookTimeline
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

/// The part of the sleep timer that outlives a session.
struct SleepKeeping {
    /// A timer from an earlier session, or from before the last player left, until its item is played again.
    var waiting: KeptSleep?
    var isRead = false
    /// `true` if the library has a timer.
    var isStored = false
    /// `true` if the sound ends because no player is left, and not because somebody is awake.
    var isLeaving = false
}

/// Persistence of the sleep timer.
///
/// A running timer continues with its item in the next session; a finished one is deleted.
extension MediaPlaybackController {
    /// Stores the sleep timer: after a restart in the middle of the night, playback must not last until morning.
    func persistSleep() {
        guard !sleeping.kept.isLeaving else { return }
        var kept = sleeping.kept.waiting
        // Only `main` has places that last, and so a timer that does.
        if let timer = machine.state.sleep, timer.owner == .main { kept = presentSleep(timer) }
        let value = kept.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        guard value != nil || sleeping.kept.isStored else { return }
        sleeping.kept.isStored = value != nil
        keeping.saves.append(on: self) { controller in
            try? await controller.ports.store.set(.sleep, to: value)
        }
    }

    private func presentSleep(_ timer: SleepTimer) -> KeptSleep {
        let left = sleeping.left?.components
        return KeptSleep(
            timer: timer, items: timer.setAt.item.items,
            left: Int(left.map { $0.seconds * 1000 + $0.attoseconds / 1_000_000_000_000_000 } ?? 0),
            at: ports.wallClock())
    }

    /// Reads, once, the timer that an earlier session had set.
    func readKeptSleep() async {
        guard !sleeping.kept.isRead else { return }
        let found: String?
        do throws(PlaceStoreError) {
            found = try await ports.store.setting(.sleep)
        } catch {
            // The next command asks for it again.
            return
        }
        guard !sleeping.kept.isRead else { return }
        sleeping.kept.isRead = true
        guard let text = found else { return }
        sleeping.kept.isStored = true
        guard machine.state.sleep == nil else { return persistSleep() }
        guard let kept = try? JSONDecoder().decode(KeptSleep.self, from: Data(text.utf8)),
            kept.isFresh(at: ports.wallClock())
        else { return persistSleep() }
        sleeping.kept.waiting = kept
        takeUpSleep()
    }

    /// Continues the timer that an earlier session had set, once its item is played again.
    func takeUpSleep() {
        guard let kept = sleeping.kept.waiting else { return }
        let state = machine.state
        guard state.sleep == nil, kept.isFresh(at: ports.wallClock()) else { return forgetKeptSleep() }
        guard state.intent == .play, state.owner == kept.timer.owner, let current = state.current,
            current.item.uri == kept.timer.setAt.item.uri
        else { return }
        sleeping.kept.waiting = nil
        var timer = kept.timer
        timer.setAt.item = current.item
        handle(.restoredSleep(timer, milliseconds: kept.left))
    }

    func forgetKeptSleep() {
        guard sleeping.kept.waiting != nil else { return }
        sleeping.kept.waiting = nil
        persistSleep()
    }

    /// Stops the sound because no player is left; the next session, or player, continues with the sleep timer.
    public func leave() {
        let timer = machine.state.sleep
        persistSleep()
        let kept = timer.flatMap { $0.owner == .main ? presentSleep($0) : nil }
        sleeping.kept.isLeaving = true
        stop()
        sleeping.kept.isLeaving = false
        if machine.state.sleep == nil, let kept { sleeping.kept.waiting = kept }
    }
}
