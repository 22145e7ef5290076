// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import AudioSession

@Suite struct `A change of volume` {
    /// A step of a fade begins 40 ms behind the first replaceable frame; a jump begins at once.
    @Test(arguments: [(to: 0.975, at: 4_800 + 1_920), (to: 0.3, at: 4_800)] as [(to: Double, at: Int64)])
    func `rewrites the stream from the first affected frame`(to volume: Double, at frame: Int64) throws {
        let source = FakeSource()
        let device = FixedDevice(format: source.format)
        let session = StreamSession(
            .test(FixedSource(source, frames: 960_000)), device: device, aheadFrames: 96_000)
        _ = try session.turn(at: 0)
        device.heard = 4_800
        device.isRecording = true
        try session.set(.volume(volume))
        #expect(device.writes.first == frame)
    }

    @Test func `that is small, near the end of what is written, writes nothing more`() throws {
        let source = FakeSource()
        source.put(1_000, at: 0, isEnd: true)
        let device = FixedDevice(format: source.format)
        let session = StreamSession(.test(source), device: device, aheadFrames: 96_000)
        _ = try session.turn(at: 0)
        device.heard = 900
        try session.set(.volume(0.975))
        #expect(device.written == 1_000)
    }
}
