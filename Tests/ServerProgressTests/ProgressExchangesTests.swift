// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import ServerProgress
import Synchronization
import Testing
import WaitTestSupport

@Suite struct `The exchanges of an account` {
    /// A clock that goes on when a test says so.
    private final class StillClock: Sendable {
        private struct State {
            var now: Int64 = 0
            var sleepers: [(due: Int64, wake: CheckedContinuation<Void, Never>)] = []
        }

        private let state = Mutex(State())

        var now: Int64 { state.withLock(\.now) }
        var sleepers: Int { state.withLock { $0.sleepers.count } }

        func sleep(_ milliseconds: Int64) async {
            await withCheckedContinuation { wake in
                state.withLock { $0.sleepers.append(($0.now + milliseconds, wake)) }
            }
        }

        func advance(_ milliseconds: Int64) {
            let due = state.withLock { state in
                state.now += milliseconds
                let due = state.sleepers.filter { $0.due <= state.now }
                state.sleepers.removeAll { $0.due <= state.now }
                return due
            }
            for sleeper in due { sleeper.wake.resume() }
        }
    }

    private static let book = ServedItem(account: "home", item: "book-1")

    @Test func `are made at the times of the schedule, and no timer is left when nothing plays`() async {
        let server = ModelServer(time: 1_700_000_000_000)
        let clock = StillClock()
        let progress = ServerProgress(
            account: "home", server: server, store: MemoryProgressStore(), audience: ListeningAudience(),
            device: "desk", now: { 1_700_000_000_000 })
        let exchanges = ProgressExchanges(
            progress, now: { clock.now },
            sleep: { milliseconds in
                await clock.sleep(milliseconds)
                try Task.checkCancellation()
            })
        await exchanges.follow(.launched)
        await exchanges.areDone()
        #expect(await server.requests == ["all"])
        await exchanges.follow(.playing, of: Self.book)
        await until { clock.sleepers == 1 }
        await progress.note(
            ProgressRecord(milliseconds: 30_000, updatedAt: 1_700_000_000_000, provenance: .heard), of: Self.book,
            length: 36_000_000)
        clock.advance(30_000)
        await until { await server.requests.count == 3 }
        await exchanges.areDone()
        #expect(await server.requests == ["all", "read book-1", "write book-1"])
        await exchanges.follow(.paused)
        await exchanges.areDone()
        #expect(await server.requests.count == 4)
        // Old timers that are cancelled send nothing.
        clock.advance(1_000_000)
        await exchanges.areDone()
        #expect(clock.sleepers == 0)
        #expect(await server.requests.count == 4)
    }
}
