// SPDX-License-Identifier: Apache-2.0

/// A rate, and the speed that the model must be given for it.
struct SpeakingSpeed: Hashable {
    /// The rates at which the model itself speaks.
    ///
    /// Faster speech is the session's: a model that hurries drops sounds. At twice the speed, a recogniser takes 61 of 100
    /// words of en_US-joe-medium for others if the model makes it, 53 if the model makes 1.4 × of it, and 46 if the
    /// session makes all (`Benchmarks/intelligibility`).
    static let range = 0.5...1.0

    let rate: Double

    init(_ rate: Double) {
        self.rate = rate.isFinite ? min(max(rate, Self.range.lowerBound), Self.range.upperBound) : 1
    }

    /// The speed for the model, in relation to the one of its maker.
    var speed: Double {
        if rate == 1 { return 1 }
        guard let upper = Self.table.firstIndex(where: { $0.rate >= rate }), upper > 0 else {
            return Self.table[0].speed
        }
        let (low, high) = (Self.table[upper - 1], Self.table[upper])
        return low.speed + (high.speed - low.speed) * (rate - low.rate) / (high.rate - low.rate)
    }

    /// The rate at which a sentence is heard, for each speed.
    ///
    /// Measured as the seconds of 45 sentences of alice.txt without the silence around them, with the voice
    /// en_US-joe-medium. The rate is not the speed, because the model rounds the length of each sound up to whole steps
    /// of 12 ms, and the sounds outnumber those that are heard.
    private static let table: [(speed: Double, rate: Double)] = [
        (0.4, 0.468), (0.5, 0.573), (0.6, 0.674), (0.7, 0.768), (0.8, 0.855), (1, 1),
    ]
}
