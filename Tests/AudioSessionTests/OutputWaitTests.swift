// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import CGNUSource
import Glibc
import Testing

/// Also run over the loop of the sound server's library (`PulseOutputTests`): no other wait is there.
@Suite(.timeLimit(.minutes(5))) struct `How an output's thread sleeps` {
    @Test func `work that is left at the worst moment is done`() async {
        #expect(await WorstMoment.lost(of: 50, by: PollWait()) == 0)
    }

    @Test func `a signal that was read on the way to sleep is not missed, nor one that comes behind the last look`() {
        let wait = PollWait()
        #expect(WaitContract.broken(by: wait) == [])
    }

    @Test func `a poll that fails pauses, and is none that is over at once`() {
        // More descriptors than any limit allows.
        let many = 1 << 31
        let began = MonotonicTime.now()
        #expect(gnu_poll(nil, many, -1) == 0)
        #expect(MonotonicTime.now() - began >= 20 * MonotonicTime.millisecond)
        let again = MonotonicTime.now()
        #expect(gnu_poll(nil, many, 0) == 0)
        #expect(MonotonicTime.now() - again < 20 * MonotonicTime.millisecond)
    }
}
