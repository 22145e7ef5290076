// SPDX-License-Identifier: Apache-2.0

import AlignmentFile

extension VoiceCalibration {
    /// The frames of speech from which a voice is known.
    static let framesNeeded = 60 * SpeechFrames.perSecond
    private static let bookUnit: Float = 32

    /// - Parameter cepstra: Nine values for each frame of speech.
    init(_ cepstra: [Float]) {
        let statistics = CepstralStatistics(cepstra)
        let size = SpeechFrames.cepstra
        let count = cepstra.count / size
        let stride = max(1, count / Self.bookSize)
        var book: [Int8] = []
        for frame in Swift.stride(from: 0, to: count, by: stride) {
            for index in 0..<size {
                let value = (cepstra[frame * size + index] - statistics.means[index]) / statistics.deviations[index]
                book.append(Int8(max(-96, min(96, (value * Self.bookUnit).rounded()))))
            }
        }
        self.init(means: statistics.means, deviations: statistics.deviations, book: book)
    }

    /// Typical frames, normalised.
    var points: [Float] { book.map { Float($0) / Self.bookUnit } }

    var statistics: CepstralStatistics {
        var statistics = CepstralStatistics()
        statistics.count = 1
        statistics.sums = means
        statistics.squares = zip(means, deviations).map { $0 * $0 + $1 * $1 }
        return statistics
    }
}
