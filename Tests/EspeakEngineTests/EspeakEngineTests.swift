// SPDX-License-Identifier: Apache-2.0

import CEspeak
import EngineABI
import EngineProbe
import EngineSDK
import Glibc
import Testing

@testable import EspeakEngine

/// Tests that produce speech; they run one after the other because libespeak-ng exists once per process.
@Suite(.serialized)
struct EspeakEngineTests {
    @Test func `a short text is spoken to its end`() throws {
        let text = "Hello, world. Second sentence."
        let probe = try SpokenText.probe(text)
        let track = try probe.track()
        #expect(track.sampleRate == 22050 && track.channels == 1 && track.encoding == ROSTRUM_ENCODING_INT16)
        #expect(track.duration == Int64(text.utf8.count) && track.confidence == ROSTRUM_CONFIDENCE_ESTIMATED)
        let rendering = try probe.renderAll()
        #expect(rendering.trackEnds == [0: Int64(text.utf8.count)])
        #expect(rendering.runs.count == 1)
        #expect(rendering.samples.map(abs).max() ?? 0 > 0.1)
        #expect((30_000...80_000).contains(rendering.frames))
    }

    @Test(arguments: [
        ("Hello, naïve “world”.", ["Hello", "naïve", "world"], ["Hello, naïve “world”."]),
        (
            "Wait... It was the best\r\nof times. Yes!", ["Wait", "It", "was", "the", "best", "of", "times", "Yes"],
            ["Wait...", "It was the best\r\nof times.", "Yes!"]
        ),
        ("\u{FEFF}A 🙂 smile", ["A", "🙂", "smile"], ["A 🙂 smile"]),
        ("I paid 1,234.50 dollars.", ["I", "paid", "1,234.50", "dollars"], ["I paid 1,234.50 dollars."]),
    ])
    func `words and sentences are marked`(text: String, words: [String], sentences: [String]) throws {
        let probe = try SpokenText.probe(text)
        _ = try probe.renderAll()
        #expect(SpokenText.words(probe, in: text) == words)
        let bytes = Array(text.utf8)
        let marked = probe.marks.filter { $0.kind == 2 }.map {
            String(decoding: bytes[Int($0.position)..<Int($0.position + $0.length)], as: UTF8.self)
        }
        #expect(marked == sentences)
    }

    @Test func `a mark precedes the block in which its word is heard`() throws {
        let probe = try SpokenText.probe(String(repeating: SpokenText.sentence, count: 3))
        var known = 0
        while true {
            let block = try probe.render()
            if block.isEnd { break }
            let words = probe.marks.filter { $0.kind == 1 }
            let last = try #require(words.last)
            #expect(last.position < block.positionEnd)
            #expect(last.position + last.length + 2 >= block.position)
            #expect(words.count - known <= 1)
            known = words.count
        }
        #expect(known == 36)
    }

    /// A pause between two sounds shows where a word really begins.
    @Test func `a word lines up with its sound`() throws {
        let probe = try SpokenText.probe("Stop; go.")
        var before: [Float] = []
        var after: [Float] = []
        while true {
            let block = try probe.render()
            if block.isEnd { break }
            if block.position < 6 { before += block.samples } else { after += block.samples }
        }
        let tail = before.suffix(2000).map(abs).max() ?? 1
        let head = after.prefix(3000).map(abs).max() ?? 0
        #expect(tail < 0.01, "the pause belongs to the word before it")
        #expect(head > 0.05, "the word begins with its block")
    }

    @Test(arguments: [(0, 0), (2, 0), (5, 6), (6, 6), (10, 6), (11, 12), (14, 12), (17, 18), (20, 18), (22, 21)])
    func `a seek lands on the word that holds the byte`(target: Int64, start: Int64) throws {
        let probe = try SpokenText.probe("Hello world naïv 字ende.")
        _ = try probe.render()
        try probe.seek(position: target)
        let block = try probe.render()
        #expect(block.position == start)
    }

