// SPDX-License-Identifier: Apache-2.0

/// Knowledge about the voice that speaks the text, from the first minute of it.
///
/// It is kept with an alignment, so that one that is resumed goes on exactly as it began.
public struct VoiceCalibration: Sendable, Hashable {
    /// The mean of each cepstrum, and its deviation.
    var means: [Float]
    var deviations: [Float]
    /// Typical frames, normalised, in 32nds of a deviation.
    var book: [Int8]

    /// The frames of speech from which a voice is known.
    static let framesNeeded = 60 * SpeechFrames.perSecond
    private static let bookSize = 500
    private static let bookUnit: Float = 32

    init(means: [Float], deviations: [Float], book: [Int8]) {
        (self.means, self.deviations, self.book) = (means, deviations, book)
    }

    /// - Parameter cepstra: Nine values for each frame of speech.
    init(_ cepstra: [Float]) {
        let statistics = CepstralStatistics(cepstra)
        (means, deviations) = (statistics.means, statistics.deviations)
        let size = SpeechFrames.cepstra
        let count = cepstra.count / size
        let stride = max(1, count / Self.bookSize)
        var book: [Int8] = []
        for frame in Swift.stride(from: 0, to: count, by: stride) {
            for index in 0..<size {
                let value = (cepstra[frame * size + index] - means[index]) / deviations[index]
                book.append(Int8(max(-96, min(96, (value * Self.bookUnit).rounded()))))
            }
        }
        self.book = book
    }

    /// `true` if the numbers can be used; a file may have any.
    var isSound: Bool {
        means.count == SpeechFrames.cepstra && deviations.count == SpeechFrames.cepstra
            && means.allSatisfy(\.isFinite) && deviations.allSatisfy { $0.isFinite && $0 > 0 }
            && book.count % SpeechFrames.cepstra == 0 && book.count <= 4 * Self.bookSize * SpeechFrames.cepstra
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
