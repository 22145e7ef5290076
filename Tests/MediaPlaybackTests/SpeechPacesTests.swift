// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

/// How fast a text is spoken, as far as that was heard.
@Suite struct `The pace of speech` {
    private static let second: Int64 = 1_000_000_000
    private static let key = SpeechPaces.Key(engine: EngineID("espeak"), voice: nil, language: "en-GB")

    /// Hears so many seconds at a pace in bytes a second of content.
    @discardableResult
    private func hear(
        _ seconds: Int, _ paces: inout SpeechPaces, at pace: Double, rate: Double = 1, key: SpeechPaces.Key = key,
        generation: UInt32 = 1
    ) -> Bool {
        paces.pause()
        var isLearned = false
        for step in 0...seconds / 5 {
            let time = Int64(step * 5) * Self.second
            isLearned = paces.note(
                Int64((Double(step * 5) * pace * rate).rounded()), at: time, generation: generation, rate: rate,
                of: key,
                estimate: 15)
        }
        return isLearned
    }

    @Test func `is the engine's estimate until something was heard`() {
        var paces = SpeechPaces()
        #expect(paces.bytesPerSecond(Self.key, estimate: 15) == 15)
        let isLearned = hear(4, &paces, at: 10)
        #expect(!isLearned)
        #expect(paces.bytesPerSecond(Self.key, estimate: 15) == 15)
    }

    @Test(arguments: [1.0, 2.0, 0.5])
    func `is what is heard after some minutes, at any rate`(_ rate: Double) {
        var paces = SpeechPaces()
        let isLearned = hear(300, &paces, at: 10, rate: rate)
        #expect(isLearned)
        let pace = paces.bytesPerSecond(Self.key, estimate: 15)
        #expect(abs(pace / 10 - 1) < 0.07, "\(pace)")
    }

    @Test func `belongs to its engine, voice and language`() {
        var paces = SpeechPaces()
        hear(300, &paces, at: 10)
        #expect(paces.bytesPerSecond(.init(engine: EngineID("espeak"), voice: nil, language: "en"), estimate: 15) < 11)
        for other in [
            SpeechPaces.Key(engine: EngineID("sherpa"), voice: nil, language: "en"),
            .init(engine: EngineID("espeak"), voice: "de", language: "en"),
            .init(engine: EngineID("espeak"), voice: nil, language: "de"),
        ] {
            #expect(paces.bytesPerSecond(other, estimate: 15) == 15)
        }
    }

    @Test func `is not learned across a seek, a pause or a change of rate`() {
        var paces = SpeechPaces()
        let key = Self.key
        _ = paces.note(0, at: 0, generation: 1, rate: 1, of: key, estimate: 15)
        let acrossSeek = paces.note(75, at: 5 * Self.second, generation: 2, rate: 1, of: key, estimate: 15)
        #expect(!acrossSeek)
        let acrossRate = paces.note(150, at: 10 * Self.second, generation: 2, rate: 2, of: key, estimate: 15)
        #expect(!acrossRate)
        paces.pause()
        let acrossPause = paces.note(225, at: 15 * Self.second, generation: 2, rate: 2, of: key, estimate: 15)
        #expect(!acrossPause)
        let within = paces.note(375, at: 20 * Self.second, generation: 2, rate: 2, of: key, estimate: 15)
        #expect(within)
    }

    @Test(arguments: [5, 0, -100, 100_000] as [Int64])
    func `is not learned from a leap over what is left out, or from no progress`(_ bytes: Int64) {
        var paces = SpeechPaces()
        _ = paces.note(1000, at: 0, generation: 1, rate: 1, of: Self.key, estimate: 15)
        let isLearned = paces.note(
            1000 + bytes, at: 5 * Self.second, generation: 1, rate: 1, of: Self.key, estimate: 15)
        #expect(!isLearned)
        #expect(paces.bytesPerSecond(Self.key, estimate: 15) == 15)
    }

    @Test func `follows a voice that changes, since what is old counts less`() {
        var paces = SpeechPaces()
        hear(7200, &paces, at: 10)
        hear(7200, &paces, at: 20, generation: 2)
        #expect(paces.bytesPerSecond(Self.key, estimate: 15) > 18)
    }

    @Test func `is known to the next session, with what that has heard already`() {
        var paces = SpeechPaces()
        hear(300, &paces, at: 10)
        #expect(paces.isUnsaved)
        let text = paces.stored()
        #expect(!paces.isUnsaved)
        var next = SpeechPaces()
        next.restore(text)
        #expect(next.isRead)
        #expect(abs(next.bytesPerSecond(Self.key, estimate: 15) - paces.bytesPerSecond(Self.key, estimate: 15)) < 0.01)
        var other = SpeechPaces()
        hear(300, &other, at: 20)
        other.restore(text)
        #expect((14.0...16).contains(other.bytesPerSecond(Self.key, estimate: 15)))
    }

    @Test(
        arguments: [
            nil, "", "[]", "{}", "[1]", #"[{"key":["a"],"bytes":1,"seconds":1}]"#,
            #"[{"key":["espeak","","en"],"bytes":-1,"seconds":1}]"#,
            #"[{"key":["espeak","","en"],"bytes":1e300,"seconds":1}]"#,
            #"[{"key":["espeak","","en"],"bytes":1,"seconds":0}]"#,
        ] as [String?])
    func `is not taken from what is no pace`(_ text: String?) {
        var paces = SpeechPaces()
        paces.restore(text)
        #expect(paces.isRead && paces.bytesPerSecond(Self.key, estimate: 15) == 15)
    }

    @Test func `is kept of a bounded number of voices`() {
        var paces = SpeechPaces()
        for number in 0..<200 {
            hear(300, &paces, at: 10, key: .init(engine: EngineID("espeak"), voice: "v\(number)", language: nil))
        }
        let text = paces.stored()
        #expect(text.utf8.count < 64 * 128)
        #expect(paces.bytesPerSecond(.init(engine: EngineID("espeak"), voice: "v0", language: nil), estimate: 15) == 15)
        #expect(
            paces.bytesPerSecond(.init(engine: EngineID("espeak"), voice: "v199", language: nil), estimate: 15) < 11)
    }
}
