// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import PulseOutput

/// libpulse empties the pipe of its wake-ups while it prepares to sleep.
@Suite(.timeLimit(.minutes(5))) struct `The main loop of libpulse` {
    @Test func `misses no work that is queued at the worst moment`() async {
        #expect(await WorstMoment.lost(of: 50, by: PulseLoop()) == 0)
    }

    @Test func `misses no signal that is consumed on the way to sleep or that comes after the last check`() {
        #expect(WaitContract.broken(by: PulseLoop()) == [])
    }
}
