// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The best alignment of a window of the recording with a window of the text, and what of it can be believed.
struct WindowMatch: Sendable {
    /// The place of a passage in the window.
    struct Place: Sendable {
        var frames: Range<Int>
        /// Milliseconds.
        var error: Int
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
    private let recordedCount: Int
    /// The evidence of each passage, as a share of the distance of unrelated speech.
    private(set) var evidence: [Float] = []

    var hasMatch: Bool { places.contains { $0 != nil } }

    init(_ recorded: SpeechFrames, _ range: Range<Int>, _ passages: [SpeechFrames], isContinuing: Bool) {
        recordedCount = range.count
        places = [Place?](repeating: nil, count: passages.count)
        let pair = SpeechPair(recorded, range, passages)
        guard pair.spokenCount > 0, !range.isEmpty else { return }
        let reversed = SpeechPair(recorded, range, passages, reversed: true)
        let unrelated = reversed.unrelated()
        let baseline = unrelated.map { $0 * AlignmentCosts.share }
        var (path, distances) = pair.align(baseline, AlignmentCosts.matching)
        // Whatever the reversed text seems to match is chance.
        let chance = reversed.align(baseline, AlignmentCosts.matching)
        let runs = Self.runs(chance.path, chance.distances, baseline)
        let needed = max(Self.evidenceNeeded(path.count, pair.spokenCount), 1.5 * (runs.map(\.gain).max() ?? 0))
        let found = Self.runs(path, distances, baseline)
        var accepted = found.map { run in
            let first = path[run.frames.lowerBound]
            let spoken = Int(path[run.frames.upperBound - 1] - first)
            let goesOn =
                isContinuing && run.frames.lowerBound < SpeechFrames.perSecond && first < SpeechFrames.perSecond
            // A run that takes nearly all of both has no other place to be by chance.
            let isWhole = run.frames.count * 20 > path.count * 17 && spoken * 20 > pair.spokenCount * 17
            return run.gain >= needed * (goesOn || isWhole ? 0.35 : 1)
        }
        // Beside what is certain, and where its pace leads, less is enough.
        if let best = found.indices.filter({ accepted[$0] }).max(by: { found[$0].gain < found[$1].gain }) {
            let pace = Self.pace(path, found[best].frames)
            for index in found.indices where !accepted[index] && found[index].gain >= needed * 0.35 {
                let between =
                    index < best
                    ? found[index].frames.upperBound - 1..<found[best].frames.lowerBound
                    : found[best].frames.upperBound - 1..<found[index].frames.lowerBound
                accepted[index] = Self.isAtPace(path, between, pace)
            }
        }
        for (run, isAccepted) in zip(found, accepted) where !isAccepted {
            for frame in run.frames { path[frame] = -1 }
        }
        let bridges = Self.bridge(&path)
        var first = 0
        for (index, passage) in passages.enumerated() {
            defer { first += passage.count }
            guard passage.count > 0 else { continue }
            guard var place = Self.place(spoken: first..<first + passage.count, path) else { continue }
            let start = place.frames.lowerBound
            let steps = recorded.steps[range]
            if let bridge = bridges.first(where: { $0.contains(start) }) {
                // It lies somewhere between the two that were found.
                let step = steps[range.lowerBound + start]
                place.error =
                    10
                    * Int(
                        max(
                            step - steps[range.lowerBound + bridge.lowerBound - 1],
                            steps[range.lowerBound + bridge.upperBound] - step))
            } else {
                place.error = Self.error(of: start, turn: first, pair, path, baseline, steps)
            }
            places[index] = place
        }
    }

    /// Spoken frames for each recorded one.
    private static func pace(_ path: [Int32], _ frames: Range<Int>) -> Double {
        Double(path[frames.upperBound - 1] - path[frames.lowerBound] + 1) / Double(frames.count)
    }

    /// Returns whether a stretch between two matched frames takes about as long in both, at a pace.
    private static func isAtPace(_ path: [Int32], _ ends: Range<Int>, _ pace: Double) -> Bool {
        let recorded = Double(ends.count)
        let spoken = Double(path[ends.upperBound] - path[ends.lowerBound])
        return spoken > 0.6 * pace * recorded && spoken < 1.6 * pace * recorded
    }

