// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The making of a script whose beginning can be read already: how far it is, and the wait for more.
///
/// It goes on as long as somebody refers to it.
public final class ScriptMaking: Sendable, Hashable {
    public typealias Handler = @Sendable (Result<Void, ItemError>) -> Void

    private struct State {
        var end: Int64
        /// The way in which the making ended.
        var outcome: Result<Void, ItemError>?
        var last: UInt64 = 0
        var waiting: [UInt64: (place: Int64, handler: Handler)] = [:]
    }

    private let state: Mutex<State>
    private let abandon: @Sendable () -> Void

    /// - Parameters:
    ///   - end: The byte of the text up to which the script has been made.
    ///   - abandon: Ends the making; called when nobody refers to it any more.
    public init(end: Int64, abandon: @escaping @Sendable () -> Void) {
        state = Mutex(State(end: end))
        self.abandon = abandon
    }

    deinit {
        abandon()
        end(.failure(ItemError(.timedOut, "the making of the script was given up")))
    }

    // MARK: Whoever makes the script

    /// Notes that the script has been made up to a byte of the text.
    public func advance(to end: Int64) {
        let reached = state.withLock { state in
            state.end = max(state.end, end)
            let reached = state.waiting.filter { $0.value.place < state.end }
            for id in reached.keys { state.waiting[id] = nil }
            return reached.values.map(\.handler)
        }
        for handler in reached { handler(.success(())) }
    }

    /// Notes that the script is whole, or why it never will be.
    public func end(_ outcome: Result<Void, ItemError>) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            if state.outcome == nil { state.outcome = outcome }
            return state.waiting.values.map(\.handler)
        }
        for handler in waiting { handler(outcome) }
    }

    // MARK: Whoever reads it

    /// Calls a handler once it is known what is said at a byte of the text, if anything; at once if that is so now.
    ///
    /// - Returns: A number by which the wait can be ended; `nil` if it is over.
    @discardableResult
    public func whenReached(_ place: Int64, _ handler: @escaping Handler) -> UInt64? {
        let (id, outcome) = state.withLock { state -> (UInt64?, Result<Void, ItemError>?) in
            if place < state.end { return (nil, .success(())) }
            if let outcome = state.outcome { return (nil, outcome) }
            state.last += 1
            state.waiting[state.last] = (place, handler)
            return (state.last, nil)
        }
        if let outcome { handler(outcome) }
        return id
    }

    /// Returns `true` if it is known what is said at a byte of the text.
    public func hasReached(_ place: Int64) -> Bool {
        state.withLock { state in
            if case .success? = state.outcome { return true }
            return place < state.end
        }
    }

    /// `true` if the script will never be whole.
    public var hasFailed: Bool {
        state.withLock { state in
            if case .failure? = state.outcome { true } else { false }
        }
    }

    /// Returns once it is known what is said at a byte of the text; a task that is cancelled waits no longer.
    public func reach(_ place: Int64) async throws(ItemError) {
        let wait = ScriptWait()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                if wait.begin(caller) { wait.note(whenReached(place) { wait.finish($0) }) }
            }
        } onCancel: {
            wait.finish(.failure(ItemError(.timedOut, "the wait for the text was given up")))
        }
        if let id = wait.id { state.withLock { _ = $0.waiting.removeValue(forKey: id) } }
        try outcome.get()
    }

    public static func == (a: ScriptMaking, b: ScriptMaking) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A task's wait for a script, which ends once: with what was waited for, or with the task.
private final class ScriptWait: Sendable {
    typealias Caller = CheckedContinuation<Result<Void, ItemError>, Never>

    private let state = Mutex<(caller: Caller?, outcome: Result<Void, ItemError>?, id: UInt64?)>((nil, nil, nil))

    /// The number of the wait; `nil` if it was over at once.
    var id: UInt64? { state.withLock { $0.id } }

    func note(_ id: UInt64?) { state.withLock { $0.id = id } }

    /// Keeps the caller; returns `false` if the wait is over, which it is then told.
    func begin(_ caller: Caller) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.caller = caller }
            return state.outcome
        }
        if let outcome { caller.resume(returning: outcome) }
        return outcome == nil
    }

    func finish(_ outcome: Result<Void, ItemError>) {
        let caller = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            return state.caller.take()
        }
        caller?.resume(returning: outcome)
    }
}
