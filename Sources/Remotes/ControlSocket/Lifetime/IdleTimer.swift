// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The time that an idle timer goes by.
struct IdleClock: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant
    /// Returns then, or earlier.
    var sleep: @Sendable (ContinuousClock.Instant) async -> Void

    static let system = IdleClock(
        now: { .now }, sleep: { end in try? await Task.sleep(until: end, clock: .continuous) })
}

/// Rings when nothing has happened for a while.
///
/// Cheap to start and to stop with every command: one task sleeps, and looks when it wakes whether that was long enough.
final class IdleTimer: Sendable {
    private struct State {
        /// Nil: it is stopped.
        var start: ContinuousClock.Instant?
        var isAsleep = false
        var limit: Duration
    }

    private let clock: IdleClock
    private let ring: @Sendable () -> Void
    // Reason for the lock: commands start and stop it, its own task looks; held for an access.
    private let state: Mutex<State>

    init(_ limit: Duration, clock: IdleClock = .system, ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        state = Mutex(State(limit: limit))
        self.ring = ring
    }

    /// From now on; what is under way counts by it when it is looked at next.
    func set(_ limit: Duration) { state.withLock { $0.limit = limit } }

    /// Counts from now on.
    func start() {
        let now = clock.now()
        let mustSleep = state.withLock { state in
            state.start = now
            defer { state.isAsleep = true }
            return !state.isAsleep
        }
        if mustSleep { Task { await sleep() } }
    }

    func stop() { state.withLock { $0.start = nil } }

    private func sleep() async {
        while let end = end() { await clock.sleep(end) }
    }

    /// When to look again; nil: it has rung, or is stopped.
    private func end() -> ContinuousClock.Instant? {
        let now = clock.now()
        let (end, isOver) = state.withLock { state in
            let end = state.start.map { $0 + state.limit }
            let isOver = end.map { $0 <= now } ?? false
            if isOver { state.start = nil }
            state.isAsleep = end != nil && !isOver
            return (end, isOver)
        }
        if isOver { ring() }
        return isOver ? nil : end
    }
}