    @Test(arguments: [27, 1000, Int64.max]) func `a seek beyond the end goes to the end`(target: Int64) throws {
        let text = "Hello world. More of it."
        let probe = try SpokenText.probe(text)
        try probe.seek(position: target)
        let block = try probe.render()
        #expect(block.isEnd && block.isTrackEnd && block.frames == 0)
        #expect(block.position == Int64(text.utf8.count))
        try probe.seek(position: 6)
        #expect(try probe.render().frames > 0)
    }

    @Test(arguments: [0.5, 0.75, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0], ["en", "de", "es", "hi"])
    func `a rate changes the duration in proportion`(rate: Double, voice: String) throws {
        let text = String(
            repeating: SpokenText.sentence + "It was late in the year, when the rain came down. ", count: 8)
        let normal = try SpokenText.probe(text, voice: voice).renderAll(keepingSamples: false).frames
        let changed = try SpokenText.probe(text, voice: voice, rate: rate).renderAll(keepingSamples: false).frames
        let ratio = Double(normal) / Double(changed)
        #expect(abs(ratio / rate - 1) < 0.03, "\(voice) at \(rate) is heard as \(ratio)")
    }

    @Test func `a new rate takes effect at the next word`() throws {
        let text = SpokenText.sentence + SpokenText.sentence
        let whole = try SpokenText.probe(text).renderAll().frames
        let probe = try SpokenText.probe(text)
        #expect(try probe.rates() == 0.5...3.0)
        for _ in 0..<3 { _ = try probe.render() }
        let marks = probe.marks.count
        try probe.setRate(2)
        let rest = try probe.renderAll()
        #expect(Double(rest.frames) < 0.55 * Double(whole))
        let words = SpokenText.words(probe, in: text)
        #expect(words == text.split { " ,.".contains($0) }.map(String.init), "nothing repeated, nothing skipped")
        #expect(probe.marks.count > marks)
    }

    @Test func `an interruption ends a call, and a seek then works`() throws {
        let probe = try SpokenText.probe(String(repeating: SpokenText.sentence, count: 6))
        _ = try probe.render()
        probe.interrupt()
        let failure = #expect(throws: ProbeFailure.self) { while true { _ = try probe.render() } }
        #expect(failure?.code == ROSTRUM_ERROR_INTERRUPTED)
        probe.resetInterrupt()
        try probe.seek(position: 0)
        #expect(try probe.render().position == 0)
        #expect(try probe.renderAll().hasEnded)
    }

    @Test func `an interrupted render loses no words`() throws {
        let text = String(repeating: SpokenText.sentence, count: 2)
        let probe = try SpokenText.probe(text)
        probe.interrupt()
        #expect(throws: ProbeFailure.self) { try probe.render() }
        probe.resetInterrupt()
        _ = try probe.renderAll()
        #expect(SpokenText.words(probe, in: text).count == 24)
    }

    @Test(arguments: [
        (ProbeSource.text(""), ROSTRUM_ERROR_EMPTY), (.text(" \n\t\r\n "), ROSTRUM_ERROR_EMPTY),
        (.text("... --- !!!"), ROSTRUM_ERROR_EMPTY),
        (.bytes([UInt8](repeating: 0, count: 99), name: "x"), ROSTRUM_ERROR_ENCODING),
        (.url("http://localhost/x.txt"), ROSTRUM_ERROR_UNSUPPORTED), (.missing, ROSTRUM_ERROR_NOT_FOUND),
        (.file("/"), ROSTRUM_ERROR_FORMAT),
    ])
    func `bad input fails with a code`(source: ProbeSource, code: rostrum_result) throws {
        let failure = #expect(throws: ProbeFailure.self) { try SpokenText.probe(source) }
        #expect(failure?.code == code)
    }

