// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A wait for an answer that has a timeout.
///
/// A call that does not answer continues by itself, and its later answer is dropped.
struct Patience: Sendable {
    let clock: any Clock<Duration>

    /// Returns the answer of a call; `nil` if none came in time.
    func answer<Answer: Sendable>(
        within limit: Duration, of call: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        await withCheckedContinuation { continuation in
            let first = FirstAnswer(continuation)
            let timer = Task { [clock] in
                guard (try? await clock.sleep(for: limit)) != nil else { return }
                first.give(nil)
            }
            Task {
                let answer = await call()
                timer.cancel()
                first.give(answer)
            }
        }
    }
}

private final class FirstAnswer<Answer: Sendable>: Sendable {
    /// Reason for the lock: answer and deadline come on different threads, and only one of them may resume; held for a
    /// swap.
    private let waiting: Mutex<CheckedContinuation<Answer?, Never>?>

    init(_ continuation: CheckedContinuation<Answer?, Never>) { waiting = Mutex(continuation) }

    func give(_ answer: Answer?) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: answer)
    }
}
