// SPDX-License-Identifier: Apache-2.0

/// The search for a recording in a long text, when the two have lost each other.
///
/// Short stretches of the recording are laid on every place of the text, and for comparison on the text reversed. Two
/// stretches in a row that fit much better than chance, and as far from each other as they should be, are a find.
struct LostSearch {
    /// The frames of a stretch.
    static let stretch = 16 * SpeechFrames.perSecond
    /// The evidence by which the text must be better than the reversed text: for two stretches, and for a single one.
    private static let enough: Float = 10
    private static let plenty: Float = 30
    /// The cells that one search may cost.
    private static let budget = 1_000_000_000

    private let recorded: SpeechFrames
    private let range: Range<Int>
    private let passages: [SpeechFrames]

    init(_ recorded: SpeechFrames, _ range: Range<Int>, _ passages: [SpeechFrames]) {
        self.recorded = recorded
        self.range = range
        self.passages = passages
    }

    /// Returns the frame of the recording and the passage from which on they should be aligned.
    func place() -> (recorded: Int, passages: Int)? {
        let count = passages.reduce(0) { $0 + $1.count }
        guard count > 0, range.count >= Self.stretch / 4 else { return nil }
        let cost = 2 * Self.stretch * count
        let most = max(3, Self.budget / max(1, cost))
        let step = max(Self.stretch, range.count / most)
        var pair = SpeechPair(recorded, 0..<0, passages)
        var reversed = SpeechPair(recorded, 0..<0, passages, reversed: true)
        var before: (frame: Int, spoken: Int, better: Float)?
        for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            let part = start..<min(range.upperBound, start + Self.stretch)
            guard part.count >= Self.stretch / 4 else { break }
            let size = SpeechFrames.dimensions
            pair.recorded = recorded.values[part.lowerBound * size..<part.upperBound * size]
            pair.pauses = recorded.pauses[part]
            (reversed.recorded, reversed.pauses) = (pair.recorded, pair.pauses)
            let found = pair.scan(0.5)
            let chance = reversed.scan(0.5)
            let better = (found.evidence - chance.evidence) * Float(Self.stretch) / Float(part.count)
            if better > Self.plenty { return back(start, found.spoken.lowerBound) }
            if better > Self.enough, let before {
                let recordedStep = Double(start - before.frame)
                let spokenStep = Double(found.spoken.lowerBound - before.spoken)
                if spokenStep > 0.4 * recordedStep, spokenStep < 2.2 * recordedStep {
                    return back(before.frame, before.spoken)
                }
            }
            before = better > Self.enough ? (start, found.spoken.lowerBound, better) : nil
        }
        return nil
    }

    /// Goes back by some seconds in both, so that the first match is not missed.
    private func back(_ frame: Int, _ spoken: Int) -> (recorded: Int, passages: Int) {
        let seconds = Self.stretch
        var first = 0
        var passage = 0
        while passage < passages.count, first + passages[passage].count <= max(0, spoken - seconds * 3 / 2) {
            first += passages[passage].count
            passage += 1
        }
        return (max(0, frame - seconds), passage)
    }
}
