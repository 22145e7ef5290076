// SPDX-License-Identifier: Apache-2.0

/// What speed libespeak-ng must be given for a rate.
enum SpeakingRate {
    /// Below, the library's speed has a floor; above, it drops samples by another method and is slower again.
    static let range = 0.5...2.8

    /// Words a minute at which speech is `rate` times as fast as at 175.
    static func wordsPerMinute(_ rate: Double) -> Int {
        let rate = min(max(rate, range.lowerBound), range.upperBound)
        guard let upper = measured.firstIndex(where: { $0.ratio >= rate }), upper > 0 else { return 175 }
        let (low, high) = (measured[upper - 1], measured[upper])
        return Int((low.speed + (high.speed - low.speed) * (rate - low.ratio) / (high.ratio - low.ratio)).rounded())
    }

    /// How many times as fast as at 175 words a minute speech is at each speed.
    ///
    /// Measured as seconds of 12 kB of alice.txt (from byte 20,000; voice en, libespeak-ng 1.51). The ratio is not speed/175: pauses between clauses shrink more slowly than sounds.
    private static let measured: [(speed: Double, ratio: Double)] = [
        (90, 0.4802), (100, 0.5381), (110, 0.5963), (120, 0.6559), (130, 0.7203), (140, 0.7819), (150, 0.8405),
        (160, 0.9044), (170, 0.9694), (175, 1.0), (180, 1.0344), (190, 1.0996), (200, 1.1629), (210, 1.2277),
        (220, 1.3001), (230, 1.3691), (240, 1.4385), (250, 1.5076), (260, 1.5815), (270, 1.6510), (280, 1.7331),
        (290, 1.8021), (300, 1.8850), (310, 1.9567), (320, 2.0390), (330, 2.1327), (340, 2.2404), (350, 2.3233),
        (360, 2.4036), (370, 2.4837), (380, 2.5528), (390, 2.6163), (400, 2.6798), (410, 2.7400), (420, 2.8012),
    ]
}
