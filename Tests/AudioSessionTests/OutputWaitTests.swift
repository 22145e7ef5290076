// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
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
}
