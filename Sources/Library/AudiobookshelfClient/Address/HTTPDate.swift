// SPDX-License-Identifier: Apache-2.0

/// The time in a field `Date`, as servers of today write it.
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the milliseconds since 1970 of `Sat, 21 Nov 2026 08:33:29 GMT`; `nil` for any other form.
    public static func milliseconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int64(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = Int64(words[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = words[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else {
            return nil
        }
        // The days before a date, where a year begins in March.
        let shifted = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((Int64(month) + 10) % 12) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return (((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]) * 1000
    }
}

/// The difference between a server's clock and this machine's.
public struct ServerClock: Sendable, Hashable {
    /// The milliseconds that the server is ahead; `nil` before its first answer.
    public private(set) var offset: Int64?
    /// The greatest error of `offset`, in milliseconds.
    public private(set) var bound: Int64 = 0

    /// A step of the clocks is noticed if it is longer than this.
    private static let patience: Int64 = 5_000

    public init() {}

    /// Notes a server's time, which is cut to whole seconds, and when this machine asked for it and had it.
    public mutating func note(_ server: Int64, sent: Int64, received: Int64) {
        guard received >= sent else { return }
        let measured = server + 500 - (sent + (received - sent) / 2)
        let error = 500 + (received - sent + 1) / 2
        // A better measurement counts, and one that says that a clock was set.
        if let offset, error > bound, abs(measured - offset) <= error + bound + Self.patience { return }
        (offset, bound) = (measured, error)
    }

    /// Returns a time of this machine in the server's clock.
    public func server(_ own: Int64) -> Int64 { own + (offset ?? 0) }
    /// Returns a time of the server in this machine's clock.
    public func own(_ server: Int64) -> Int64 { server - (offset ?? 0) }
}
