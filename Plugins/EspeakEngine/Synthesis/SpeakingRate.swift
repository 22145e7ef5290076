// SPDX-License-Identifier: Apache-2.0

/// A rate, and the speed that libespeak-ng must be given for it with the current voice.
///
/// How much faster a voice becomes at a speed depends on its language: at 420 words a minute English is 2.6 times as
/// fast as at 175, Russian 1.9 times. So the first phrases after a change are also measured at the normal speed.
///
/// Above what the voices reach by themselves, their sound is made shorter.
struct SpeakingRate {
    static let range = 0.5...3.0
    /// The rates that most voices can reach by themselves; Russian falls short of either end by 5 %.
    private static let spoken = 0.5...2.0
    static let normalSpeed = 175

    let rate: Double
    /// The factor by which the sound of the voice is made shorter; 1 if the voice speaks at the rate.
    var compression: Double { max(1, rate / Self.spoken.upperBound) }
    /// The actual speed of the voice relative to the table, averaged by seconds of speech.
    private var efficiency = 1.0
    private var weight = Self.trust

    /// The seconds of speech that the table counts for.
    private static let trust = 0.5
    /// The seconds of speech after which the voice is known.
    private static let enough = 60.0

    init(_ rate: Double) {
        self.rate = min(max(rate, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The speed in words a minute.
    var speed: Int {
        rate == 1 ? Self.normalSpeed : Self.speed(for: rate / compression / efficiency)
    }

    /// `true` if ``observe(normal:actual:at:)`` should be called for the next phrase.
    var wantsObservation: Bool { rate != 1 && weight < Self.enough }
    /// `true` if nothing was observed yet.
    var isGuess: Bool { rate != 1 && weight == Self.trust }

    /// Learns from a phrase that takes `normal` seconds at the normal speed and `actual` seconds at `speed`.
    mutating func observe(normal: Double, actual: Double, at speed: Int) {
        guard normal > 0.2, actual > 0 else { return }
        let observed = normal / actual / Self.ratio(at: speed)
        efficiency = (efficiency * weight + observed * normal) / (weight + normal)
        weight += normal
    }

    private static func speed(for ratio: Double) -> Int {
        guard let upper = table.firstIndex(where: { $0.ratio >= ratio }) else { return Int(table.last?.speed ?? 175) }
        guard upper > 0 else { return Int(table[0].speed) }
        let (low, high) = (table[upper - 1], table[upper])
        return Int((low.speed + (high.speed - low.speed) * (ratio - low.ratio) / (high.ratio - low.ratio)).rounded())
    }

    private static func ratio(at speed: Int) -> Double {
        let speed = Double(speed)
        guard let upper = table.firstIndex(where: { $0.speed >= speed }), upper > 0 else { return table[0].ratio }
        let (low, high) = (table[upper - 1], table[upper])
        return low.ratio + (high.ratio - low.ratio) * (speed - low.speed) / (high.speed - low.speed)
    }

    /// The speed of English relative to that at 175 words a minute, for each speed.
    ///
    /// Measured as the seconds of 8 kB of alice.txt, sentence by sentence (voice en, libespeak-ng 1.51). The ratio is
    /// not speed/175, because pauses shrink more slowly than sounds. Below 80 the library goes no slower; above 440 it
    /// uses another method and is slower again.
    private static let table: [(speed: Double, ratio: Double)] = [
        (80, 0.463), (90, 0.496), (100, 0.554), (120, 0.669), (140, 0.791), (160, 0.909), (175, 1.0), (200, 1.154),
        (230, 1.343), (260, 1.532), (290, 1.729), (320, 1.927), (340, 2.086), (350, 2.150), (360, 2.221), (400, 2.477),
        (420, 2.597), (440, 2.71),
    ]
}
