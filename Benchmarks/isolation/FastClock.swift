// SPDX-License-Identifier: Apache-2.0

/// A clock on which time passes faster, so that nobody has to wait for an hour of sound.
struct FastClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    /// The number of its seconds in a second.
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
