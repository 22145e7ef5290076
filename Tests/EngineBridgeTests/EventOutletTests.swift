// SPDX-License-Identifier: Apache-2.0

import EngineTransport
import MediaPlayback
import Testing

@testable import EngineBridge

@Suite struct EventOutletTests {
    private let error = EngineError(number: EngineNumber.misbehaved, message: "the engine says too much")

    @Test func `an engine whose events nobody reads is detected, and its end is still delivered`() async {
        let outlet = EventOutlet()
        var told = 0
        while outlet.yield(.log(level: "info", message: "\(told)")) { told += 1 }
        #expect((100_000...200_000).contains(told))
        #expect(!outlet.isFinished)
        outlet.finish(.gone(error, leavesSound: true))
        #expect(outlet.isFinished)
        var (heard, last) = (0, EngineEvent?.none)
        for await event in outlet.stream { (heard, last) = (heard + 1, event) }
        // The event that was one too many is among them, too.
        #expect(heard == told + 2)
        guard case .gone(error, leavesSound: true, end: nil) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
    }

    @Test func `an engine that was asked to quit ends without a last event`() async {
        let outlet = EventOutlet()
        #expect(outlet.yield(.log(level: "info", message: "bye")))
        outlet.finish(nil)
        var heard = 0
        for await _ in outlet.stream { heard += 1 }
        #expect(heard == 1 && outlet.isFinished)
    }
}
