// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The clock of an idle timer.
struct IdleClock: Sendable {
    var now: @Sendable () -> ContinuousClock.Instant
    /// Sleeps until the given instant, or returns earlier.
    var sleep: @Sendable (ContinuousClock.Instant) async -> Void

    static let system = IdleClock(
        now: { .now }, sleep: { end in try? await Task.sleep(until: end, clock: .continuous) })
}

/// A timer that calls `ring` when nothing has happened for a while.
///
/// Starting and stopping it with every command is cheap: one task sleeps, and checks when it wakes whether enough time
/// has passed.
final class IdleTimer: Sendable {
    private struct State {
        /// The time at which it was started; `nil` if it is stopped.
        var start: ContinuousClock.Instant?
        var isAsleep = false
        var limit: Duration
    }

    private let clock: IdleClock
    private let ring: @Sendable () -> Void
    // The lock is needed because commands start and stop the timer and its own task checks it; it is held for an
    // access.
    private let state: Mutex<State>

    init(_ limit: Duration, clock: IdleClock = .system, ring: @escaping @Sendable () -> Void) {
        self.clock = clock
        state = Mutex(State(limit: limit))
        self.ring = ring
    }

    /// Changes the limit; a running timer applies it at its next check.
    func set(_ limit: Duration) { state.withLock { $0.limit = limit } }

    /// Starts or restarts the timer.
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

    /// Returns the time of the next check; `nil` if the timer has rung or is stopped.
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
