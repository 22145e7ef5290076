// SPDX-License-Identifier: Apache-2.0

/// The times at which feeds are looked at; all times are milliseconds since 1970.
public struct RefreshSchedule: Sendable, Hashable {
    /// The time between two looks.
    public var interval: Int64
    /// The time to the next look behind the first failure; it doubles with each.
    public var firstDelay: Int64
    public var longestDelay: Int64
    /// The longest time for which a server may ask to be left alone.
    public var longestWish: Int64

    public init(
        interval: Int64 = 6 * 3_600_000, firstDelay: Int64 = 15 * 60_000, longestDelay: Int64 = 24 * 3_600_000,
        longestWish: Int64 = 7 * 24 * 3_600_000
    ) {
        self.interval = interval
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestWish = longestWish
    }

    /// Returns the time of the look that follows one that succeeded.
    ///
    /// - Parameter jitter: A number from 0 to 1, so that not all ask at once.
    public func next(after now: Int64, jitter: Double) -> Int64 { now + spread(interval, jitter) }

    /// Returns the time of the look that follows a failure.
    ///
    /// - Parameters:
    ///   - failures: The looks that failed in a row, with this one.
    ///   - wish: The earliest time that the server asks for.
    public func retry(after now: Int64, failures: Int, wish: Int64?, jitter: Double) -> Int64 {
        var delay = firstDelay
        for _ in 1..<max(2, failures) where failures > 1 && delay < longestDelay { delay *= 2 }
        let own = now + spread(min(delay, longestDelay), jitter)
        return max(own, min(wish ?? own, now + longestWish))
    }

    /// Adds at most a tenth.
    private func spread(_ time: Int64, _ jitter: Double) -> Int64 {
        time + Int64(Double(time) / 10 * min(max(jitter, 0), 1))
    }
}
