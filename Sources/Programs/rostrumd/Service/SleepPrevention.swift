// SPDX-License-Identifier: Apache-2.0

import Logind
import MediaPlayback
import PlaybackCore
import SettingsFile
import Synchronization

/// Keeps the machine from going to sleep by itself while something plays, if the user wants that.
final class SleepPrevention: Sendable {
    private struct State {
        var isPlaying = false
        var isAllowed: Bool
    }

    private let inhibitor = SleepInhibitor(reason: "plays")
    private let state: Mutex<State>

    init(_ settings: Settings) { state = Mutex(State(isAllowed: settings.inhibitsSleep)) }

    /// Follows a state; it is called for each in order, and does not wait.
    func show(_ snapshot: PlaybackSnapshot) { change { $0.isPlaying = snapshot.state.isPlaying } }

    func set(_ settings: Settings) { change { $0.isAllowed = settings.inhibitsSleep } }

    private func change(_ change: (inout State) -> Void) {
        // The inhibitor is called within the lock, so that the calls keep their order; it does not wait.
        state.withLock { state in
            change(&state)
            inhibitor.set(state.isPlaying && state.isAllowed)
        }
    }
}
