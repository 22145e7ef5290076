// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that changes and that tests can wait for.
public final class Watched<Value: Sendable>: Sendable {
    private struct Waiter {
        var id: Int
        var test: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var value: Value
        var waiters: [Waiter] = []
        var lastID = 0
        var isOver = false

        /// Removes and returns the waiters that fulfil a condition.
        mutating func take(_ isDue: (Waiter) -> Bool) -> [Waiter] {
            if waiters.isEmpty { return [] }
            var (due, rest): ([Waiter], [Waiter]) = ([], [])
            for waiter in waiters {
                if isDue(waiter) { due.append(waiter) } else { rest.append(waiter) }
            }
            waiters = rest
            return due
        }
    }

    /// Reason for the lock: reports come from other threads; held for a change and a check.
    private let state: Mutex<State>

    public init(_ value: Value) { state = Mutex(State(value: value)) }

    public var value: Value { read { $0 } }

    public func read<Part>(_ body: (Value) -> Part) -> Part { state.withLock { body($0.value) } }

    public func change(_ body: (inout Value) -> Void) {
        let due = state.withLock { state in
            body(&state.value)
            let value = state.value
            return state.take { $0.test(value) }
        }
        for waiter in due { waiter.continuation.resume(returning: true) }
    }

    /// Ends all waits: nothing changes any more.
    public func end() {
        let due = state.withLock { state in
            state.isOver = true
            return state.take { _ in true }
        }
        for waiter in due { waiter.continuation.resume(returning: true) }
    }

    /// Waits until the value passes the test, or nothing changes any more.
    ///
    /// - Returns: `false` if the task was cancelled first, for example by a time limit.
    public func wait(until test: @escaping @Sendable (Value) -> Bool) async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.isOver || test(state.value) { return true }
                    state.waiters.append(Waiter(id: id, test: test, continuation: continuation))
                    return false
                }
                if isDone {
                    continuation.resume(returning: true)
                } else if Task.isCancelled {
                    // It was cancelled before it began to wait, so the handler found no waiter.
                    giveUp(id)
                }
            }
        } onCancel: {
            giveUp(id)
        }
    }

    private func giveUp(_ id: Int) {
        let due = state.withLock { state in state.take { $0.id == id } }
        for waiter in due { waiter.continuation.resume(returning: false) }
    }
}
