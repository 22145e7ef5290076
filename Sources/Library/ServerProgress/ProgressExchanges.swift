// SPDX-License-Identifier: Apache-2.0

public import ProgressSync

/// Runs the exchanges of one account at the times of its schedule.
///
/// It has at most one timer, and none while nothing plays and nobody looks on.
public actor ProgressExchanges {
    private let progress: ServerProgress
    private let now: @Sendable () -> Int64
    private let sleep: @Sendable (Int64) async throws -> Void
    private var schedule = SyncSchedule()
    private var timer: Task<Void, Never>?
    private var playing: ServedItem?
    private var running: Task<Void, Never>?

    /// - Parameters:
    ///   - now: Returns the milliseconds of a clock that never jumps.
    ///   - sleep: Returns after some milliseconds of that clock, or throws if the task is cancelled.
    public init(
        _ progress: ServerProgress, now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Int64) async throws -> Void
    ) {
        self.progress = progress
        self.now = now
        self.sleep = sleep
    }

    /// Follows an event of the session.
    ///
    /// - Parameter item: The item that plays; read alone while it does.
    public func follow(_ event: SyncSchedule.Event, of item: ServedItem? = nil) {
        if let item { playing = item }
        let scope: ServerProgress.Scope =
            switch event {
            case .launched, .networkBack, .attached: .all
            default: playing.map(ServerProgress.Scope.item) ?? .all
            }
        if case .paused = event { playing = nil }
        if case .stopped = event { playing = nil }
        if case .ended = event { playing = nil }
        let begins = schedule.handle(event, at: now())
        wait()
        if begins { begin(scope) }
    }

    /// Returns when no exchange is going on.
    public func areDone() async {
        while let running { await running.value }
    }

    private func begin(_ scope: ServerProgress.Scope) {
        running = Task {
            let outcome = await progress.exchange(scope)
            running = nil
            follow(outcome == .exchanged ? .exchanged : .unreachable)
        }
    }

    private func wait() {
        timer?.cancel()
        timer = nil
        guard let due = schedule.due else { return }
        let rest = max(0, due - now())
        timer = Task { [sleep] in
            do {
                try await sleep(rest)
            } catch {
                return
            }
            follow(.timer)
        }
    }
}
