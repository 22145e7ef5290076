// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Clocks
import Testing

@testable import AudioSession

@Suite struct StreamDeadlineTests {
    /// A stream that continues another one announces no start, and its position is unknown before the device answers.
    @Test(arguments: [nil, 1] as [UInt32?])
    func `a device that has not begun is asked again soon`(_ started: UInt32?) throws {
        let source = FakeSource()
        let device = FixedDevice(format: source.format)
        device.heard = -1
        device.flows = false
        let session = StreamSession(
            .test(FixedSource(source, frames: 960_000)), device: device, aheadFrames: 96_000, alreadyStarted: started)
        let due = try #require(try session.turn(at: 0))
        #expect(due <= 25 * MonotonicTime.millisecond)
    }
}
