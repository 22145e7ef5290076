// SPDX-License-Identifier: Apache-2.0

import AlignmentFile
import Testing

@testable import SpeechAlignment

@Suite struct `Aligning a recording with its text` {
    private func read(_ sentences: [Int], speed: Double = 1) -> (samples: [Float], starts: [Double]) {
        var reader = SyntheticVoice.reader
        reader.speed = speed
        return reader.say(sentences, pause: 0.6)
    }

    private func align(_ text: [Int], _ tracks: [Float]...) -> AlignmentRun {
        var run = AlignmentRun(text: text, tracks: tracks)
        run.run()
        return run
    }

    @Test(arguments: [0.7, 1, 1.5])
    func `each sentence is found where it is read, at any speed`(speed: Double) throws {
        let text = Array(1...24)
        let (samples, starts) = read(text, speed: speed)
        let run = align(text, samples)
        #expect(run.matched.count == text.count)
        let errors = run.errors(Dictionary(uniqueKeysWithValues: starts.enumerated().map { ($0.offset, $0.element) }))
        #expect(try #require(errors.last) <= 150)
        #expect(run.unmatched.isEmpty)
    }

    @Test func `a prologue and an epilogue are no text`() {
        let text = Array(1...16)
        let (samples, starts) = read(Array(200...204) + text + Array(300...305))
        let run = align(text, samples)
        #expect(run.matched.count == text.count)
        #expect(run.errors([0: starts[5], 15: starts[20]]).allSatisfy { $0 <= 200 })
        let before = run.unmatched.first { $0.range.lowerBound < 2000 }
        #expect(before.map { abs($0.range.upperBound - Int64(starts[5] * 1000)) < 1500 } == true)
        let behind = run.unmatched.last
        #expect(behind.map { abs($0.range.lowerBound - Int64(starts[21] * 1000)) < 1500 } == true)
    }

    @Test func `a voice is kept as what the kernels compute`() {
        #expect(SpeechFrames.cepstra == VoiceCalibration.cepstra)
    }

    @Test func `text that nobody reads has no place`() {
        let text = Array(1...24)
        let run = align(text, read(Array(1...8) + Array(15...24)).samples)
        let skipped = run.sentences.filter { !$0.isMatched }.map { $0.range.lowerBound / 10 }
        #expect(skipped == Array(8..<14))
        #expect(run.unmatchedSeconds < 1)
    }

    @Test func `a passage that is read twice is matched once`() {
        let text = Array(1...20)
        let (samples, starts) = read(Array(1...12) + Array(7...12) + Array(13...20))
        let run = align(text, samples)
        #expect(run.matched.count == text.count)
        #expect(run.errors([0: starts[0], 3: starts[3], 14: starts[20], 19: starts[25]]).allSatisfy { $0 <= 200 })
        let repeated = starts[18] - starts[12]
        #expect(abs(run.unmatchedSeconds - repeated) < 2)
    }

    @Test func `a place is kept from one track to the next`() {
        let text = Array(1...20)
        let (first, second) = (read(Array(1...10)), read(Array(11...20)))
        let run = align(text, first.samples, second.samples)
        #expect(run.matched.count == text.count)
        #expect(run.sentences.map(\.track) == [Int](repeating: 0, count: 10) + [Int](repeating: 1, count: 10))
        #expect(abs((run.sentences.last?.start ?? 0) - Int64(second.starts[9] * 1000)) <= 150)
    }

    @Test func `a recording of something else has no match`() {
        let run = align(Array(1...30), read(Array(500...525)).samples)
        #expect(run.matched.isEmpty)
        #expect(run.unmatchedSeconds > 60)
    }

    @Test func `a recording that begins in the middle of a long text is found there`() throws {
        let text = Array(1...160)
        let (samples, starts) = read(Array(121...140))
        let run = align(text, samples)
        #expect(run.matched.count >= 19)
        #expect(run.matched.allSatisfy { (120..<140).contains($0.range.lowerBound / 10) })
        let places = Dictionary(uniqueKeysWithValues: starts.enumerated().map { ($0.offset + 120, $0.element) })
        #expect(try #require(run.errors(places).last) <= 300)
    }

    @Test(arguments: SpeechDifference.all)
    func `each place is within its bound, and nothing is placed that nobody reads`(difference: SpeechDifference) throws
    {
        let (samples, starts) = read(difference.read)
        let run = align(difference.text, samples)
        var (found, beyond) = (0, 0)
        for sentence in run.matched {
            let number = difference.text[sentence.range.lowerBound / 10]
            let errors = zip(difference.read, starts).filter { $0.0 == number }
                .map { abs(Int(sentence.start) - Int($0.1 * 1000)) }
            let error = try #require(errors.min(), "nobody reads sentence \(number), at \(sentence.start) ms")
            if error <= sentence.error { found += 1 } else { beyond += 1 }
        }
        #expect(found >= difference.least)
        // A bound holds in 19 of 20 cases.
        #expect(beyond <= 1 + found / 20)
    }

    @Test func `silence and an empty text have no match and no end of their own`() {
        #expect(align(Array(1...3), [Float](repeating: 0, count: 160_000)).matched.isEmpty)
        #expect(align([], read([1, 2]).samples).sentences.isEmpty)
        #expect(align([1, 2]).matched.isEmpty)
        #expect(align([1, 2], [], [.nan, .infinity], [Float](repeating: .nan, count: 40_000)).matched.isEmpty)
    }

    @Test func `an alignment that is resumed at any step ends as one that was not interrupted`() throws {
        let text = Array(1...90)
        let samples = read(Array(400...403) + Array(1...40) + Array(46...90)).samples
        let whole = align(text, samples)
        #expect(whole.steps.count >= 2)
        for steps in 1..<whole.steps.count {
            var parts = AlignmentRun(text: text, tracks: [samples])
            parts.run(steps: steps)
            parts.run(from: try #require(parts.steps.last).state)
            #expect(parts.steps == whole.steps)
        }
    }
}
