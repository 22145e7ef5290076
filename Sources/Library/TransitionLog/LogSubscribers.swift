// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The subscribers that follow the log while it is written.
final class LogSubscribers: Sendable {
    /// The number of lines that a subscriber may fall behind before it loses the oldest.
    static let capacity = 256

    private struct State {
        var continuations: [Int: AsyncStream<String>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    func add() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingNewest(Self.capacity))
        let id: Int? = state.withLock {
            if $0.isFinished { return nil }
            $0.next += 1
            $0.continuations[$0.next] = continuation
            return $0.next
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    func yield(_ line: ArraySlice<UInt8>) {
        // Copied, because a continuation that ends calls back and takes the lock.
        let continuations = state.withLock { Array($0.continuations.values) }
        if continuations.isEmpty { return }
        let text = String(decoding: line, as: UTF8.self)
        for continuation in continuations { continuation.yield(text) }
    }

    func finish() {
        let continuations = state.withLock {
            let continuations = $0.continuations.values
            $0 = State(isFinished: true)
            return Array(continuations)
        }
        for continuation in continuations { continuation.finish() }
    }
}