    /// Joins runs with a stretch between them that takes about as long in both, so that it is likely the same.
    ///
    /// Nothing is known of what lies where in such a stretch; it is spread evenly.
    private static func bridge(_ path: inout [Int32]) -> [Range<Int>] {
        var bridges: [Range<Int>] = []
        var start: Int?
        var end: Int?
        for frame in path.indices where path[frame] >= 0 {
            if let last = end, let first = start, frame - last > 1 || path[frame] - path[last] > 2 {
                let recorded = frame - last - 1
                let spoken = Int(path[frame] - path[last]) - 1
                if recorded > 0, spoken > 0, recorded <= Self.longestBridge,
                    isAtPace(path, last..<frame, pace(path, first..<last + 1))
                {
                    for index in 0..<recorded {
                        path[last + 1 + index] = path[last] + 1 + Int32(index * spoken / recorded)
                    }
                    bridges.append(last + 1..<frame)
                } else {
                    start = frame
                }
            }
            if start == nil { start = frame }
            end = frame
        }
        return bridges
    }

    private static let longestBridge = 30 * SpeechFrames.perSecond

    /// Returns the runs of frames that are matched without a gap, with the evidence of each.
    private static func runs(
        _ path: [Int32], _ distances: [Float], _ baseline: [Float]
    ) -> [(frames: Range<Int>, gain: Float)] {
        var runs: [(frames: Range<Int>, gain: Float)] = []
        var frame = 0
        while frame < path.count {
            guard path[frame] >= 0 else {
                frame += 1
                continue
            }
            let start = frame
            var gain: Float = 0
            while frame < path.count, path[frame] >= 0, frame == start || path[frame] - path[frame - 1] <= 2 {
                gain += baseline[frame] - distances[frame]
                frame += 1
            }
            runs.append((start..<frame, gain))
        }
        return runs
    }

    /// The evidence that chance does not reach in so many places.
    private static func evidenceNeeded(_ recorded: Int, _ spoken: Int) -> Float {
        1.6 * Float(log(Double(max(2, recorded)) * Double(max(2, spoken))))
    }

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
        return Place(frames: first..<end, error: 0)
    }

    /// Returns the time by which a passage may begin earlier or later, in milliseconds.
    ///
    /// It is read from how much evidence other beginnings near it would have.
    private static func error(
        of start: Int, turn: Int, _ pair: SpeechPair, _ path: [Int32], _ baseline: [Float], _ steps: ArraySlice<Int32>
    ) -> Int {
        let reach = 3 * SpeechFrames.perSecond
        var first = start
        while first > max(0, start - reach), path[first - 1] >= 0, path[first] - path[first - 1] <= 2 { first -= 1 }
        var end = start + 1
        while end < min(path.count, start + reach), path[end] >= 0, path[end] - path[end - 1] <= 2 { end += 1 }
        guard path[first] < turn, first < start, Int(path[end - 1]) > turn else { return Self.errorAtGap }
        let spoken = Int(path[first])..<Int(path[end - 1]) + 1
        let evidence = pair.part(first..<end, spoken).profile(
            Array(baseline[first..<end]), turn: turn - spoken.lowerBound)
        guard let best = evidence.max() else { return Self.errorAtGap }
        let weights = evidence.map { expf(($0 - best) / Self.evidenceUnit) }
        let total = weights.reduce(0, +)
        let offsets = (first..<end).map {
            abs(Int(steps[steps.startIndex + $0] - steps[steps.startIndex + start])) * 10
        }
        var outside: Float = 0
        for index in offsets.indices.sorted(by: { offsets[$0] > offsets[$1] }) {
            outside += weights[index]
            if outside > 0.05 * total { return offsets[index] + Self.leastError }
        }
        return Self.leastError
    }

    /// The bound of a passage that begins behind a gap.
    private static let errorAtGap = 500
    private static let leastError = 80
    /// The evidence that makes a beginning more probable by a factor of e.
    private static let evidenceUnit: Float = 0.4

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
