// SPDX-License-Identifier: Apache-2.0

import AlignmentFile

/// A passage of the text as an engine spoke it.
public struct SpokenPassage: Sendable, Hashable {
    /// The bytes of the reading text.
    public var range: Range<Int>
    /// The sound, mono at 16 kHz.
    public var samples: [Float]

    public init(_ range: Range<Int>, samples: [Float]) {
        self.range = range
        self.samples = samples
    }
}

/// Frames of a passage that was spoken.
struct SpokenFrames: Sendable {
    var range: Range<Int>
    var pooled: SpeechActivity.Pooled

    init(_ passage: SpokenPassage) {
        range = passage.range
        // A passage longer than five minutes is none; a text without any end of a sentence is cut before it gets here.
        let samples =
            passage.samples.count > Self.mostSamples ? Array(passage.samples.prefix(Self.mostSamples)) : passage.samples
        let steps = samples.count / SpeechFrames.step
        let (cepstra, energies) = CepstralBank.spoken.cepstra(of: samples, steps: steps)
        let runs = SpeechActivity.runs(energies, threshold: SpeechActivity.threshold(of: energies))
        pooled = SpeechActivity.pool(cepstra[...], runs)
    }

    private static let mostSamples = 300 * SpeechFrames.sampleRate

    func frames(_ voice: VoiceCalibration) -> SpeechFrames {
        SpeechFrames(
            values: voice.statistics.frames(of: pooled.cepstra), steps: pooled.steps,
            pauses: pooled.pauses.map { Float($0) / 100 })
    }
}
