// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import AudioSession

@Suite struct `A change of a setting` {
    private static let sound = SoundOptions(isMono: true)
    private static let limit = HeardPosition(generation: 1, track: 2, units: 3)

    @Test(
        arguments: [
            (.rate(2), StreamSettings(rate: 2)), (.volume(0.5), StreamSettings(volume: 0.5)),
            (.sound(sound), StreamSettings(sound: sound)), (.limit(limit), StreamSettings(limit: limit)),
            (.limit(nil), StreamSettings()),
        ] as [(StreamSetting, StreamSettings)])
    func `leaves the others as they are`(_ setting: StreamSetting, _ expected: StreamSettings) {
        var settings = StreamSettings()
        settings.set(setting)
        #expect(settings == expected)
    }

    /// Each begins at the first frame that the device can still replace.
    @Test(
        arguments: [
            .rate(2), .volume(0.2), .sound(sound), .sound(SoundOptions(silence: 0.3)),
            .limit(HeardPosition(generation: 1, track: 0, units: 20_000)),
        ] as [StreamSetting])
    func `is heard at once`(_ setting: StreamSetting) throws {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let device = FixedDevice(format: source.format)
        let session = StreamSession(.test(source), device: device, aheadFrames: 96_000)
        _ = try session.turn(at: 0)
        device.heard = 4_800
        device.isRecording = true
        try session.set(setting)
        #expect(device.writes.first == 4_800)
        #expect(session.renderer.place(at: 4_800)?.units == 4_800)
    }

    @Test func `to the same rate writes nothing`() throws {
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        let device = FixedDevice(format: source.format)
        let session = StreamSession(.test(source), device: device, aheadFrames: 96_000)
        _ = try session.turn(at: 0)
        device.isRecording = true
        try session.set(.rate(1))
        #expect(device.writes == [])
    }
}
