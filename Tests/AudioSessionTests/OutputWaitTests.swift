// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import CAllocationCount
import CGNUSource
import Clocks
import Glibc
import Synchronization
import Testing

/// An output that does nothing in its turns but count.
private actor Turns {
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private let poll = PollWait()
    private let thread: OutputThread

    private final class Count: Sendable {
        let turns = Atomic<Int>(0)
    }

    init() { thread = OutputThread(name: "turns", wait: poll, isUrgent: false) }

    /// Returns how often the thread allocated or freed memory in 100 turns and the waits between them.
    func allocations() async -> Int32 {
        let count = Count()
        defer { thread.retire() }
        return await withCheckedContinuation { continuation in
            thread.setTurn { [poll] in
                let turn = count.turns.add(1, ordering: .relaxed).newValue
                if turn == 3 { allocation_count_begin() }
                if turn == 103 { continuation.resume(returning: allocation_count_end()) }
                // Half of the waits have a signal to drain.
                if turn % 2 == 0 { poll.wake() }
                return turn < 103 ? MonotonicTime.now() : nil
            }
        }
    }
}

/// The same tests run over the loop of the sound server's library (`PulseOutputTests`); there is no other wait.
@Suite(.timeLimit(.minutes(5))) struct `The sleep of an output's thread` {
    @Test func `misses no work that is queued at the worst moment`() async {
        #expect(await WorstMoment.lost(of: 50, by: PollWait()) == 0)
    }

    @Test func `misses no signal that is consumed on the way to sleep or that comes after the last check`() {
        let wait = PollWait()
        #expect(WaitContract.broken(by: wait) == [])
    }

    @Test func `allocates nothing, nor does the turn before it`() async {
        let count = await Turns().allocations()
        #expect(count == 0)
    }

    @Test func `pauses if poll fails, instead of returning at once`() {
        // This is more file descriptors than any limit allows.
        let many = 1 << 31
        let began = MonotonicTime.now()
        #expect(gnu_poll(nil, many, -1) == 0)
        #expect(MonotonicTime.now() - began >= 20 * MonotonicTime.millisecond)
        let again = MonotonicTime.now()
        #expect(gnu_poll(nil, many, 0) == 0)
        #expect(MonotonicTime.now() - again < 20 * MonotonicTime.millisecond)
    }
}
