// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A task whose result several others wait for; it is cancelled when all of them are.
public final class SharedTask<Value: Sendable>: Sendable {
    private struct State {
        var waiters = 0
        /// `true` once nobody waits any more.
        var isGivenUp = false
    }

    private let task: Task<Value, Never>
    private let state = Mutex(State())

    public init(_ work: @escaping @Sendable () async -> Value) { task = Task(operation: work) }

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
            state.isGivenUp = state.waiters == 0
            return state.isGivenUp
        }
        if isLast { task.cancel() }
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
