// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import CSpeechWarp

/// A sequence of frames of speech, without the silences between them.
///
/// A frame stands for 40 ms of speech. It has nine normalised mel-frequency cepstra and their change.
struct SpeechFrames: Sendable, Equatable {
    /// The cepstra of a frame.
    static let cepstra = Int(CSPEECH_CEPSTRA)
    /// The values of a frame: cepstra and their change.
    static let dimensions = 2 * cepstra
    /// The number of steps of 10 ms that make one frame.
    static let pooling = 4
    /// The samples from one step to the next, at ``sampleRate``.
    static let step = Int(CSPEECH_STEP)
    /// The samples that a step sees.
    static let window = Int(CSPEECH_WINDOW)
    static let sampleRate = 16_000
    /// The number of frames in a second of speech.
    static let perSecond = AlignmentState.framesPerSecond

    /// The values, frame by frame.
    var values: [Float] = []
    /// The step at which each frame begins, counted from the beginning of its track or passage.
    var steps: [Int32] = []
    /// The seconds of silence before each frame; 0 within speech.
    var pauses: [Float] = []

    var count: Int { steps.count }

    mutating func append(_ other: SpeechFrames) {
        values += other.values
        steps += other.steps
        pauses += other.pauses
    }

    /// Returns the frames as if they were spoken slower by a factor.
    func stretched(by factor: Double) -> SpeechFrames {
        guard count > 1 else { return self }
        let size = Self.dimensions
        let long = max(1, Int((Double(count) * factor).rounded()))
        let pitch = Double(count) / Double(long)
        var frames = SpeechFrames()
        frames.values = [Float](repeating: 0, count: long * size)
        frames.pauses = [Float](repeating: 0, count: long)
        for frame in 0..<long {
            let place = max(0, min(Double(count - 1), (Double(frame) + 0.5) * pitch - 0.5))
            let first = min(Int(place), count - 2)
            let share = Float(place - Double(first))
            for index in 0..<size {
                let near = values[first * size + index]
                frames.values[frame * size + index] = near + share * (values[(first + 1) * size + index] - near)
            }
            frames.steps.append(steps[Int(place.rounded())])
        }
        for (frame, pause) in pauses.enumerated() where pause > 0 {
            frames.pauses[min(long - 1, Int((Double(frame) / pitch).rounded()))] += pause
        }
        return frames
    }

    /// Returns every two frames as one.
    func halved(_ range: Range<Int>) -> SpeechFrames {
        let size = Self.dimensions
        var frames = SpeechFrames()
        for first in stride(from: range.lowerBound, to: range.upperBound - 1, by: 2) {
            for index in 0..<size {
                frames.values.append((values[first * size + index] + values[(first + 1) * size + index]) / 2)
            }
            frames.steps.append(steps[first])
            frames.pauses.append(pauses[first] + pauses[first + 1])
        }
        return frames
    }

    mutating func removeFirst(_ count: Int) {
        values.removeFirst(count * Self.dimensions)
        steps.removeFirst(count)
        pauses.removeFirst(count)
    }
}

/// The mean and the spread of cepstra, by which they are normalised.
struct CepstralStatistics: Sendable, Equatable {
    var count: Float = 0
    var sums = [Float](repeating: 0, count: SpeechFrames.cepstra)
    var squares = [Float](repeating: 0, count: SpeechFrames.cepstra)

    init() {}

    /// Creates the statistics of cepstra, frame by frame.
    init(_ cepstra: [Float]) {
        let size = SpeechFrames.cepstra
        count = Float(cepstra.count / size)
        for (index, value) in cepstra.enumerated() {
            sums[index % size] += value
            squares[index % size] += value * value
        }
    }

    mutating func add(_ other: CepstralStatistics) {
        count += other.count
        for index in sums.indices {
            sums[index] += other.sums[index]
            squares[index] += other.squares[index]
        }
    }

    var means: [Float] { sums.map { $0 / max(count, 1) } }

    var deviations: [Float] {
        sums.indices.map { index in
            let mean = sums[index] / max(count, 1)
            return max(0.05, max(0, squares[index] / max(count, 1) - mean * mean).squareRoot())
        }
    }

    /// Normalises cepstra, limits them, and adds their change.
    func frames(of cepstra: [Float]) -> [Float] {
        let size = SpeechFrames.cepstra
        let count = cepstra.count / size
        let (means, deviations) = (means, deviations)
        var values = [Float](repeating: 0, count: count * SpeechFrames.dimensions)
        for frame in 0..<count {
            for index in 0..<size {
                let value = (cepstra[frame * size + index] - means[index]) / deviations[index]
                values[frame * 2 * size + index] = max(-Self.limit, min(Self.limit, value)) * Self.scale
            }
        }
        guard count > 2 * Self.reach else { return values }
        for frame in Self.reach..<count - Self.reach {
            for index in 0..<size {
                let change =
                    values[(frame + Self.reach) * 2 * size + index] - values[(frame - Self.reach) * 2 * size + index]
                values[frame * 2 * size + size + index] = change * Self.changeWeight
            }
        }
        return values
    }

    /// The deviations beyond which a value is noise.
    private static let limit: Float = 3
    /// The frames over which change is taken, to either side.
    private static let reach = 1
    private static let changeWeight: Float = 0.7
    /// Makes the mean squared distance of two frames that have nothing to do with each other about 1.
    private static let scale: Float = 0.196
}
