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

    /// What of a window is decided.
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
        let unrelated = SpeechPair(recorded, range, passages, reversed: true).unrelated()
        let baseline = unrelated.map { $0 * AlignmentCosts.share }
        var (path, distances) = pair.align(baseline, AlignmentCosts.matching)
        Self.dropRuns(&path, distances, baseline, unrelated, isContinuing: isContinuing, pair.spokenCount)
        var first = 0
        for (index, passage) in passages.enumerated() {
            defer { first += passage.count }
            guard passage.count > 0 else { continue }
            guard var place = Self.place(spoken: first..<first + passage.count, path) else { continue }
            place.error = Self.error(of: place.frames.lowerBound, turn: first, pair, path, baseline, recorded.steps[range])
            places[index] = place
        }
    }

    /// Takes out the runs of matched frames whose evidence could be chance.
    private static func dropRuns(
        _ path: inout [Int32], _ distances: [Float], _ baseline: [Float], _ unrelated: [Float], isContinuing: Bool,
        _ spokenCount: Int
    ) {
        let needed = Self.evidenceNeeded(path.count, spokenCount)
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
            let goesOn = isContinuing && start < SpeechFrames.perSecond && path[start] < SpeechFrames.perSecond
            if gain < (goesOn ? needed / 3 : needed) {
                for index in start..<frame { path[index] = -1 }
            }
        }
    }

    /// The evidence that chance does not reach in so many places.
    private static func evidenceNeeded(_ recorded: Int, _ spoken: Int) -> Float {
        0.9 * Float(log(Double(max(2, recorded)) * Double(max(2, spoken))))
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
        let evidence = pair.part(first..<end, spoken).profile(Array(baseline[first..<end]), turn: turn - spoken.lowerBound)
        guard let best = evidence.max() else { return Self.errorAtGap }
        let weights = evidence.map { expf(($0 - best) / Self.evidenceUnit) }
        let total = weights.reduce(0, +)
        let offsets = (first..<end).map { abs(Int(steps[steps.startIndex + $0] - steps[steps.startIndex + start])) * 10 }
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
            return Cut(passages: isLastText ? places.count : (places.lastIndex { $0 != nil } ?? -1) + 1, recorded: recordedCount)
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
            let next = places[(decided + 1)...].firstIndex(where: { $0 != nil }), let start = places[next]?.frames.lowerBound
        else { return Cut(passages: 0, recorded: 0) }
        return Cut(passages: decided + 1, recorded: min(start, max(places[decided]?.frames.upperBound ?? 0, 0)))
    }
}

