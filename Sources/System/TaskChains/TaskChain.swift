// SPDX-License-Identifier: Apache-2.0

/// Tasks of an actor that run one after the other, in the order in which they were appended.
public struct TaskChain: Sendable {
    /// The newest task; when it has ended, so have all before it.
    public private(set) var last: Task<Void, Never>?

    public init() {}

    /// Appends a task that begins when the one before it has ended.
    @discardableResult
    public mutating func append<Owner: Actor>(
        on owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) async -> Void
    ) -> Task<Void, Never> {
        let before = last
        let task = Task {
            await before?.value
            await body(owner)
        }
        last = task
        return task
    }

    /// Adds a running task; the next task begins when that and those before it have ended.
    public mutating func join(_ task: Task<Void, Never>) {
        let before = last
        last = Task {
            await before?.value
            await task.value
        }
    }

    /// Puts a running task in place of the chain; the tasks after it wait for it alone.
    public mutating func restart(with task: Task<Void, Never>) { last = task }

    /// Lets the next task begin at once; the tasks before it go on by themselves.
    public mutating func abandon() { last = nil }
}
