// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing
import WaitTestSupport

/// Holds what comes to a named point until the test lets it go on.
final class Gate: Sendable {
    private struct State {
        var closed: Set<String> = []
        var waiting: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// Locked for a look or an append.
    private let state = Mutex(State())
    /// What has come to a closed gate and waits there.
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

    /// The place in the code that the gate is at.
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

    /// Returns when so many wait.
    func isReached(_ name: String, by count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
        if await reached.wait(until: { $0.count { $0 == name } >= count }) { return }
        didNotCome("“\(name)” to the gate", reached.value.joined(separator: "\n"), sourceLocation)
    }
}
