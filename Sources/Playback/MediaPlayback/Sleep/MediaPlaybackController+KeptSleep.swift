// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import PlaybackCore
import TaskChains

/// Persistence of the sleep timer.
///
/// A running timer continues with its item in the next session; a finished one is deleted.
extension MediaPlaybackController {
    /// Stores the sleep timer: after a restart in the middle of the night, playback must not last until morning.
    func persistSleep() {
        let present = presentSleep()
        guard let change = sleeping.kept.change(to: present) else { return }
        keeping.saves.append(on: self) { controller in
            try? await controller.ports.store.set(.sleep, to: change.text)
        }
    }

    /// Returns the timer that is set, if it outlives the session: only `main` has places that last.
    private func presentSleep() -> KeptSleep? {
        guard let timer = machine.state.sleep, timer.owner == .main else { return nil }
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
        guard let text = sleeping.kept.read(found) else { return }
        guard machine.state.sleep == nil, let kept = KeptSleep(text: text), kept.isFresh(at: ports.wallClock())
        else { return persistSleep() }
        sleeping.kept.wait(with: kept)
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
        sleeping.kept.endWait()
        var timer = kept.timer
        timer.setAt.item = current.item
        handle(.restoredSleep(timer, milliseconds: kept.left))
    }

    func forgetKeptSleep() {
        if sleeping.kept.endWait() { persistSleep() }
    }

    /// Stops the sound because no player is left; the next session, or player, continues with the sleep timer.
    public func leave() {
        persistSleep()
        let kept = presentSleep()
        sleeping.kept.leaves()
        stop()
        sleeping.kept.left(machine.state.sleep == nil ? kept : nil)
    }
}
