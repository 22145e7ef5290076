// SPDX-License-Identifier: Apache-2.0

/// A clock on which time goes by faster, so that an hour of sound need not be waited for.
struct FastClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    /// Seconds of it in a second.
    let speed: Double
    private let origin = ContinuousClock.now

    init(speed: Double) { self.speed = speed }

    var now: Instant { Instant(offset: origin.duration(to: .now) * speed) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(
            until: origin.advanced(by: deadline.offset / speed), tolerance: tolerance.map { $0 / speed })
    }
}
