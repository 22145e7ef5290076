// SPDX-License-Identifier: Apache-2.0

import Foundation
import RandomTestSupport

/// Speech of thirty made-up sounds, for voices of different pitch, vocal tract and speed.
///
/// A sound is one period of a voice with three resonances, repeated. So a second of speech is made fast, and two voices
/// that say the same have the same resonances in the same order.
struct SyntheticVoice {
    var pitch: Double
    /// The factor of all resonances: above 1 for a shorter vocal tract.
    var tract: Double
    var speed: Double
    var noise: Float = 0

    static let synthesiser = SyntheticVoice(pitch: 110, tract: 1, speed: 1)
    static let reader = SyntheticVoice(pitch: 190, tract: 1.12, speed: 1, noise: 0.002)

    private static let sounds = 30

    private func period(_ sound: Int) -> [Float] {
        var random = SplitMix(state: UInt64(sound) + 1)
        let resonances = [
            Double.random(in: 250...900, using: &random), Double.random(in: 900...2400, using: &random),
            Double.random(in: 2400...3600, using: &random),
        ]
        let length = Int(16_000 / pitch)
        var samples = [Float](repeating: 0, count: length)
        for harmonic in 1...Int(6_000 / pitch) {
            let frequency = Double(harmonic) * pitch
            var level = 0.003
            for (index, resonance) in resonances.enumerated() {
                let distance = (frequency - resonance * tract) / (60 + 40 * Double(index))
                level += exp(-distance * distance / 2) / Double(index + 1)
            }
            for index in samples.indices {
                samples[index] += Float(
                    0.05 * level * sin(2 * .pi * Double(harmonic) * Double(index) / Double(length) + Double(harmonic)))
            }
        }
        return samples
    }

    /// Says sentences, each by its number, with pauses between them.
    ///
    /// - Returns: The sound of all, and the second at which each begins.
    func say(_ sentences: [Int], pause: Double = 0.4) -> (samples: [Float], starts: [Double]) {
        let periods = (0..<Self.sounds).map(period)
        var samples: [Float] = []
        var starts: [Double] = []
        var noises = SplitMix(state: 7)
        for sentence in sentences {
            samples += [Float](repeating: 0, count: Int(pause * 16_000))
            starts.append(Double(samples.count) / 16_000)
            var random = SplitMix(state: UInt64(sentence) &* 977 + 13)
            for _ in 0..<Int.random(in: 22...38, using: &random) {
                let sound = Int.random(in: 0..<Self.sounds, using: &random)
                let length = Int(Double.random(in: 0.06...0.13, using: &random) / speed * 16_000)
                let period = periods[sound]
                for index in 0..<length {
                    let fade = Float(min(index, length - index, 200)) / 200
                    samples.append(period[index % period.count] * (0.3 + 0.7 * fade))
                }
            }
        }
        samples += [Float](repeating: 0, count: 8_000)
        guard noise > 0 else { return (samples, starts) }
        for index in samples.indices {
            samples[index] += noise * (Float(noises.next() >> 40) / Float(1 << 23) - 1)
        }
        return (samples, starts)
    }
}
