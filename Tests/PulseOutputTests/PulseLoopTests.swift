// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import PulseOutput

/// The library reads the pipe of its wake-ups empty while it prepares to sleep.
@Suite(.timeLimit(.minutes(5))) struct `The loop of the sound server's library` {
    @Test func `work that is left at the worst moment is done`() async {
        #expect(await WorstMoment.lost(of: 50, by: PulseLoop()) == 0)
    }

    @Test func `a signal that was read on the way to sleep is not missed, nor one that comes behind the last look`() {
        #expect(WaitContract.broken(by: PulseLoop()) == [])
    }
}
