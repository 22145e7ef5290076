// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Testing

@testable import SpeechAlignment

@Suite struct `Repetitions in a recording` {
    private func read(_ sentences: [Int]) -> (samples: [Float], starts: [Double]) {
        SyntheticVoice.reader.say(sentences, pause: 0.6)
    }

    private func align(_ text: [Int], _ tracks: [Float]...) -> AlignmentRun {
        var run = AlignmentRun(text: text, tracks: tracks)
        run.run()
        return run
    }

    /// Returns the numbers of the sentences that something says again; sentence n of the text is number n + 1.
    private func numbers(_ repeated: RepeatedSound) -> [Int] {
        Array(repeated.text.lowerBound / 10 + 1...repeated.text.upperBound / 10 + 1)
    }

    @Test func `a passage that is read twice is named where it has no place`() {
        let order = Array(1...12) + Array(7...12) + Array(13...20)
        let (samples, starts) = read(order)
        let run = align(Array(1...20), samples)
        #expect(Set(run.repeated.flatMap(numbers)) == Set(7...12))
        for repeated in run.repeated {
            for number in numbers(repeated) {
                let readings = order.indices.filter { order[$0] == number }.map { Int64(starts[$0] * 1000) }
                #expect(readings.contains { repeated.range.lowerBound - 1000 <= $0 && $0 < repeated.range.upperBound })
            }
            #expect(run.unmatched.contains { $0.range.clamped(to: repeated.range) == repeated.range })
        }
    }

    @Test func `one sentence that is read twice is named`() throws {
        let run = align(Array(1...20), read(Array(1...9) + Array(9...20)).samples)
        #expect(run.matched.count == 20)
        #expect(run.repeated.map(numbers) == [[9]])
    }

    @Test func `sentences that are said again after others are named`() {
        let run = align(Array(1...20), read(Array(1...10) + [4, 5] + Array(11...20)).samples)
        #expect(run.repeated.map(numbers) == [[4, 5]])
    }

    @Test func `something of its own beside a repetition is none`() throws {
        let (samples, starts) = read(Array(1...10) + [300, 301, 9, 10, 302] + Array(11...20))
        let run = align(Array(1...20), samples)
        let repeated = try #require(run.repeated.first)
        #expect(run.repeated.map(numbers) == [[9, 10]])
        #expect(abs(repeated.range.lowerBound - Int64(starts[12] * 1000)) < 1000)
        #expect(abs(repeated.range.upperBound - Int64(starts[14] * 1000)) < 1500)
    }

    @Test(arguments: SpeechDifference.all.filter { !$0.isReadTwice })
    func `speech that is read once is not said to be repeated`(difference: SpeechDifference) {
        #expect(align(difference.text, read(difference.read).samples).repeated.isEmpty)
    }

    @Test func `text of an earlier step is known, wherever the alignment goes on`() throws {
        let text = Array(1...110)
        let samples = read(text.flatMap { $0 % 2 == 0 ? [$0, $0] : [$0] }).samples
        let whole = align(text, samples)
        #expect(whole.steps.count >= 3)
        #expect(whole.repeated.count >= 40)
        #expect(whole.repeated.allSatisfy { numbers($0).contains { $0 % 2 == 0 } })
        // The first sentence of a step is said again at the step's beginning if it was decided before.
        #expect(
            whole.steps.contains { step in
                step.sentences.first.map { first in
                    step.repeated.contains { $0.text.lowerBound < first.range.lowerBound }
                } ?? false
            })
        for steps in 1..<whole.steps.count {
            var parts = AlignmentRun(text: text, tracks: [samples])
            parts.run(steps: steps)
            parts.run(from: try #require(parts.steps.last).state)
            #expect(parts.steps == whole.steps)
        }
    }

    @Test func `silence and too little speech say nothing`() {
        let voice = SyntheticVoice.synthesiser.say([1]).samples
        let passage = SpokenFrames(SpokenPassage(0..<9, samples: voice))
        let calibration = VoiceCalibration(passage.pooled.cepstra)
        let frames = passage.frames(calibration)
        let read = RepeatedSearch.Passage(range: 0..<9, frames: frames, heard: 0..<1000)
        let baseline = [Float](repeating: 1, count: frames.count)
        let search = RepeatedSearch(frames, baseline, [read], pace: 1)
        #expect(search.finds(in: 0..<frames.count).map(\.passages) == [0...0])
        #expect(search.finds(in: 0..<0).isEmpty)
        #expect(search.finds(in: 0..<RepeatedSearch.least - 1).isEmpty)
        #expect(RepeatedSearch(frames, baseline, [], pace: 1).finds(in: 0..<frames.count).isEmpty)
        var unread = read
        unread.heard = 0..<0
        #expect(RepeatedSearch(frames, baseline, [unread], pace: 1).finds(in: 0..<frames.count).isEmpty)
    }
}
