// SPDX-License-Identifier: Apache-2.0

/// The states of a value that undo and redo lead to.
struct EditHistory<Value: Sendable, Kind: Sendable & Hashable>: Sendable {
    private var past: [Value] = []
    private var future: [Value] = []
    /// The kind of the last change, and its time in ms.
    private var last: (kind: Kind, at: Int64)?

    private static var most: Int { 1000 }
    /// The ms within which changes of one kind are one.
    private static var pause: Int64 { 1000 }

    init() {}

    /// Notes the value before a change.
    ///
    /// Changes of one kind that follow each other quickly are one; those of one gesture are, however long it takes.
    mutating func note(_ before: Value, _ kind: Kind, isGesture: Bool = false, at now: Int64) {
        defer { last = (kind, now) }
        future = []
        if let last, last.kind == kind, isGesture || now - last.at < Self.pause, !past.isEmpty { return }
        past.append(before)
        if past.count > Self.most { past.removeFirst() }
    }

    /// Returns the value before the last change; `nil` if there is none.
    mutating func undo(_ present: Value) -> Value? {
        guard let value = past.popLast() else { return nil }
        future.append(present)
        last = nil
        return value
    }

    mutating func redo(_ present: Value) -> Value? {
        guard let value = future.popLast() else { return nil }
        past.append(present)
        last = nil
        return value
    }
}
