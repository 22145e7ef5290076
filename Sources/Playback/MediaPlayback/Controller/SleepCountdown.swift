// SPDX-License-Identifier: Apache-2.0

/// What is left of a sleep timer that counts time; the machine says when it counts.
struct SleepCountdown {
    let id: UInt64
    /// When it last began to count, or stood.
    var left: Duration
    /// Since it began to count; nil: it stands.
    var elapsed: (@Sendable () -> Duration)?
    var task: Task<Void, Never>?

    var now: Duration { max(.zero, left - (elapsed?() ?? .zero)) }

    /// Measures time from now on, by whatever clock there is.
    static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
