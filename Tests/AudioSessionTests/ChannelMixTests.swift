// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Testing

@Suite struct ChannelMixTests {
    private func heard(_ frame: [Float], _ sound: SoundOptions) -> [Float] {
        let format = AudioFormat(sampleRate: 48_000, channels: frame.count)
        let source = FakeSource(format: format) { _, channel in frame[channel] }
        source.put(10, at: 0, isEnd: true)
        let renderer = StreamRenderer(
            source: source, format: format, generation: 1, settings: StreamSettings(sound: sound),
            aheadFrames: 100, softens: false)
        var samples = [Float](repeating: .nan, count: frame.count * 10)
        #expect(renderer.render(into: &samples, frames: 10).frames == 10)
        return Array(samples.suffix(frame.count))
    }

    @Test(
        arguments: [
            ([0.5, 0.25], SoundOptions(), [0.5, 0.25]),
            ([0.5, 0.25], SoundOptions(isMono: true), [0.375, 0.375]),
            ([0.5, 0.25], SoundOptions(balance: -1), [0.5, 0]),
            ([0.5, 0.25], SoundOptions(balance: 1), [0, 0.25]),
            ([0.5, 0.25], SoundOptions(balance: 0.5), [0.25, 0.25]),
            ([0.5, 0.25], SoundOptions(isMono: true, balance: -0.5), [0.375, 0.1875]),
            ([0.5], SoundOptions(isMono: true, balance: 1), [0.5]),
            ([0.5, 0.5, 0.5, 0.5], SoundOptions(balance: 1), [0, 0.5, 0, 0.5]),
            ([0.5, 0.5, 0.5, 0.5, 0.5], SoundOptions(balance: 1), [0, 0.5, 0.5, 0, 0.5]),
            ([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], SoundOptions(balance: -1), [0.5, 0, 0.5, 0.5, 0.5, 0]),
            // The low-frequency channel is not part of the mean.
            ([1, 0, 0, 0.7, 0, 0], SoundOptions(isMono: true), [0.2, 0.2, 0.2, 0.2, 0.2, 0.2]),
            ([1, 1, 1, 1, 1, 1, 1], SoundOptions(balance: 1), [0, 1, 1, 1, 1, 0, 1]),
            ([1, 1, 1, 1, 1, 1, 1, 1], SoundOptions(balance: 1), [0, 1, 1, 1, 0, 1, 0, 1]),
        ] as [([Float], SoundOptions, [Float])])
    func `mono is the mean, and balance attenuates one side`(
        _ frame: [Float], _ sound: SoundOptions, _ expected: [Float]
    ) {
        #expect(heard(frame, sound) == expected)
    }

    @Test func `changes during playback cause no step and skip nothing`() {
        let source = FakeSource { position, channel in channel == 0 ? 0.5 : Float(position) / 1_000_000 }
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(40_000)
        #expect(listener.renderer.set(.sound(SoundOptions(isMono: true)), from: 20_000) == 20_000)
        listener.render(20_000)
        #expect(listener.renderer.place(at: 30_000)?.units == 30_000)
        #expect(listener.renderer.set(.sound(SoundOptions()), from: 30_000) == 30_000)
        listener.render(20_000)
        let samples = listener.samples
        #expect(samples[25_000 * 2] == (0.5 + Float(25_000) / 1_000_000) / 2)
        let steps = zip(samples.dropFirst(2), samples).map { abs($0 - $1) }
        #expect((steps.max() ?? .infinity) < 0.01)
        // After switching it off, samples are bit-exact again.
        #expect(samples[35_000 * 2] == 0.5)
        #expect(samples[35_000 * 2 + 1] == Float(35_000) / 1_000_000)
    }
}
