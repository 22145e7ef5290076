// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Rings when nothing has happened for a while.
///
/// Cheap to start and to stop with every command: one task sleeps, and looks when it wakes whether that was long enough.
final class IdleTimer: Sendable {
    private struct State {
        /// Nil: it is stopped.
        var start: ContinuousClock.Instant?
        var isAsleep = false
    }

    private let limit: Duration
    private let ring: @Sendable () -> Void
    // Reason for the lock: commands start and stop it, its own task looks; held for an access.
    private let state = Mutex(State())

    init(_ limit: Duration, ring: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.ring = ring
    }

    /// Counts from now on.
    func start() {
        let mustSleep = state.withLock { state in
            state.start = .now
            defer { state.isAsleep = true }
            return !state.isAsleep
        }
        if mustSleep { Task { await sleep() } }
    }

    func stop() { state.withLock { $0.start = nil } }

    private func sleep() async {
        while let end = end() { try? await Task.sleep(until: end, clock: .continuous) }
    }

    /// When to look again; nil: it has rung, or is stopped.
    private func end() -> ContinuousClock.Instant? {
        let (end, isOver) = state.withLock { state in
            let end = state.start.map { $0 + limit }
            let isOver = end.map { $0 <= .now } ?? false
            if isOver { state.start = nil }
            state.isAsleep = end != nil && !isOver
            return (end, isOver)
        }
        if isOver { ring() }
        return isOver ? nil : end
    }
}
