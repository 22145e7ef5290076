// SPDX-License-Identifier: Apache-2.0

import EngineProbe
import Testing

@testable import EspeakEngine

/// What the engine says if the session has a script of the text.
@Suite struct ScriptTests {
    private static let text = "Title page. One two three. Skipped note. Four five six."

    private static func probe(
        _ utterances: [ProbeUtterance], of text: String = text, voice: String? = nil, rate: Double = 1
    ) throws -> EngineProbe {
        let probe = try EngineProbe(
            EngineLibrary(product: "EspeakEngine"), sources: [.text(text)], script: utterances)
        try probe.load(kind: 2, voice: voice, rate: rate)
        return probe
    }

    private static func phrases(pause: UInt32 = 0, language: String? = "en") -> [ProbeUtterance] {
        [
            ProbeUtterance("One two three.", of: text, language: language, pause: pause),
            ProbeUtterance("Four five six.", of: text, language: language, pause: pause),
        ]
    }

    @Test func `only what the script has is said, in its order`() throws {
        let probe = try Self.probe(Self.phrases())
        let rendering = try probe.renderAll()
        #expect(SpokenText.words(probe, in: Self.text) == ["One", "two", "three", "Four", "five", "six"])
        let sentences = probe.marks.filter { $0.kind == 2 }.map(\.position)
        #expect(sentences == [12, 41])
        #expect(rendering.hasEnded && rendering.frames > 20_000)
    }

    @Test func `a word that stands for others is marked where they are`() throws {
        let text = "In 1914 it began."
        let probe = try Self.probe(
            [
                ProbeUtterance(
                    0..<17, "In nineteen fourteen it began.", language: "en",
                    words: [
                        .init(spoken: 0..<2, units: 0..<2), .init(spoken: 3..<11, units: 3..<7),
                        .init(spoken: 12..<20, units: 3..<7), .init(spoken: 21..<23, units: 8..<10),
                        .init(spoken: 24..<29, units: 11..<16),
                    ])
            ], of: text)
        _ = try probe.renderAll()
        let words = probe.marks.filter { $0.kind == 1 }
        #expect(words.map(\.position).sorted() == words.map(\.position))
        #expect(words.allSatisfy { (0...17).contains($0.position + $0.length) })
        #expect(Set(words.map(\.position)).isSuperset(of: [0, 3, 8, 11]))
    }

    /// The frames between the last sample of the first phrase that is no silence and the first one of the second.
    private static func gap(_ samples: [Float]) -> Int {
        let loud = samples.indices.filter { abs(samples[$0]) > 64.5 / 32768 }
        return zip(loud, loud.dropFirst()).map { $1 - $0 }.max() ?? 0
    }

    @Test(arguments: [200, 350, 700, 1200] as [UInt32], [0.5, 1, 1.5, 2, 2.5, 3])
    func `a pause is as long as it says at every rate of the engine`(_ pause: UInt32, _ rate: Double) throws {
        let probe = try Self.probe(Self.phrases(pause: pause), rate: rate)
        let rendering = try probe.renderAll()
        let frequency = Double(rendering.runs[0].sampleRate)
        let milliseconds = Double(Self.gap(rendering.samples)) / frequency * 1000
        let wanted = Double(pause) / rate
        #expect(abs(milliseconds - wanted) <= 0.2, "\(milliseconds) ms in place of \(wanted)")
    }

    @Test func `each phrase has the voice of its language`() throws {
        let german = try Self.probe(Self.phrases(language: "de")).renderAll().frames
        let english = try Self.probe(Self.phrases(language: "en"), voice: "en").renderAll().frames
        let chosen = try Self.probe(Self.phrases(language: "de"), voice: "en").renderAll().frames
        // The library's sound differs by some frames from one run to the next.
        #expect(abs(german - english) > 500)
        #expect(abs(chosen - english) < 200, "the listener's choice of a voice reads everything")
    }

    @Test func `sounds are said in place of letters`() throws {
        let text = "Worcester"
        func frames(_ phonemes: String?) throws -> [Float] {
            try Self.probe(
                [
                    ProbeUtterance(
                        0..<9, text, language: "en", words: [.init(spoken: 0..<9, units: 0..<9, phonemes: phonemes)])
                ], of: text
            ).renderAll().samples
        }
        #expect(try frames("w'Ust@") != frames(nil))
    }

    @Test func `a seek goes on at the word that holds the place`() throws {
        let probe = try Self.probe(Self.phrases())
        try probe.seek(position: 46)
        _ = try probe.renderAll()
        #expect(SpokenText.words(probe, in: Self.text) == ["five", "six"])
        try probe.seek(position: 30)
        _ = try probe.renderAll()
        #expect(SpokenText.words(probe, in: Self.text).suffix(3) == ["Four", "five", "six"])
    }

    /// A place in the pause behind a sentence is that of its full stop.
    @Test func `a seek to the sign that ends an utterance goes on with the next one`() throws {
        var phrases = Self.phrases()
        // The signs belong to no word.
        phrases[0].words[2] = .init(spoken: 8..<13, units: 20..<25)
        phrases[1].words[2] = .init(spoken: 10..<13, units: 51..<54)
        let probe = try Self.probe(phrases)
        try probe.seek(position: 25)
        _ = try probe.renderAll()
        #expect(SpokenText.words(probe, in: Self.text) == ["Four", "five", "six"])
        try probe.seek(position: 54)
        #expect(try probe.renderAll().hasEnded)
        #expect(SpokenText.words(probe, in: Self.text) == ["Four", "five", "six"])
    }

    @Test func `a place behind everything that is said is the end`() throws {
        let probe = try Self.probe(Array(Self.phrases().prefix(1)))
        try probe.seek(position: 50)
        #expect(try probe.renderAll().hasEnded)
        #expect(probe.marks.filter { $0.kind == 1 }.isEmpty)
    }
}
