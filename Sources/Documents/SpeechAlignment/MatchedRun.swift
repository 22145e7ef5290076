// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A stretch of the recording that is matched without a gap.
struct MatchedRun: Sendable, Hashable {
    var frames: Range<Int>
    /// The frames of the text.
    var spoken: Range<Int>
    var evidence: Float

    /// Returns the runs of a path.
    static func all(_ path: SpeechPair.Path, _ baseline: [Float]) -> [MatchedRun] {
        var runs: [MatchedRun] = []
        let spoken = path.spoken
        var frame = 0
        while frame < spoken.count {
            guard spoken[frame] >= 0 else {
                frame += 1
                continue
            }
            let start = frame
            var evidence: Float = 0
            while frame < spoken.count, spoken[frame] >= 0,
                frame == start || (0...2).contains(spoken[frame] - spoken[frame - 1])
            {
                evidence += baseline[frame] - path.distances[frame]
                frame += 1
            }
            runs.append(
                MatchedRun(
                    frames: start..<frame, spoken: Int(spoken[start])..<Int(spoken[frame - 1]) + 1, evidence: evidence))
        }
        return runs
    }

    /// A place of recording and text that belong together for certain.
    struct Corner: Sendable, Hashable {
        var frame: Int
        var spoken: Int
    }

    /// Returns the runs that are no chance.
    ///
    /// All together need more evidence than chance gives anywhere. Each of them needs the less, the nearer it is in both
    /// recording and text to one that is certain.
    ///
    /// - Parameters:
    ///   - size: The frames of recording and text.
    ///   - chance: The evidence that chance had somewhere.
    ///   - start: Where what is certain ends before the first frame.
    static func certain(_ runs: [MatchedRun], in size: Corner, chance: Float, from start: Corner?) -> [MatchedRun] {
        let anywhere = max(evidenceNeeded(size.frame, size.spoken, unit: Self.anywhereUnit), 1.5 * chance)
        if let start {
            let found = beside(runs[...], start, nil)
            if !found.runs.isEmpty { return found.runs }
        }
        guard let best = runs.indices.max(by: { runs[$0].evidence < runs[$1].evidence }) else { return [] }
        let seed = runs[best]
        let before = beside(runs[..<best], nil, seed.start)
        let after = beside(runs[(best + 1)...], seed.end, nil)
        // A run that takes nearly all of both has no other place to be by chance.
        let isWhole = seed.frames.count * 20 > size.frame * 17 && seed.spoken.count * 20 > size.spoken * 17
        guard seed.evidence + before.surplus + after.surplus >= anywhere * (isWhole ? 0.35 : 1) else { return [] }
        return before.runs + [seed] + after.runs
    }

    private var start: Corner { Corner(frame: frames.lowerBound, spoken: spoken.lowerBound) }
    private var end: Corner { Corner(frame: frames.upperBound, spoken: spoken.upperBound) }

    /// Returns those of the runs between two places that are certain because they are near, and by how much they are.
    private static func beside(
        _ runs: ArraySlice<MatchedRun>, _ before: Corner?, _ after: Corner?
    ) -> (runs: [MatchedRun], surplus: Float) {
        let surplus = runs.map { run in
            let fromBefore = before.map {
                evidenceNeeded(run.frames.lowerBound - $0.frame, run.spoken.lowerBound - $0.spoken, unit: besideUnit)
            }
            let fromAfter = after.map {
                evidenceNeeded($0.frame - run.frames.upperBound, $0.spoken - run.spoken.upperBound, unit: besideUnit)
            }
            return run.evidence - min(fromBefore ?? .infinity, fromAfter ?? .infinity)
        }
        guard let most = surplus.max(), most >= 0, let offset = surplus.firstIndex(of: most) else { return ([], 0) }
        let place = runs.startIndex + offset
        let (left, right) = (
            beside(runs[..<place], before, runs[place].start), beside(runs[(place + 1)...], runs[place].end, after)
        )
        return (left.runs + [runs[place]] + right.runs, left.surplus + most + right.surplus)
    }

    /// The evidence that chance does not reach in so many places.
    private static func evidenceNeeded(_ recorded: Int, _ spoken: Int, unit: Float) -> Float {
        unit * Float(log(Double(max(4, recorded)) * Double(max(4, spoken))))
    }

    /// The evidence by which e times as many places are made up for: anywhere, and beside a certain run.
    private static let anywhereUnit: Float = 1.6
    private static let besideUnit: Float = 0.8
}
