// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A line of the file of an alignment.
///
/// The first has the header, the second the voice, every other a step. Sentences and unmatched sound are arrays of
/// numbers, since there are thousands of them.
struct AlignmentLine: Codable {
    /// The version of the format, in the first line.
    var alignment: Int?
    var header: AlignmentHeader?
    var voice: Voice?
    /// First and last byte, track, start and end in milliseconds, error; the error is -1 without a match.
    var sentences: [[Int64]]?
    /// Track, first and last millisecond.
    var unmatched: [[Int64]]?
    /// Track, first and last millisecond, first and last byte of the text that is said again; missing if none is.
    var repeated: [[Int64]]?
    var place: Place?
    var isLast: Bool?

    struct Voice: Codable {
        var means: [Float]
        var deviations: [Float]
        var book: Data
    }

    struct Place: Codable {
        var text: Int
        var track: Int
        var step: Int32
        var isContinuing: Bool
        var isLost: Bool
        var isRetrying: Bool
        var horizon: Int
        var matchedTrack: Int
        var matchedEnd: Int64
        /// First and last byte, and the part that was found in thousandths; missing if there is none.
        var recent: [[Int64]]?
    }

    init(_ header: AlignmentHeader) {
        alignment = AlignmentFile.version
        self.header = header
    }

    init(_ voice: VoiceCalibration) {
        self.voice = Voice(
            means: voice.means, deviations: voice.deviations, book: Data(voice.book.map { UInt8(bitPattern: $0) }))
    }

    init(_ step: AlignmentStep) {
        sentences = step.sentences.map { sentence in
            [
                Int64(sentence.range.lowerBound), Int64(sentence.range.upperBound), Int64(sentence.track),
                sentence.start, sentence.end, sentence.isMatched ? Int64(sentence.error) : -1,
            ]
        }
        unmatched = step.unmatched.map { [Int64($0.track), $0.range.lowerBound, $0.range.upperBound] }
        let state = step.state
        place = Place(
            text: state.text, track: state.track, step: state.step, isContinuing: state.isContinuing,
            isLost: state.isLost, isRetrying: state.isRetrying, horizon: state.horizon,
            matchedTrack: state.matchedTrack, matchedEnd: state.matchedEnd,
            recent: state.recent.isEmpty ? nil : state.recent.map { Self.numbers($0.range) + Self.numbers($0.heard) })
        if !step.repeated.isEmpty {
            repeated = step.repeated.map {
                [Int64($0.track), $0.range.lowerBound, $0.range.upperBound] + Self.numbers($0.text)
            }
        }
        isLast = step.isLast
    }

    var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that are not finite cannot be encoded, and there are none.
        return Array((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Adds the line to what was read; returns `false` if it does not belong there.
    func take(_ alignment: inout Alignment, _ voice: inout VoiceCalibration?) -> Bool {
        if let line = self.voice {
            let calibration = VoiceCalibration(
                means: line.means, deviations: line.deviations, book: line.book.map { Int8(bitPattern: $0) })
            guard voice == nil, calibration.isSound else { return false }
            voice = calibration
            return true
        }
        guard let voice, let place, let sentences, let unmatched, let isLast else { return false }
        var state = AlignmentState(voice: voice, text: place.text, track: place.track, step: place.step)
        (state.isContinuing, state.isLost, state.isRetrying) = (place.isContinuing, place.isLost, place.isRetrying)
        (state.horizon, state.matchedTrack, state.matchedEnd) = (place.horizon, place.matchedTrack, place.matchedEnd)
        for numbers in place.recent ?? [] {
            guard numbers.count == 4, let range = Self.bytes(numbers[0], numbers[1]),
                let heard = Self.bytes(numbers[2], numbers[3])
            else { return false }
            state.recent.append(ReadSentence(range: range, heard: heard))
        }
        var step = AlignmentStep(state: state, isLast: isLast)
        var end = Int64(alignment.sentences.last?.range.upperBound ?? 0)
        for numbers in sentences {
            guard let sentence = Self.sentence(numbers, from: end) else { return false }
            end = numbers[1]
            step.sentences.append(sentence)
        }
        for numbers in unmatched {
            guard numbers.count == 3, Self.tracks.contains(numbers[0]), Self.times.contains(numbers[1]),
                Self.times.contains(numbers[2]), numbers[1] <= numbers[2]
            else { return false }
            step.unmatched.append(UnmatchedSound(track: Int(numbers[0]), range: numbers[1]..<numbers[2]))
        }
        for numbers in repeated ?? [] {
            guard numbers.count == 5, Self.tracks.contains(numbers[0]), Self.times.contains(numbers[1]),
                Self.times.contains(numbers[2]), numbers[1] <= numbers[2], let text = Self.bytes(numbers[3], numbers[4])
            else { return false }
            step.repeated.append(
                RepeatedSound(track: Int(numbers[0]), range: numbers[1]..<numbers[2], text: text))
        }
        guard state.isSound, end <= Int64(state.text) || sentences.isEmpty else { return false }
        alignment.append(step)
        return true
    }

    private static let tracks: Range<Int64> = 0..<1 << 20
    private static let times: Range<Int64> = 0..<1 << 40

    private static func numbers(_ range: Range<Int>) -> [Int64] { [Int64(range.lowerBound), Int64(range.upperBound)] }

    private static func bytes(_ first: Int64, _ end: Int64) -> Range<Int>? {
        first >= 0 && first <= end && end < 1 << 40 ? Int(first)..<Int(end) : nil
    }

    private static func sentence(_ numbers: [Int64], from end: Int64) -> AlignedSentence? {
        guard numbers.count == 6, numbers[0] >= end, numbers[0] <= numbers[1], numbers[1] < 1 << 40,
            tracks.contains(numbers[2]), times.contains(numbers[3]), times.contains(numbers[4]),
            numbers[3] <= numbers[4], (-1..<1 << 30).contains(numbers[5])
        else { return nil }
        return AlignedSentence(
            range: Int(numbers[0])..<Int(numbers[1]), track: Int(numbers[2]), start: numbers[3], end: numbers[4],
            error: Int(max(0, numbers[5])), isMatched: numbers[5] >= 0)
    }
}
