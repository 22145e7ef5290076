// SPDX-License-Identifier: Apache-2.0

/// The time of the sleep timer: what is left, the fade that runs, and the timer that outlives the session.
struct SleepClock {
    /// The timer that outlives the session, which is a part with rules and private state of its own.
    var kept = SleepKeeping()
    private(set) var countdown: SleepCountdown?
    private var fading: Task<Void, Never>?

    /// The time that is left; `nil` if no time is counted.
    var left: Duration? { countdown?.now }

    /// Adds time to a timer, and lets it run or stop.
    ///
    /// - Parameter start: starts a task that runs out after the given time; called if the timer runs.
    mutating func count(
        _ id: UInt64, adding added: Duration, elapsed: (() -> @Sendable () -> Duration)?,
        _ start: (Duration) -> Task<Void, Never>
    ) {
        countdown?.task?.cancel()
        var next = SleepCountdown(id: id, left: (countdown?.id == id ? countdown?.now ?? .zero : .zero) + added)
        if let elapsed {
            next.elapsed = elapsed()
            next.task = start(next.left)
        }
        countdown = next
    }

    mutating func stopCounting() {
        countdown?.task?.cancel()
        countdown = nil
    }

    /// Stops everything that runs.
    mutating func stop() {
        countdown?.task?.cancel()
        fading?.cancel()
    }

    mutating func fade(by task: Task<Void, Never>) {
        fading?.cancel()
        fading = task
    }

    mutating func stopFading() {
        fading?.cancel()
        fading = nil
    }
}
