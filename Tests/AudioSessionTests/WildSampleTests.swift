// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import AudioSession

/// Whatever a source delivers, each stage outputs finite numbers that are not far beyond the permitted input.
@Suite struct `Samples that are not audio` {
    struct Path: CustomTestStringConvertible, Sendable {
        var sound: SoundOptions
        var rate: Double
        var channels: Int
        var testDescription: String {
            "\(sound.isMono ? "mono " : "")balance \(sound.balance) loudness \(sound.loudness ?? 0) "
                + "silence \(sound.silence ?? 0) rate \(rate) channels \(channels)"
        }
    }

    static let sounds = [
        SoundOptions(), SoundOptions(isMono: true, balance: 1), SoundOptions(balance: -0.3),
        SoundOptions(loudness: -12),
        SoundOptions(silence: 0.3), SoundOptions(isMono: true, balance: 0.5, loudness: -12, silence: 0.3),
    ]
    static let paths = sounds.flatMap { sound in
        [(1.0, 2), (0.5, 2), (3.0, 1), (1.3, 6), (1.0, 8)].map { Path(sound: sound, rate: $0.0, channels: $0.1) }
    }
    static let signals = [WildSamples.signal, WildSamples.loudest, WildSamples.faint]

    @Test(arguments: paths) func `come out of every path as finite numbers`(_ path: Path) {
        for signal in Self.signals {
            let format = AudioFormat(sampleRate: 48_000, channels: path.channels)
            let source = FakeSource(format: format, signal: signal)
            source.supply(generation: 1, from: 0, to: 60_000)
            let renderer = StreamRenderer(
                source: source, format: format, generation: 1,
                settings: StreamSettings(rate: path.rate, volume: 0.7, sound: path.sound), aheadFrames: 48_000)
            var worst: Float = 0
            var step = 0
            var buffer = [Float](repeating: 0, count: 4_800 * path.channels)
            // Each revision replaces some of the rendered sound, with a fade over what follows.
            while step < 200 {
                let from = max(0, renderer.written - 400)
                switch step % 6 {
                case 1: _ = renderer.set(.volume(step % 4 == 1 ? 1 : 0.2), from: from)
                case 2: _ = renderer.pause(from: from)
                case 3: _ = renderer.resume(from: renderer.written)
                case 4: _ = renderer.set(.sound(path.sound), from: from)
                case 5: _ = renderer.set(.rate(path.rate), from: from)
                default: break
                }
                let rendered = buffer.withUnsafeMutableBufferPointer { buffer in
                    buffer.baseAddress.map { renderer.render(into: $0, frames: 4_800) }
                }
                guard let rendered else { break }
                for sample in buffer.prefix(rendered.frames * path.channels) {
                    worst = sample.isFinite ? max(worst, sample.magnitude) : .infinity
                }
                renderer.heard(upTo: renderer.written)
                step += 1
                if rendered.condition == .ended, step % 6 != 3 { break }
            }
            // This allows for 15 dB of gain, and a fade over another sound.
            #expect(worst <= SampleBounds.largest * 12, "after \(step) steps")
            #expect(renderer.written > 0)
        }
    }

    @Test(arguments: [-16.0, 0, 1, 5]) func `are bounded on input, and valid samples are unchanged`(
        _ large: Double
    ) {
        #expect(SampleBounds.bounded(Float(large)) == Float(large))
        for sample in WildSamples.chosen {
            let bounded = SampleBounds.bounded(sample)
            #expect(bounded.isFinite && bounded.magnitude <= SampleBounds.largest)
            if sample.magnitude <= SampleBounds.largest { #expect(bounded.bitPattern == sample.bitPattern) }
            if !sample.isFinite { #expect(bounded == 0) }
        }
    }

    @Test func `each have a nearest integer, at every scale`() {
        for scale in [32_768.0, 8_388_608, 2_147_483_648] {
            for sample in WildSamples.chosen {
                let value = SampleBounds.integer(sample, fullScale: scale)
                #expect(value.magnitude <= UInt64(scale) * 16)
            }
            for position in 0..<100_000 {
                #expect(
                    SampleBounds.integer(WildSamples.signal(Int64(position), 0), fullScale: scale).magnitude <= UInt64(
                        scale) * 16)
            }
            #expect(SampleBounds.integer(0.5, fullScale: scale) == Int64(scale / 2))
        }
    }

    @Test(arguments: [1, 2, 4, 5, 6, 7, 8]) func `stay finite with mono and balance`(_ channels: Int) {
        for balance in [-1, -0.2, 0, 1, Double.nan, .infinity] {
            let mix = ChannelMix(SoundOptions(isMono: true, balance: balance), channels: channels)
            var samples = (0..<channels * 64).map { SampleBounds.bounded(WildSamples.loudest(Int64($0), 0)) }
            samples.withUnsafeMutableBufferPointer { samples in
                if let base = samples.baseAddress { mix.apply(to: base, frames: 64) }
            }
            #expect(samples.allSatisfy { $0.isFinite && $0.magnitude <= SampleBounds.largest })
        }
    }

    @Test func `leave the gain finite`() {
        let values: [Float] = [.nan, .infinity, 0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1, 16]
        for loudness in [Double.nan, .infinity, -.infinity, -200, 200, -18, 1e308] {
            var leveler = Leveler(target: -18)
            for peak in values {
                for next in values {
                    let gain = leveler.gain(loudness: loudness, peaks: (peak, next, 1))
                    #expect(gain.from.isFinite && gain.to.isFinite && gain.to >= 0 && gain.from >= 0)
                }
            }
        }
    }

    @Test func `a volume that is not a number gives an amplitude from 0 to 1`() {
        for volume in [Double.nan, .infinity, -.infinity, -1, 2, 1e308, Double.leastNonzeroMagnitude] {
            #expect((0...1).contains(StreamGain.amplitude(volume)))
        }
    }
}
