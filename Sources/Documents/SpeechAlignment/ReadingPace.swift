// SPDX-License-Identifier: Apache-2.0

/// The pace of a reader, compared with that of the voice.
enum ReadingPace {
    /// The paces that are tried: by how much slower than the voice the reader is, without pauses.
    private static let paces = [0.64, 0.76, 0.91, 1.08, 1.28, 1.52, 1.8, 2.14]

    /// Returns the pace at which a part of the recording fits the text best.
    ///
    /// A pace is tried on frames that are twice as long, which costs a quarter.
    static func of(_ recorded: SpeechFrames, _ range: Range<Int>, _ passages: [SpeechFrames]) -> Double {
        let sound = recorded.halved(range)
        let halves = passages.map { $0.halved(0..<$0.count) }
        let every = 0..<sound.count
        guard sound.count > 0, halves.contains(where: { $0.count > 0 }) else { return 1 }
        let unrelated = SpeechPair(sound, every, halves, reversed: true).unrelated().map { $0 * AlignmentCosts.share }
        var best = (pace: 1.0, evidence: -Float.infinity)
        for pace in paces {
            let pair = SpeechPair(sound, every, halves.map { $0.stretched(by: pace) })
            let evidence = pair.align(unrelated, AlignmentCosts.halved).evidence
            if evidence > best.evidence { best = (pace, evidence) }
        }
        return best.pace
    }
}
