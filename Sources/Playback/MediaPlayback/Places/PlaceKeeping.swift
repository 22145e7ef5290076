// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The saves on their way to the library and its journal, and whether they arrive.
struct PlaceKeeping {
    /// The calls to the library.
    var saves = TaskChain()
    /// The calls to the journal of places.
    var journal = TaskChain()
    var spans = SpanTracker()
    /// The place where the last load resumed by itself, until something else is known.
    var resumed: Playing?
    private var followed: JournalSubject?
    /// The reason why the place could not be saved the last time; `nil` if it was saved.
    private(set) var fault: PlaceStoreError?
    private var heartbeat: Task<Void, Never>?

    /// Notes the outcome of a save, and returns whether it differs from the one before.
    mutating func note(fault: PlaceStoreError?) -> Bool {
        defer { self.fault = fault }
        return fault != self.fault
    }

    /// Notes what the journal is to follow, and returns whether it follows something else so far.
    mutating func follow(_ subject: JournalSubject?) -> Bool {
        defer { followed = subject }
        return subject != followed
    }

    /// Starts the heartbeat while something sounds, and stops it when nothing does.
    mutating func beat(_ isSounding: Bool, _ start: () -> Task<Void, Never>) {
        if !isSounding {
            heartbeat?.cancel()
            heartbeat = nil
        } else if heartbeat == nil {
            heartbeat = start()
        }
    }
}