    @Test(arguments: [
        "no-such-voice", "../../../etc/passwd", "/etc/passwd", "en\nx", String(repeating: "x", count: 500),
    ])
    func `an unknown voice is refused`(voice: String) throws {
        let failure = #expect(throws: ProbeFailure.self) { try SpokenText.probe(.text("Hello"), voice: voice) }
        #expect(failure?.code == ROSTRUM_ERROR_VOICE)
    }

    @Test(arguments: [("en-gbb", "near it are en-gb"), ("germam", "`rostrum voices --all` lists all"), ("dee", " de")])
    func `the refusal of a voice names what may have been meant`(voice: String, part: String) throws {
        let failure = #expect(throws: ProbeFailure.self) { try SpokenText.probe(.text("Hello"), voice: voice) }
        #expect(failure?.message.lowercased().contains(part) == true, "\(failure?.message ?? "")")
    }

    @Test func `voices can be listed, and each one chosen`() throws {
        let probe = try EngineProbe(EngineLibrary(product: "EspeakEngine"), sources: [.text("One.")])
        let voices = try probe.voices()
        #expect(voices.count > 50)
        #expect(Set(voices.map(\.name)).count == voices.count)
        for voice in voices {
            try probe.load(kind: 2, voice: voice.name)
        }
        #expect(throws: Never.self) { try probe.load(kind: 2, voice: "en+f3") }
    }

    @Test(arguments: [
        ("de", "gmw/de"), ("de-AT", "gmw/de"), ("en-US", "gmw/en-US"), ("zh-Hans-CN", "sit/cmn"),
        ("pt-BR", "roa/pt-BR"),
    ])
    func `a language chooses a voice`(language: String, voice: String) throws {
        _ = try SpokenText.probe(.text("Eins zwei three."), language: language, voice: nil)
        // libespeak-ng exists once per process, so the test sees the module's state.
        let current = try #require(espeak_GetCurrentVoice()?.pointee.identifier)
        #expect(String(cString: current) == voice)
    }

    @Test func `a language without a voice is read in English, with a warning`() throws {
        let probe = try SpokenText.probe(.text("Hello"), language: "tlh", voice: nil)
        #expect(probe.log.contains { $0.level == ROSTRUM_LOG_WARNING && $0.message.contains("tlh") })
    }

    @Test func `a pipe is read like a file`() throws {
        var path = Array("/tmp/espeak-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        defer { unlink(path) }
        let text = Array(String(repeating: SpokenText.sentence, count: 3000).utf8)
        _ = text.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        close(descriptor)
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let probe = try SpokenText.probe(.pipe(name))
        #expect(try probe.track().duration == Int64(text.count))
        try probe.seek(position: Int64(text.count) - 7)
        #expect(try probe.renderAll().hasEnded)
    }

    @Test func `a long text costs no more memory than a short one`() throws {
        _ = try SpokenText.probe(String(repeating: SpokenText.sentence, count: 20)).renderAll(keepingSamples: false)
        let before = SpokenText.residentKilobytes()
        var path = Array("/tmp/espeak-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        defer { unlink(path) }
        let part = Array(String(repeating: SpokenText.sentence, count: 1000).utf8)
        for _ in 0..<256 { _ = part.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
        close(descriptor)
        let name = String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let probe = try SpokenText.probe(.file(name))
        let duration = try #require(try probe.track().duration)
        #expect(duration == 256 * Int64(part.count))
        for position in [0, duration / 2, duration - 10_000] {
            try probe.seek(position: position)
            _ = try probe.renderAll(frames: 30 * 22050, keepingSamples: false)
        }
        #expect(SpokenText.residentKilobytes() - before < 3000)
    }

    @Test func `the first sound of a long sentence does not wait for all of it`() throws {
        let long = "It was late, " + String(repeating: "and the rain came down on the old road and ", count: 20_000)
        let probe = try SpokenText.probe(long)
        // This is the time of this thread alone, so other load on the machine does not matter.
        let before = SpokenText.processorSeconds()
        _ = try probe.render()
        #expect(SpokenText.processorSeconds() - before < 0.05)
    }
}
