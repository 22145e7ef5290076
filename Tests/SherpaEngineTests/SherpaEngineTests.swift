// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc
import Synchronization
import Testing

@testable import SherpaSpeech

/// Tests that speak; they run one after the other because libespeak-ng exists once per process.
@Suite(
    .serialized,
    .enabled(
        if: SpokenScript.folder != nil,
        "no sherpa runtime is installed, with en_US-joe-medium, in $ROSTRUM_VOICES or the listener's folder"))
struct SherpaEngineTests {
    static let text = "Hello, world. | The quick brown fox jumps over the lazy dog, and nobody minds. | It was late."

    private func session(_ text: String = Self.text, pause: Int = 400, rate: Double = 1, start: Int64 = 0) throws
        -> SpeakingSession
    {
        let (text, script) = SpokenScript.of(text, pause: pause)
        let session = try SpeakingSession(text, script: script)
        try session.load(start: start, rate: rate)
        return session
    }

    /// Returns the stretches of silence of at least some milliseconds, in frames.
    private func silences(_ samples: [Float], rate: Int = 22_050, milliseconds: Int = 60) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start: Int?
        for (index, sample) in (samples + [1]).enumerated() {
            if abs(sample) <= 104 / 32768.0 {
                start = start ?? index
            } else if let begun = start {
                if index - begun >= rate * milliseconds / 1000 { found.append(begun..<index) }
                start = nil
            }
        }
        return found
    }

    @Test func `a script is spoken to its end`() throws {
        let session = try session()
        let track = try session.track()
        #expect(track.sample_rate == 22050 && track.channels == 1 && track.encoding == ROSTRUM_ENCODING_INT16)
        #expect(track.duration == Int64(session.text.count))
        let blocks = try session.renderAll()
        var position: Int64 = 0
        for block in blocks {
            #expect(block.position == position && block.positionEnd >= block.position)
            position = block.positionEnd
        }
        #expect(position == Int64(session.text.count))
        #expect(session.samples.map(abs).max() ?? 0 > 0.1)
        #expect((5.0...9.0).contains(Double(session.samples.count) / 22050))
    }

    @Test func `words and sentences are marked in order, each once`() throws {
        let session = try session()
        try session.renderAll()
        func marked(_ kind: UInt32) -> [String] {
            session.marks.filter { $0.kind == kind }.map { mark in
                String(decoding: session.text[Int(mark.position)..<Int(mark.position + mark.length)], as: UTF8.self)
            }
        }
        #expect(marked(2) == Self.text.split(separator: " | ").map(String.init))
        #expect(marked(1) == Self.text.split { " |".contains($0) }.map(String.init))
    }

    @Test(arguments: [0, 150, 400, 1200], [0.5, 0.75, 1])
    func `the pause between sentences is exact`(pause: Int, rate: Double) throws {
        let session = try session("It was late. | Nobody minds. | We go.", pause: pause, rate: rate)
        try session.renderAll()
        let starts = session.marks.filter { $0.kind == 2 }.map(\.frame)
        let expected = max(Double(pause) / rate, 10)
        for start in starts.dropFirst() {
            // A sentence's sound begins with a margin of five milliseconds, so its silence ends within it.
            let near = silences(session.samples, milliseconds: 8).first { $0.contains(start) }
            let length = Double(near?.count ?? 0) / 22.05
            #expect(abs(length - expected) < 5, "\(length) ms instead of \(expected)")
        }
        #expect(starts.count == 3)
    }

    @Test(arguments: [0.5, 0.6, 0.75, 0.9])
    func `a rate changes the duration in proportion`(rate: Double) throws {
        let part =
            "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of "
            + "foolishness. | However little known the feelings or views of such a man may be on his first entering a "
            + "neighbourhood, this truth is so well fixed in the minds of the surrounding families. | "
        // The model varies the length of every sound, so one sentence says little.
        let text = part + "It is a truth that all men know, and that nobody minds. | Nothing was so very remarkable."
        let normal = try session(text)
        try normal.renderAll()
        let changed = try session(text, rate: rate)
        try changed.renderAll()
        let ratio = Double(normal.samples.count) / Double(changed.samples.count)
        #expect(abs(ratio / rate - 1) < 0.08, "\(rate) is heard as \(ratio)")
    }

    @Test(arguments: [(0, 0), (2, 0), (8, 7), (15, 16), (23, 20), (85, 84), (50, 51), (48, 47)] as [(Int64, Int64)])
    func `a seek lands on the word that holds the unit`(target: Int64, start: Int64) throws {
        let session = try session()
        try session.render()
        try session.seek(target)
        #expect(try session.render().position == start)
    }

    @Test func `a seek behind the end goes to the end`() throws {
        let session = try session()
        try session.seek(1000)
        let block = try session.render()
        #expect(block.isEnd && block.frames == 0 && block.position == Int64(session.text.count))
        try session.seek(6)
        #expect(try session.render().frames > 0)
    }

    @Test func `a new rate takes effect within the sentence, and no word is lost`() throws {
        let session = try session(rate: 0.5)
        var words = 0
        while words < 4 {
            try session.render()
            words = session.marks.count { $0.kind == 1 }
        }
        let before = session.samples.count
        try session.setRate(1)
        // The session plays what it has while the sentence is made again.
        usleep(1_500_000)
        try session.renderAll()
        #expect(session.marks.filter { $0.kind == 1 }.count == 17)
        let rest = Double(session.samples.count - before) / 22050
        #expect((3...6.8).contains(rest), "\(rest) s")
    }

    @Test func `a sentence is kept, and heard at once when it is wanted again`() throws {
        let session = try session()
        try session.renderAll()
        let first = session.samples
        try session.seek(0)
        try session.renderAll()
        #expect(Array(session.samples[first.count...]) == first)
        #expect(session.log.filter { $0.hasPrefix("phase=generate result=kept") }.count == 3)
    }

    @Test func `a sentence in the middle is kept as it was heard, and heard at once`() throws {
        let long = "However little known the feelings of such a man may be, the rain came down on the old road."
        let session = try session("It was late. | \(long) | It was early. | \(long)", pause: 300)
        try session.renderAll()
        /// Returns the seconds from a seek to the first sound.
        func firstSound(at place: Int64) throws -> Double {
            let started = MonotonicTime.now
            try session.seek(place)
            let before = session.samples.count
            repeat { try session.render() } while !session.samples.dropFirst(before).contains { abs($0) > 0.001 }
            return MonotonicTime.now - started
        }
        let made = session.log.count { $0.hasPrefix("phase=generate result=success") }
        let kept = try firstSound(at: 15)
        #expect(session.log.count { $0.hasPrefix("phase=generate result=success") } == made)
        // From a word within it, which was not made so, it takes as long as ever.
        let new = try firstSound(at: 30)
        print("first sound of a sentence: \(kept) s if it is kept, \(new) s if not")
        #expect(kept < 0.05)
        #expect(try session.render().position > 15)
    }

    @Test func `the phases are logged`() throws {
        let session = try session()
        try session.renderAll()
        for phase in ["start", "prepare", "generate", "complete"] {
            #expect(session.log.contains { $0.hasPrefix("phase=\(phase) result=success") }, "\(phase): \(session.log)")
        }
    }

    @Test func `an interruption ends a call within 50 ms, and a seek then works`() throws {
        let long = String(repeating: "the rain came down on the old road and ", count: 5) + "it was late."
        let session = try session(Self.text + " | " + long)
        try session.render()
        session.isInterrupted.store(true, ordering: .relaxed)
        let started = MonotonicTime.now
        let failure = #expect(throws: SpeakingSession.Failure.self) { try session.renderAll() }
        #expect(MonotonicTime.now - started < 0.05)
        #expect(failure?.code == ROSTRUM_ERROR_INTERRUPTED)
        session.isInterrupted.store(false, ordering: .relaxed)
        try session.seek(0)
        #expect(try session.render().position == 0)
        try session.renderAll()
        #expect(session.marks.last?.kind == 1)
    }

    @Test func `text without a script is read by its sentences`() throws {
        let text = "One two three. Four five!\n\nSix seven"
        let session = try SpeakingSession(text)
        try session.load()
        try session.renderAll()
        let sentences = session.marks.filter { $0.kind == 2 }.map { mark in
            String(decoding: session.text[Int(mark.position)..<Int(mark.position + mark.length)], as: UTF8.self)
        }
        #expect(sentences == ["One two three.", "Four five!", "Six seven"])
        #expect(session.marks.filter { $0.kind == 1 }.count == 7)
    }

    @Test func `the listener's sounds for a word are spoken`() throws {
        let (text, plain) = SpokenScript.of("Say wwwww now.")
        var script = plain
        script[0].words[1].phonemes = "h@l'oU"
        let changed = try SpeakingSession(text, script: script)
        try changed.load()
        try changed.renderAll()
        let usual = try session("Say wwwww now.")
        try usual.renderAll()
        // Five times the name of the letter take much longer to say than one short word.
        #expect(changed.samples.count < usual.samples.count * 2 / 3)
    }

    @Test func `voices are listed, and chosen by name or language`() throws {
        let session = try SpeakingSession("Hello there.")
        #expect(try session.voices().contains("en_US-joe-medium"))
        try session.load(voice: "en_US-joe-medium")
        try session.load(language: "en-GB")
        for (voice, language) in [("nobody", nil), ("en_US-joe-medium/7", nil), (nil, "tlh")] as [(String?, String?)] {
            let failure = #expect(throws: SpeakingSession.Failure.self) {
                try session.load(voice: voice, language: language)
            }
            // Another engine may speak a language, and nobody has a voice of that name.
            #expect(failure?.code == (voice == nil ? NeuralSpeech.cannotSpeak : ROSTRUM_ERROR_VOICE))
        }
    }

    @Test(arguments: [
        String(repeating: "s'", count: 200), String(repeating: "A.", count: 200), String(repeating: "9", count: 100),
        "x" + String(repeating: ".,;!?", count: 100), String(repeating: "🙂👩‍👩‍👧", count: 20),
        "[[hello]] <speak> &lt;", "\u{202E}drawkcab\u{202C} \u{FFFD} x", "字字字 мир", "a Hamrah-E-Aval a", "— … —",
    ])
    func `text that is not prose is spoken to its end`(text: String) throws {
        let session = try session("Yes. | \(text) | No.")
        let blocks = try session.renderAll()
        #expect(blocks.last?.positionEnd == Int64(session.text.count))
        var last: Int64 = -1
        for mark in session.marks where mark.kind == 1 {
            #expect(mark.position > last && mark.position + mark.length <= Int64(session.text.count))
            last = mark.position
        }
    }

    @Test func `the first sound comes soon, and synthesis keeps ahead`() throws {
        let sentence = "However little known the feelings of such a man may be, the rain came down on the old road. | "
        let session = try session(String(repeating: sentence, count: 5) + "It was late.", pause: 300)
        try session.render()
        // Warm: another place, of which nothing is made yet.
        let started = MonotonicTime.now
        try session.seek(20)
        try session.render()
        let first = MonotonicTime.now - started
        #expect(first < 1, "\(first) s to the first sound")
        try session.renderAll()
        #expect(session.log.contains { $0.hasPrefix("phase=complete") && $0.contains("passages=") }, "\(session.log)")
    }
}
