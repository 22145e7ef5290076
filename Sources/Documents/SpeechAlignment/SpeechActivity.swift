// SPDX-License-Identifier: Apache-2.0

/// The steps of 10 ms in which somebody speaks.
enum SpeechActivity {
    /// Steps of silence that still belong to speech, such as the closure of a plosive.
    private static let shortestPause = 12
    /// Steps of sound that are no speech, such as a click.
    private static let shortestSpeech = 4

    /// Returns the level between silence and speech, in natural logarithms of energy.
    ///
    /// - Parameter energies: The energies of at least some seconds.
    static func threshold(of energies: [Float]) -> Float {
        guard !energies.isEmpty else { return 0 }
        let sorted = energies.sorted()
        let low = sorted[sorted.count / 20]
        let high = sorted[sorted.count * 19 / 20]
        return max(low + 0.42 * (high - low), high - 6.5)
    }

    /// Returns the runs of steps with speech.
    static func runs(_ energies: [Float], threshold: Float) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for (step, energy) in energies.enumerated() {
            if energy > threshold {
                if start == nil { start = step }
            } else if let first = start {
                runs.append(first..<step)
                start = nil
            }
        }
        if let first = start { runs.append(first..<energies.count) }
        var joined: [Range<Int>] = []
        for run in runs {
            if let last = joined.last, run.lowerBound - last.upperBound < shortestPause {
                joined[joined.count - 1] = last.lowerBound..<run.upperBound
            } else {
                joined.append(run)
            }
        }
        return joined.filter { $0.count >= shortestSpeech }
    }

    /// Cepstra of frames of speech, with the step at which each begins and the steps of silence before it.
    struct Pooled {
        var cepstra: [Float] = []
        var steps: [Int32] = []
        var pauses: [Int32] = []
    }

    /// Returns the means of cepstra over whole frames, and leaves silence out.
    ///
    /// - Parameters:
    ///   - cepstra: Nine values for each step.
    ///   - silence: The steps of silence before the first one.
    static func pool(_ cepstra: ArraySlice<Float>, _ runs: [Range<Int>], silence: Int = 0) -> Pooled {
        let size = SpeechFrames.cepstra
        var pooled = Pooled()
        var end = -silence
        for run in runs {
            for index in 0..<max(1, (run.count + SpeechFrames.pooling / 2) / SpeechFrames.pooling) {
                let first = run.lowerBound + index * SpeechFrames.pooling
                let last = min(run.upperBound, first + SpeechFrames.pooling)
                guard last > first else { break }
                for coefficient in 0..<size {
                    var sum: Float = 0
                    for step in first..<last { sum += cepstra[cepstra.startIndex + step * size + coefficient] }
                    pooled.cepstra.append(sum / Float(last - first))
                }
                pooled.steps.append(Int32(first))
                pooled.pauses.append(index == 0 ? Int32(max(0, first - end)) : 0)
            }
            end = run.upperBound
        }
        return pooled
    }
}
