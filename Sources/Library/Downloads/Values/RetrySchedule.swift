// SPDX-License-Identifier: Apache-2.0

/// The pauses between attempts at servers that are away, each server by itself.
struct RetrySchedule: Sendable, Hashable {
    static let first = Duration.seconds(1)
    static let longest = Duration.seconds(300)

    private struct Lane: Hashable {
        var failures: Int
        var until: Duration
    }
    private var lanes: [String: Lane] = [:]

    /// Notes that a server is away; the pause doubles with each failure.
    mutating func failed(_ server: String, at now: Duration, pause: Duration?) {
        let failures = (lanes[server]?.failures ?? 0) + 1
        let doubled = Self.first * (1 << min(failures - 1, 9))
        lanes[server] = Lane(failures: failures, until: now + max(pause ?? .zero, min(doubled, Self.longest)))
    }

    /// Notes that something came from a server, which is there then.
    mutating func answered(_ server: String) { lanes[server] = nil }

    /// Ends the pauses, as when the network is back; failures still count.
    mutating func hurry() {
        for server in lanes.keys { lanes[server]?.until = .zero }
    }

    /// Returns how long nothing is asked of a server; `nil` if it may be asked now.
    func pause(of server: String, at now: Duration) -> Duration? {
        guard let lane = lanes[server], lane.until > now else { return nil }
        return lane.until - now
    }
}
