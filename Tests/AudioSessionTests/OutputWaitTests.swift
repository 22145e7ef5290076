// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import CGNUSource
import Clocks
import Glibc
import Testing

/// The same tests run over the loop of the sound server's library (`PulseOutputTests`); there is no other wait.
@Suite(.timeLimit(.minutes(5))) struct `The sleep of an output's thread` {
    @Test func `misses no work that is queued at the worst moment`() async {
        #expect(await WorstMoment.lost(of: 50, by: PollWait()) == 0)
    }

    @Test func `misses no signal that is consumed on the way to sleep or that comes after the last check`() {
        let wait = PollWait()
        #expect(WaitContract.broken(by: wait) == [])
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
