// SPDX-License-Identifier: Apache-2.0

/// The position that the session reports, as far as the strip has not followed it yet.
struct FollowedPosition: Hashable, Sendable {
    /// Seconds of content a second.
    private(set) var rate = 0.0
    /// The seeks that the session has not answered.
    ///
    /// Until it has, what it reports is older than they are.
    var unanswered = 0
    /// The last report in units, moved on since, while the strip cannot follow it.
    private(set) var waiting: Double?
    /// The units that the strip is still behind, or ahead if it is negative.
    private var difference = 0.0
    /// The units a second by which the difference shrinks.
    private var speed = 0.0

    /// The units that are no difference, but what sums of fractions leave.
    private static let least = 1e-6
    /// The rates that a session can have; others count as silence.
    private static let rates = 0.0...100.0

    var isSettled: Bool { rate == 0 && difference == 0 }

    mutating func report(_ position: Double, rate: Double) {
        self.rate = Self.rates.contains(rate) ? rate : 0
        waiting = position
    }

    /// Forgets how far the strip was behind: a gesture has moved it elsewhere.
    mutating func interrupt() { (difference, speed) = (0, 0) }

    /// Forgets the session.
    mutating func stop() { self = FollowedPosition() }

    /// Returns the position to which the strip jumps, or `nil` if it makes up for the difference on its way.
    ///
    /// A difference gets smaller at a constant speed. A further report may make that faster but not slower, so that
    /// each difference is gone in time however often reports come.
    mutating func take(from shown: Double, _ geometry: TimelineGeometry) -> Double? {
        guard let reported = waiting else { return nil }
        waiting = nil
        let units = geometry.unitsPerSecond
        let off = reported - shown
        guard abs(off) <= geometry.rules.farthestFold * units else {
            interrupt()
            return reported
        }
        let isSameWay = (off < 0) == (difference < 0) && difference != 0
        speed = max(isSameWay ? speed : 0, abs(off) / geometry.rules.foldSeconds)
        difference = abs(off) <= Self.least ? 0 : off
        return nil
    }

    /// Lets a report that waits move on.
    mutating func age(_ seconds: Double, _ unitsPerSecond: Double) {
        waiting = waiting.map { $0 + seconds * rate * unitsPerSecond }
    }

    /// Returns the units by which the strip moves in some seconds.
    mutating func advance(_ seconds: Double, _ unitsPerSecond: Double) -> Double {
        let most = speed * seconds
        let part = abs(difference) <= most + Self.least ? difference : difference < 0 ? -most : most
        difference -= part
        if difference == 0 { speed = 0 }
        return part + seconds * rate * unitsPerSecond
    }
}
