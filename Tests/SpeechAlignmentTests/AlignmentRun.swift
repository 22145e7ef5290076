// SPDX-License-Identifier: Apache-2.0

import AlignmentFile

@testable import SpeechAlignment

/// An alignment of a text of numbered sentences with a recording, both made up.
///
/// Sentence n of the text has the bytes 10 n to 10 n + 9.
struct AlignmentRun {
    var text: [Int]
    var tracks: [[Float]]
    var steps: [AlignmentStep] = []

    var sentences: [AlignedSentence] { steps.flatMap(\.sentences) }
    var matched: [AlignedSentence] { sentences.filter(\.isMatched) }
    var unmatched: [UnmatchedSound] { steps.flatMap(\.unmatched) }
    var repeated: [RepeatedSound] { steps.flatMap(\.repeated) }

    /// The seconds of the recording that no text matches.
    var unmatchedSeconds: Double {
        Double(unmatched.reduce(0) { $0 + $1.range.upperBound - $1.range.lowerBound }) / 1000
    }

    init(text: [Int], tracks: [[Float]]) {
        (self.text, self.tracks) = (text, tracks)
    }

    /// Aligns from a place on, and stops after some steps.
    mutating func run(from state: AlignmentState? = nil, steps limit: Int = .max) {
        var aligner = SpeechAligner(resuming: state)
        var passage = ((state?.neededText ?? 0) + 9) / 10
        var track = state?.track ?? 0
        var sample = (state?.second ?? 0) * 16_000
        var made = 0
        while made < limit {
            switch aligner.need {
            case .text:
                guard passage < text.count else {
                    aligner.endText()
                    continue
                }
                let samples = SyntheticVoice.synthesiser.say([text[passage]]).samples
                aligner.append(SpokenPassage(10 * passage..<10 * passage + 9, samples: samples))
                passage += 1
            case .recording:
                guard track < tracks.count else {
                    aligner.endRecording()
                    continue
                }
                let end = min(tracks[track].count, sample + 100_000)
                if sample < end {
                    aligner.append(recording: Array(tracks[track][sample..<end]))
                    sample = end
                } else {
                    aligner.endTrack()
                    (track, sample) = (track + 1, 0)
                }
            case .nothing:
                guard let step = aligner.step() else { return }
                steps.append(step)
                made += 1
            }
        }
    }

    /// The errors of the beginnings of matched sentences in milliseconds, by the second at which each begins.
    func errors(_ starts: [Int: Double]) -> [Int] {
        matched.compactMap { sentence in
            starts[sentence.range.lowerBound / 10].map { abs(Int(sentence.start) - Int($0 * 1000)) }
        }.sorted()
    }
}
