// SPDX-License-Identifier: Apache-2.0

import PlaybackCore

/// The record of asking the library what was played last: whether it was asked, and why it could not be read.
struct LibraryMemory {
    private var reading: Task<Void, Never>?
    /// `true` once everything was asked for and told.
    private(set) var isComplete = false
    /// The reason why the library could not be read; `nil` if it was read, or not asked yet.
    private(set) var fault: PlaybackError?

    /// Returns the task that reads the library; `nil` if it was read already.
    ///
    /// Callers that come while it is being read wait for the same task.
    mutating func read(_ start: () -> Task<Void, Never>) -> Task<Void, Never>? {
        guard !isComplete else { return nil }
        let task = reading ?? start()
        reading = task
        return task
    }

    mutating func ended() { reading = nil }

    mutating func begin() { fault = nil }

    mutating func failed(_ error: PlaceStoreError) {
        fault = PlaybackError(
            .io, message: "cannot look up what was played last: \(error.message); try again")
    }

    /// Notes that everything was asked for; what failed is asked for again by the next command.
    mutating func complete() { isComplete = fault == nil }
}
