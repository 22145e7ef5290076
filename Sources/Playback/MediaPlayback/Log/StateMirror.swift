// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore
import Synchronization
public import TransitionRecords

/// The machine's state as of its last event, readable from any thread: a new log file begins with it.
public final class StateMirror: Sendable {
    /// Locked only to copy; written by the controller, read by the log's thread.
    private let state = Mutex(PlaybackState())

    public init() {}

    func set(_ new: PlaybackState) {
        state.withLock { $0 = new }
    }

    /// Returns `true` if an owner has audio focus and playback is audible, or will be without another command.
    public func isPlaying(for owner: OwnerID) -> Bool {
        state.withLock { state in
            state.owner == owner && state.intent == .play && state.suppressions.lasting.isEmpty
                && (state.phase == .loading || state.phase == .ready)
        }
    }

    /// The snapshot record of the transition log.
    public var snapshot: TransitionEntry {
        .snapshot(of: state.withLock { $0 })
    }
}
