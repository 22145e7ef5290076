// SPDX-License-Identifier: Apache-2.0

/// The remaining time of a sleep timer that counts time; the machine decides when it counts.
struct SleepCountdown {
    let id: UInt64
    /// The remaining time when it last started or stopped counting.
    var left: Duration
    /// Returns the time since it started counting; `nil` while it is stopped.
    var elapsed: (@Sendable () -> Duration)?
    var task: Task<Void, Never>?

    var now: Duration { max(.zero, left - (elapsed?() ?? .zero)) }

    /// Returns a function that measures time from now on, by whatever clock there is.
    static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
