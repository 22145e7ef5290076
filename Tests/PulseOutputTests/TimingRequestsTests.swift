// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Testing

@testable import PulseOutput

@Suite struct TimingRequestsTests {
    private let longest = HeardFeed.longestForetold

    @Test func `an answer is taken once`() {
        var requests = TimingRequests()
        var taken: [Bool] = []
        for time in [0, 0, 6, 5, 5] as [Int64] { taken.append(requests.take(stamped: time)) }
        #expect(taken == [true, false, true, true, false])
    }

    @Test func `an answer is believed for a limited time after the first request that follows it`() {
        var requests = TimingRequests()
        #expect(requests.believed(longest * 5) == longest * 5, "nothing was asked")
        requests.ask(at: 100)
        requests.ask(at: 200)
        #expect(requests.believed(100 + longest) == 100 + longest)
        #expect(requests.believed(101 + longest) == 100 + longest)
        #expect(requests.believed(longest * 5) == 100 + longest)
        _ = requests.take(stamped: 1)
        #expect(requests.believed(longest * 5) == longest * 5, "it was answered")
        requests.ask(at: longest * 6)
        _ = requests.take(stamped: 1)
        #expect(requests.believed(longest * 9) == longest * 7, "an old answer is none")
    }

    @Test(arguments: [(114, false), (115, false), (116, true)] as [(Int64, Bool)])
    func `a request is due once the last one is older than the given time`(_ now: Int64, _ isDue: Bool) {
        var requests = TimingRequests()
        requests.ask(at: 50)
        requests.ask(at: 100)
        #expect(requests.isDue(at: now, patience: 15) == isDue)
    }
}
