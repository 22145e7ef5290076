// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The best alignment of a window of the recording with a window of the text, and what of it can be believed.
struct WindowMatch: Sendable {
    /// The place of a passage in the window.
    struct Place: Sendable {
        var frames: Range<Int>
        /// Milliseconds.
        var error: Int
        /// The frames of the passage, at the reader's pace, that were found.
        var heard: Range<Int>
    }

    /// The part of a window that is decided.
    struct Cut: Sendable, Equatable {
        var passages: Int
        var recorded: Int
        /// `true` if recording and text have nothing to do with each other from here on.
        var isLost = false
    }

    /// The place of each passage; `nil` if it has none.
    private(set) var places: [Place?]
    /// The pace of the reader.
    private(set) var pace = 1.0
    /// The distance below which each frame of the window speaks for a match.
    private(set) var baseline: [Float] = []
    private let recordedCount: Int

    init(_ recorded: SpeechFrames, _ range: Range<Int>, _ passages: [SpeechFrames], isContinuing: Bool) {
        recordedCount = range.count
        places = [Place?](repeating: nil, count: passages.count)
        guard !range.isEmpty, passages.contains(where: { $0.count > 0 }) else { return }
        pace = ReadingPace.of(recorded, range, passages)
        let passages = passages.map { [pace] in $0.stretched(by: pace) }
        let pair = SpeechPair(recorded, range, passages)
        let reversed = SpeechPair(recorded, range, passages, reversed: true)
        baseline = reversed.unrelated().map { $0 * AlignmentCosts.share }
        var path = pair.align(baseline, AlignmentCosts.matching)
        // Whatever the reversed text seems to match is chance.
        let chance = MatchedRun.all(reversed.align(baseline, AlignmentCosts.matching), baseline).map(\.evidence).max()
        let runs = MatchedRun.all(path, baseline)
        let certain = MatchedRun.certain(
            runs, in: .init(frame: range.count, spoken: pair.spokenCount), chance: chance ?? 0,
            from: isContinuing ? .init(frame: 0, spoken: 0) : nil)
        guard !certain.isEmpty else { return }
        for run in runs where !certain.contains(run) {
            for frame in run.frames { path.spoken[frame] = -1 }
        }
        find(passages, pair, path, recorded.steps[range])
    }

    /// Finds the place of each passage, and how well it is known.
    private mutating func find(
        _ passages: [SpeechFrames], _ pair: SpeechPair, _ path: SpeechPair.Path, _ steps: ArraySlice<Int32>
    ) {
        var turns: [UInt32] = []
        var spoken = 0
        for passage in passages where passage.count > 0 {
            turns.append(UInt32(spoken))
            spoken += passage.count
        }
        let (met, passed) = pair.marginals(baseline, AlignmentCosts.matching, turns: turns)
        var turn = -1
        for (index, passage) in passages.enumerated() where passage.count > 0 {
            turn += 1
            let first = Int(turns[turn])
            guard var place = Self.place(spoken: first..<first + passage.count, path.spoken) else { continue }
            let evidence = met[turn * recordedCount..<(turn + 1) * recordedCount]
            // The recording might as well do without the passage.
            guard let best = evidence.max(), best - passed[turn] > Self.leastMargin else { continue }
            let start = place.frames.lowerBound
            place.error = Self.error(of: start, evidence, steps)
            // What stands before it in the recording is not in the text, and may be taken for its first words.
            if start > 0, path.spoken[start - 1] < 0 { place.error = max(place.error, Self.leastErrorBehindGap) }
            places[index] = place
        }
    }

    /// The evidence that a passage must have beyond an alignment without it.
    private static let leastMargin: Float = 2

    private static func place(spoken: Range<Int>, _ path: [Int32]) -> Place? {
        guard let first = path.firstIndex(where: { $0 >= spoken.lowerBound }) else { return nil }
        var end = first
        var seen = 0
        var last = Int32(spoken.lowerBound) - 1
        var inside = 0
        for frame in first..<path.count {
            if path[frame] < 0 { continue }
            guard path[frame] < spoken.upperBound else { break }
            if path[frame] > last {
                seen += min(Int(path[frame] - last), 2)
                last = path[frame]
            }
            inside += 1
            end = frame + 1
        }
        guard inside > 0, seen * 10 >= spoken.count * 6 else { return nil }
        let heard = Int(path[first]) - spoken.lowerBound..<Int(last) + 1 - spoken.lowerBound
        return Place(frames: first..<end, error: 0, heard: heard)
    }

    /// Returns the time by which a passage may begin earlier or later, in milliseconds.
    ///
    /// It is read from how much evidence other beginnings would have.
    private static func error(of start: Int, _ evidence: ArraySlice<Float>, _ steps: ArraySlice<Int32>) -> Int {
        guard let best = evidence.max() else { return 0 }
        let weights = evidence.map { expf(($0 - best) / evidenceUnit) }
        let few = 0.05 * weights.reduce(0, +)
        let offset = { (frame: Int) in abs(Int(steps[steps.startIndex + frame] - steps[steps.startIndex + start])) * 10
        }
        // From both ends, the farther one first, until one case in 20 lies outside.
        var outside: Float = 0
        var ends = 0...weights.count - 1
        while ends.lowerBound < ends.upperBound {
            let isFirst = offset(ends.lowerBound) > offset(ends.upperBound)
            let frame = isFirst ? ends.lowerBound : ends.upperBound
            outside += weights[frame]
            if outside > few { return offset(frame) + leastError }
            ends = isFirst ? ends.lowerBound + 1...ends.upperBound : ends.lowerBound...ends.upperBound - 1
        }
        return leastError
    }

    private static let leastError = 80
    private static let leastErrorBehindGap = 1500
    /// The evidence that makes a beginning more probable by a factor of e.
    private static let evidenceUnit: Float = 0.5

    /// Returns how much of the window is decided.
    ///
    /// - Parameters:
    ///   - isLast: `true` if the recording ends with the window.
    ///   - margin: The frames at the end that the next window decides.
    func cut(isLast: Bool, margin: Int, isLastText: Bool) -> Cut {
        if isLast {
            return Cut(
                passages: isLastText ? places.count : (places.lastIndex { $0 != nil } ?? -1) + 1,
                recorded: recordedCount)
        }
        guard let last = places.lastIndex(where: { $0 != nil }), let end = places[last]?.frames.upperBound else {
            return Cut(passages: 0, recorded: 0)
        }
        if recordedCount - end > 2 * margin {
            // The rest has no match here; what comes next may be far away.
            return Cut(passages: last + 1, recorded: end, isLost: true)
        }
        let limit = recordedCount - margin
        guard let decided = places.lastIndex(where: { $0.map { $0.frames.upperBound <= limit } ?? false }),
            let next = places[(decided + 1)...].firstIndex(where: { $0 != nil }),
            let start = places[next]?.frames.lowerBound
        else { return Cut(passages: 0, recorded: 0) }
        return Cut(passages: decided + 1, recorded: min(start, max(places[decided]?.frames.upperBound ?? 0, 0)))
    }
}
