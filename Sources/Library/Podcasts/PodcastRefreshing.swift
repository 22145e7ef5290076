// SPDX-License-Identifier: Apache-2.0

/// Refreshes podcasts in the background as long as a session runs.
public struct PodcastRefreshing: Sendable {
    /// The longest sleep, after which the clock is looked at again: a machine may sleep, and its clock be set.
    static let longestSleep: Int64 = 15 * 60_000
    /// The shortest, so that no fault makes a loop of requests.
    static let shortestSleep: Int64 = 10_000

    private let podcasts: PodcastLibrary
    private let now: @Sendable () -> Int64
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: Returns after some time, and throws if its task is cancelled.
    public init(
        _ podcasts: PodcastLibrary, now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.podcasts = podcasts
        self.now = now
        self.sleep = sleep
    }

    /// Refreshes what is due, again and again, until the task is cancelled.
    ///
    /// - Parameter isWanted: Returns whether feeds are refreshed by themselves now; asked before each round.
    public func run(while isWanted: @Sendable () async -> Bool) async {
        while !Task.isCancelled {
            var wait = Self.longestSleep
            if await isWanted() {
                if let next = await podcasts.refreshDue().next {
                    wait = min(wait, max(Self.shortestSleep, next - now()))
                }
            }
            do {
                try await sleep(.milliseconds(wait))
            } catch {
                return
            }
        }
    }
}
