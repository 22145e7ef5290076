// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Glibc
import Testing

/// 1 kHz in both channels, whose loudness is its amplitude in dB (ITU-R BS.1770).
private func tone(_ position: Int64, _ decibels: Double) -> Float {
    Float(pow(10, decibels / 20) * sin(2 * Double.pi * 1000 * Double(position) / 48_000))
}

private func rendered(
    _ seconds: Int, _ sound: SoundOptions, blockFrames: Int = 1024, rate: Double = 1,
    _ signal: @escaping FakeSource.Signal
) -> [Float] {
    let source = FakeSource(signal: signal)
    source.supply(generation: 1, from: 0, to: Int64(seconds) * 48_000, blockFrames: blockFrames)
    let listener = Listener(source, rate: rate, sound: sound)
    var condition = StreamRenderer.Condition.complete
    while condition != .ended {
        condition = listener.render(24_000)
        listener.renderer.heard(upTo: listener.renderer.written)
    }
    return listener.samples
}

/// Returns the amplitude of each 100 ms, in dB.
private func levels(_ samples: [Float]) -> [Double] {
    stride(from: 0, to: samples.count - 9_599, by: 9_600).map { start in
        20 * log10(Double(samples[start..<start + 9_600].map(abs).max() ?? 0))
    }
}

@Suite struct LoudnessTests {
    /// Below −33 LUFS the gain stays at 15 dB, so that noise is not amplified.
    @Test(arguments: [(-30.0, -18.0), (-12, -18), (-18, -18), (-25, -23), (-40, -25)])
    func `sound has the target loudness from its first moment`(_ level: Double, _ expected: Double) {
        let target = level == -25 ? -23.0 : -18
        let heard = levels(rendered(4, SoundOptions(loudness: target)) { position, _ in tone(position, level) })
        let farthest = heard.map { abs($0 - expected) }.max() ?? .infinity
        #expect(farthest < 0.3)
    }

    @Test(arguments: [1.0, 2.0])
    func `a new target loudness is reached slowly`(_ rate: Double) {
        let signal: FakeSource.Signal = { position, _ in tone(position, position < 10 * 48_000 ? -20 : -30) }
        let heard = levels(rendered(40, SoundOptions(loudness: -20), rate: rate, signal))
        let later = heard.dropFirst(Int(110 / rate))
        // 3 dB in a second of the source.
        let steps = zip(later.dropFirst(), later).map { $0 - $1 }
        #expect((steps.max() ?? .infinity) < 0.31 * rate + 0.1)
        #expect((steps.min() ?? -.infinity) > -0.2)
        #expect(abs((heard.last ?? 0) + 20) < 0.5)
    }

    /// As in BS.1770, a window of 400 ms that is half silent counts for less.
    @Test func `a silence between sentences hardly changes the gain`() {
        let signal: FakeSource.Signal = { position, _ in position / 96_000 % 2 == 0 ? tone(position, -24) : 0 }
        let heard = levels(rendered(12, SoundOptions(loudness: -18), signal)).filter { $0 > -60 }
        #expect(heard.count >= 60)
        #expect((heard.map { abs($0 + 18) }.max() ?? .infinity) < 1)
    }

    /// The inputs are steep bursts of full scale in quiet speech, and tones whose peaks lie between the samples.
    @Test(arguments: 0..<12)
    func `nothing clips, whatever the input`(_ seed: Int) {
        var random = SmallRandom(seed: UInt64(seed) &+ 77)
        let bursts = (0..<6).map { _ in
            (at: Int64(random.next(in: 60_000...400_000)), length: random.next(in: 1...9_000))
        }
        let period = [4.0, 6.1, 48, 480][seed % 4]
        let heard = rendered(10, SoundOptions(loudness: -16), blockFrames: random.next(in: 64...4_096)) { position, _ in
            let burst = bursts.contains { position >= $0.at && position < $0.at + Int64($0.length) }
            return burst ? Float(sin(2 * Double.pi * (Double(position) + 0.5) / period)) : tone(position, -34)
        }
        let highest = heard.map(abs).max() ?? 0
        #expect(highest <= 0.895, "−1 dBFS")
        #expect(highest > 0.3, "the bursts are there")
    }

    @Test func `the division into blocks makes no difference`() {
        let signal: FakeSource.Signal = { position, channel in
            position / 30_000 % 3 == 2 ? 0 : tone(position * (1 + Int64(channel)), Double(-10 - position / 48_000 * 3))
        }
        let sound = SoundOptions(loudness: -18, silence: 0.4)
        let one = rendered(8, sound, blockFrames: 333, signal)
        let other = rendered(8, sound, blockFrames: 8_192, signal)
        #expect(one == other)
        #expect(one.count < 8 * 96_000)
    }

    @Test func `sound that is rendered again has the same gain`() {
        let source = FakeSource { position, _ in tone(position, position / 48_000 % 2 == 0 ? -30 : -12) }
        source.supply(generation: 1, from: 0)
        let sound = SoundOptions(loudness: -18)
        let listener = Listener(source, sound: sound)
        listener.render(90_000)
        let before = Array(listener.samples[60_000 * 2..<90_000 * 2])
        let limit = HeardPosition(generation: 1, track: 9, units: 1)
        #expect(listener.renderer.set(.limit(limit), from: 60_000) == 60_000)
        listener.render(30_000)
        let after = Array(listener.samples[60_000 * 2..<90_000 * 2])
        // The crossfade of 4 ms mixes the same sound with itself.
        let differing = zip(before.dropFirst(400), after.dropFirst(400)).count { $0 != $1 }
        #expect(differing == 0)
    }

    @Test func `it is switched on and off during playback without a step`() {
        let source = FakeSource { position, _ in 0.0316 * Float(sin(Double(position) / 76.4)) }
        source.supply(generation: 1, from: 0)
        let listener = Listener(source)
        listener.render(90_000)
        _ = listener.renderer.set(.sound(SoundOptions(loudness: -20)), from: 40_000)
        listener.render(50_000)
        _ = listener.renderer.set(.sound(SoundOptions()), from: 70_000)
        listener.render(20_000)
        let steps = zip(listener.samples.dropFirst(2), listener.samples).map { abs($0 - $1) }
        #expect((steps.max() ?? .infinity) < 0.01)
        #expect(listener.samples.suffix(20_000).map(abs).max() ?? 1 < 0.032)
    }

    /// Some formats have nothing to even out, no channel to move, or no meter.
    @Test(arguments: [(8_000, 1), (192_000, 8), (384_000, 2), (44_100, 6)])
    func `every format is supported`(_ rate: Int, _ channels: Int) {
        let format = AudioFormat(sampleRate: rate, channels: channels)
        let source = FakeSource(format: format) { position, _ in
            position / Int64(rate) % 2 == 0 ? tone(position, -20) : 0
        }
        source.supply(generation: 1, from: 0, to: Int64(rate) * 3)
        let renderer = StreamRenderer(
            source: source, format: format, generation: 1,
            settings: StreamSettings(sound: SoundOptions(isMono: true, balance: -1, loudness: -18, silence: 1)),
            aheadFrames: rate * 4, softens: false)
        var samples = [Float](repeating: 0, count: rate * channels)
        var total = 0
        while true {
            let part = renderer.render(into: &samples, frames: rate)
            total += part.frames
            #expect(samples.prefix(part.frames * channels).allSatisfy { abs($0) <= 1 })
            guard part.condition == .complete else { break }
        }
        #expect(total <= rate * 3 && total > rate * 2)
        #expect(renderer.place(at: renderer.written)?.units == Int64(rate) * 3)
    }
}
