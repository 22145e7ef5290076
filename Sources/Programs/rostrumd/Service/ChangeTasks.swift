// SPDX-License-Identifier: Apache-2.0

/// The tasks that pass changes on to the subscribers.
struct ChangeTasks {
    /// Follows the changes of the controller for as long as the session lives.
    var changes: Task<Void, Never>?
    /// Waits for the beginning of the next chapter.
    var boundary: Task<Void, Never>?
    /// Follows the transition log.
    var transitions: Task<Void, Never>?

    /// Ends what is done only for subscribers.
    ///
    /// - Parameter needsBoundaries: `true` if others are told of chapters, too.
    mutating func end(needsBoundaries: Bool) {
        transitions?.cancel()
        transitions = nil
        if !needsBoundaries { boundary?.cancel() }
    }
}
