// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A task whose result several others wait for; it is cancelled when all of them are, unless another one comes soon.
public final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        var waiters = 0
        /// `true` once nobody waits any more.
        var isGivenUp = false
    }

    private let task: Task<Value, Never>
    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameter patience: The time in which another waiter may come when the last has left.
    public init(patience: Duration = .zero, _ work: @escaping @Sendable () async -> Value) {
        self.patience = patience
        task = Task(operation: work)
    }

    /// Adds a waiter, who must then ask for ``value`` or ``leave()``; returns `false` if the task was given up.
    public func join() -> Bool {
        state.withLock { state in
            if !state.isGivenUp { state.waiters += 1 }
            return !state.isGivenUp
        }
    }

    /// Takes a waiter away who does not ask for ``value``; the task is cancelled if it was the last.
    public func leave() {
        let isLast = state.withLock { state in
            state.waiters -= 1
            return state.waiters == 0
        }
        guard isLast else { return }
        guard patience > .zero else { return giveUp() }
        Task {
            try? await ContinuousClock().sleep(for: patience)
            giveUp()
        }
    }

    private func giveUp() {
        let isGivenUp = state.withLock { state in
            if state.waiters == 0 { state.isGivenUp = true }
            return state.isGivenUp
        }
        if isGivenUp { task.cancel() }
    }

    /// The result, for a waiter; if that is cancelled, it counts no longer, and gets what the task returns then.
    public var value: Value {
        get async {
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                leave()
            }
        }
    }
}
