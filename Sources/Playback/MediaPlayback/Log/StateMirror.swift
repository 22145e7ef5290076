// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
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

    /// The snapshot record of the transition log.
    public var snapshot: TransitionEntry {
        .snapshot(of: state.withLock { $0 })
    }
}
