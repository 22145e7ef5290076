// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import WaitTestSupport

/// Holds whoever arrives at a named point until the test opens it.
final class Gate: Sendable {
    private struct State {
        var closed: Set<String> = []
        var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Locked for a look or an append.
    private let state = Mutex(State())
    /// The names of the closed points at which somebody waits.
    private let reached = Watched<[String]>([])

    func close(_ name: String) { state.withLock { _ = $0.closed.insert(name) } }

    func open(_ name: String) {
        let freed = state.withLock { state in
            state.closed.remove(name)
            defer { state.waiting.removeAll { $0.name == name } }
            reached.change { $0.removeAll { $0 == name } }
            return state.waiting.filter { $0.name == name }
        }
        for one in freed { one.continuation.resume() }
    }

    /// Waits while the point is closed; called from the code at that point.
    func pass(_ name: String) async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                guard state.closed.contains(name) else { return true }
                state.waiting.append((name, continuation))
                reached.change { $0.append(name) }
                return false
            }
            if passes { continuation.resume() }
        }
    }

    /// Returns when `count` callers wait at the point.
    func isReached(_ name: String, by count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        if await reached.wait(until: { $0.count { $0 == name } >= count }) { return }
        didNotCome("“\(name)” to the gate", reached.value.joined(separator: "\n"), sourceLocation)
    }
}
