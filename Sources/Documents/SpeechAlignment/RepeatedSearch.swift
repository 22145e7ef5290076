// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Glibc

/// The search for what a stretch of the recording without a place says again of the text around it.
///
/// The stretch is laid on the passages that are near, whether they were found or not, and for comparison on the same
/// passages reversed. Only what lies on a part that was found elsewhere is a repetition: the tail of a passage that was
/// found but for its tail is not.
struct RepeatedSearch {
    /// A passage of the text that was decided, or is in the window.
    struct Passage: Sendable {
        /// The bytes of the reading text.
        var range: Range<Int>
        /// The frames as the voice speaks them.
        var frames: SpeechFrames
        /// The part that was found, in thousandths; empty if none was.
        var heard: Range<Int>
    }

    /// Something of the text that is said again.
    struct Find: Sendable, Hashable {
        /// The frames of the recording.
        var frames: Range<Int>
        /// The indices of the passages of which something is said.
        var passages: ClosedRange<Int>
    }

    /// The frames of recording or text within which something is near: it is said again soon, or never.
    static let reach = 60 * SpeechFrames.perSecond
    /// The fewest frames of speech that are looked at: a second and a half.
    static let least = 3 * SpeechFrames.perSecond / 2
    /// The frames beside a find that are too few to be anything else, and of a passage that are enough to name it.
    private static let few = SpeechFrames.perSecond
    /// The evidence by which e times as many places are made up for.
    ///
    /// Speech of the same reader that is not in the text has less nearly always, unless its words are those of the text. A
    /// line of a poem that is read twice may have less, too, and is then not recognised.
    private static let unit: Float = 1.2
    /// The factor by which chance must be exceeded.
    private static let aboveChance: Float = 1.5

    private let recorded: SpeechFrames
    private let baseline: [Float]
    private let counts: [Int]
    private let pair: SpeechPair
    private let reversed: SpeechPair
    /// The passage of each spoken frame, and whether that frame was found elsewhere.
    private var owners: [(passage: Int, isHeard: Bool)] = []

    /// - Parameters:
    ///   - baseline: For each recorded frame, the distance below which it speaks for a match.
    ///   - passages: Passages that follow each other.
    ///   - pace: By how much slower than the voice the reader is.
    init(_ recorded: SpeechFrames, _ baseline: [Float], _ passages: [Passage], pace: Double) {
        (self.recorded, self.baseline) = (recorded, baseline)
        let frames = passages.map { $0.frames.stretched(by: pace) }
        counts = frames.map(\.count)
        pair = SpeechPair(recorded, 0..<0, frames)
        reversed = SpeechPair(recorded, 0..<0, frames, reversed: true)
        for (index, passage) in passages.enumerated() {
            let count = counts[index]
            owners += (0..<count).map { (index, passage.heard.contains($0 * ReadSentence.whole / count)) }
        }
    }

    /// Returns what a stretch says again, in order.
    func finds(in stretch: Range<Int>) -> [Find] {
        guard owners.contains(where: \.isHeard) else { return [] }
        let finds = joined(parts(of: stretch).sorted { $0.frames.lowerBound < $1.frames.lowerBound })
        return finds.indices.map { index in
            var find = finds[index]
            let start = index == 0 ? stretch.lowerBound : find.frames.lowerBound
            let end = index + 1 < finds.count ? finds[index + 1].frames.lowerBound : stretch.upperBound
            if find.frames.lowerBound - start < Self.few { find.frames = start..<find.frames.upperBound }
            if end - find.frames.upperBound < Self.few { find.frames = find.frames.lowerBound..<end }
            return find
        }
    }

    /// Finds what fits best, and then what is said before and behind it, in whatever order.
    private func parts(of stretch: Range<Int>) -> [Find] {
        guard stretch.count >= Self.least, let find = best(in: stretch) else { return [] }
        return [find] + parts(of: stretch.lowerBound..<find.frames.lowerBound)
            + parts(of: find.frames.upperBound..<stretch.upperBound)
    }

    /// Returns the path of a stretch through the passages, or through what they are reversed.
    private func path(of stretch: Range<Int>, _ pair: SpeechPair, _ baseline: [Float]) -> SpeechPair.Path {
        var pair = pair
        let size = SpeechFrames.dimensions
        pair.recorded = recorded.values[stretch.lowerBound * size..<stretch.upperBound * size]
        pair.pauses = recorded.pauses[stretch]
        return pair.align(baseline, AlignmentCosts.matching)
    }

    private func best(in stretch: Range<Int>) -> Find? {
        let baseline = Array(baseline[stretch])
        let path = path(of: stretch, pair, baseline)
        let runs = MatchedRun.all(path, baseline).compactMap { heard($0, path, baseline) }
        guard let best = runs.max(by: { $0.evidence < $1.evidence }), let passages = named(best.spoken) else {
            return nil
        }
        let chance = MatchedRun.all(self.path(of: stretch, reversed, baseline), baseline).map(\.evidence).max()
        let places = Float(log(Double(stretch.count) * Double(owners.count)))
        guard best.evidence >= max(Self.unit * places, Self.aboveChance * (chance ?? 0)) else { return nil }
        let frames = stretch.lowerBound + best.frames.lowerBound..<stretch.lowerBound + best.frames.upperBound
        return Find(frames: frames, passages: passages)
    }

    /// Returns the part of a run that lies on what was found elsewhere.
    private func heard(_ run: MatchedRun, _ path: SpeechPair.Path, _ baseline: [Float]) -> MatchedRun? {
        let frames = run.frames.filter { owners[Int(path.spoken[$0])].isHeard }
        guard let first = frames.first, let last = frames.last else { return nil }
        let evidence = frames.reduce(Float(0)) { $0 + baseline[$1] - path.distances[$1] }
        return MatchedRun(
            frames: first..<last + 1, spoken: Int(path.spoken[first])..<Int(path.spoken[last]) + 1, evidence: evidence)
    }

    /// Returns the passages of which spoken frames say more than a sound at an edge.
    private func named(_ spoken: Range<Int>) -> ClosedRange<Int>? {
        var said: [Int: Int] = [:]
        for frame in spoken { said[owners[frame].passage, default: 0] += 1 }
        let named = said.filter { $0.value >= min(Self.few, counts[$0.key] * 6 / 10) }.keys
        guard let first = named.min(), let last = named.max() else { return nil }
        return first...last
    }

    /// Joins finds that say one passage after the other.
    private func joined(_ finds: [Find]) -> [Find] {
        var joined: [Find] = []
        for find in finds {
            if let last = joined.last, find.frames.lowerBound - last.frames.upperBound < Self.few,
                (0...1).contains(find.passages.lowerBound - last.passages.upperBound)
            {
                joined[joined.count - 1] = Find(
                    frames: last.frames.lowerBound..<find.frames.upperBound,
                    passages: last.passages.lowerBound...max(last.passages.upperBound, find.passages.upperBound))
            } else {
                joined.append(find)
            }
        }
        return joined
    }
}
