// SPDX-License-Identifier: Apache-2.0

import EngineSDK
import Glibc
import Testing

@testable import SherpaSpeech

/// Tests of what is given to the model, with spelling in place of sounds.
@Suite struct PassageTests {
    /// Spells every letter as itself.
    private struct Letters: SoundSpelling {
        func symbols(of text: [UInt8], hasSounds: Bool) -> [Unicode.Scalar] {
            let said = String(decoding: text, as: UTF8.self).unicodeScalars.filter {
                $0.properties.isAlphabetic || $0 == " "
            }
            return Array(
                String(String.UnicodeScalarView(said)).split(separator: " ").joined(separator: " ").unicodeScalars)
        }

        func sign(_ sign: Unicode.Scalar) -> Unicode.Scalar? { sign }
    }

    private struct Script: UtteranceSource {
        let utterances: [SpokenUtterance]

        func utterance(at position: Int64) -> SpokenUtterance? { utterances.first { $0.units.upperBound > position } }
    }

    private func passages(_ text: String, from position: Int64 = 0) throws -> [Passage] {
        let (text, script) = SpokenScript.of(text)
        var reader = PassageReader(
            Script(utterances: script), Letters(), from: position, end: Int64(text.utf8.count))
        var passages: [Passage] = []
        while let next = try reader.next() { passages.append(next.passage) }
        return passages
    }

    private func said(_ passage: Passage) -> String {
        String(String.UnicodeScalarView(passage.symbols.compactMap { Unicode.Scalar(UInt32($0)) }))
    }

    @Test(
        arguments: [
            ("Yes, it is!", [(0..<5, ","), (5..<11, "!")]), ("a b", [(0..<3, nil)]), ("3,5 or 12:30.", [(0..<13, ".")]),
            ("Mr. Smith", [(0..<9, nil)]), ("“Oh,” he said — so?!", [(0..<6, ","), (6..<16, ","), (16..<20, "?")]),
            ("你好，世界。", [(0..<3, ","), (3..<6, ".")]), ("...", [(0..<3, ".")]), ("", []),
        ] as [(String, [(Range<Int>, Unicode.Scalar?)])])
    func `clauses end at signs`(text: String, expected: [(Range<Int>, Unicode.Scalar?)]) {
        let clauses = PassageClause.all(in: Array(text.unicodeScalars)[...])
        #expect(clauses.map(\.range) == expected.map(\.0))
        #expect(clauses.map(\.sign) == expected.map(\.1))
    }

    @Test func `short utterances are passages, with their signs and pauses`() throws {
        let passages = try passages("Yes, it is! | And so on")
        #expect(passages.map(said) == ["Yes, it is!", "And so on."])
        #expect(passages.map(\.units) == [0..<14, 14..<23])
        #expect(passages.map(\.pause) == [400, 0])
        #expect(passages.map(\.sentence) == [0..<11, 14..<23])
        #expect(passages[0].words.map(\.units) == [0..<4, 5..<7, 8..<11])
        #expect(passages[0].words.first?.start == 0)
        #expect(passages[0].words.map(\.start) == passages[0].words.map(\.start).sorted())
    }

    @Test func `the first passage is short, and nothing is lost`() throws {
        let text = String(repeating: "now the rain came down on the old road and ", count: 12) + "it was late."
        let passages = try passages(text)
        #expect(passages.count > 3)
        #expect(passages[0].symbols.count <= 22 && passages[1].symbols.count <= 70)
        for passage in passages { #expect(passage.symbols.count <= PassageReader.longest + 1) }
        #expect(passages.map(said).joined(separator: " ") == text)
        #expect(passages.flatMap(\.words).count == text.split(separator: " ").count)
        for (before, after) in zip(passages, passages.dropFirst()) {
            #expect(before.units.upperBound == after.units.lowerBound)
        }
        #expect(passages.map(\.sentence).filter { $0 != nil }.count == 1)
    }

    @Test(
        arguments: [(4, "it is!"), (5, "it is!"), (8, "is!"), (11, "And so on."), (18, "so on."), (30, nil)]
            as [(Int64, String?)])
    func `a position begins with its word`(position: Int64, first: String?) throws {
        #expect(try passages("Yes, it is! | And so on", from: position).first.map(said) == first)
    }

    /// A place in the pause behind a sentence is that of its full stop.
    @Test(arguments: [(5, "ran."), (6, "It stopped."), (8, "It stopped."), (20, nil)] as [(Int64, String?)])
    func `a position at the sign that ends an utterance begins with the next one`(
        position: Int64, first: String?
    ) throws {
        var (_, script) = SpokenScript.of("He ran. | It stopped.")
        // The signs belong to no word.
        script[0].words[1].units = 3..<6
        script[1].words[1].units = 13..<20
        var reader = PassageReader(Script(utterances: script), Letters(), from: position, end: 21)
        let passage = try reader.next()?.passage
        #expect(passage.map(said) == first)
        #expect(passage?.sentence == (first == nil ? nil : position < 6 ? 3..<7 : 10..<21))
    }

    @Test func `several words for one number are one mark`() throws {
        var (_, script) = SpokenScript.of("twenty five men")
        for index in 0..<2 { script[0].words[index].units = 0..<2 }
        script[0].words[2].units = 3..<15
        var reader = PassageReader(Script(utterances: script), Letters(), from: 1, end: 15)
        let passage = try #require(try reader.next()).passage
        #expect(said(passage) == "twenty five men.")
        #expect(passage.words.map(\.units) == [0..<2, 3..<15])
    }

    @Test func `a script that is wrong is read all the same`() throws {
        let words = [
            SpokenUtterance.Word(spoken: 90..<95, units: 0..<3), SpokenUtterance.Word(spoken: 0..<2, units: 50..<60),
        ]
        let utterance = SpokenUtterance(units: 0..<5, sentence: 0..<5, text: "Hello", words: words)
        var reader = PassageReader(Script(utterances: [utterance]), Letters(), from: 0, end: 5)
        let passage = try #require(try reader.next()).passage
        #expect(said(passage) == "Hello." && passage.words.map(\.units) == [0..<5])
        #expect(try reader.next() == nil)
    }

    @Test(arguments: [
        ("One. Two!\n\nThree", ["One.", "Two!", "Three"]), ("a\r\nb", ["a  b"]), ("“Oh.” he", ["“Oh.”", "he"]),
        ("你好。世界。", ["你好。", "世界。"]), (" \n\n ... ", []), ("x\u{FEFF} y", ["x  y"]),
    ]) func `plain text is cut at sentences`(text: String, expected: [String]) throws {
        #expect(try utterances(Array(text.utf8)).map(\.text) == expected)
    }

    @Test func `bytes that are no text are spaces, and long text is cut`() throws {
        #expect(try utterances([0x61, 0xFF, 0x62, 0xC3]).map(\.text) == ["a b "])
        let long = try utterances(Array(String(repeating: "word and more ", count: 1000).utf8))
        #expect(long.allSatisfy { $0.text.unicodeScalars.count <= PlainSource.longest })
        #expect(long.flatMap(\.words).count == 3000)
        #expect(try utterances(Array(String(repeating: "é", count: 5000).utf8)).count == 25)
    }

    private func utterances(_ bytes: [UInt8]) throws -> [SpokenUtterance] {
        var path = Array("/tmp/sherpa-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        unlink(path)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let source = PlainSource(document: try PlainDocument(descriptor: descriptor, isInterrupted: { false }))
        var found: [SpokenUtterance] = []
        while let next = try source.utterance(at: found.last?.units.upperBound ?? 0) { found.append(next) }
        return found
    }

    @Test(arguments: [0.5, 0.7, 1, 1.3, 2, 5, -1, .nan] as [Double]) func `a speed belongs to every rate`(rate: Double)
    {
        let speed = SpeakingSpeed(rate)
        #expect((0.4...4.2).contains(speed.speed))
        #expect(speed.rate != 1 || speed.speed == 1)
        #expect(speed.rate <= 1, "a model that hurries is not understood")
    }

    @Test func `sound is cut at its first and last sample, and fades`() throws {
        let samples = [Float](repeating: 0.001, count: 1000) + [Float](repeating: 0.5, count: 2000) + [0.001, 0, 0]
        let sound = try #require(Sound(samples, sampleRate: 22_050))
        #expect(sound.samples.count == 2000 + 2 * 110)
        #expect(sound.samples.first == 0 && sound.samples.last == 0 && sound.samples[110] == 16384)
        #expect(Sound([0, .nan], sampleRate: 22_050) == nil)
        #expect(Sound([0, 0.0001], sampleRate: 22_050)?.samples.isEmpty == true)
    }

    @Test func `the cache forgets what was not used for longest`() throws {
        var cache = SoundCache(limit: 10_000)
        func key(_ number: Int32) -> SoundCache.Key {
            SoundCache.Key(voice: "v", speaker: 0, speed: 1000, symbols: [number])
        }
        let sound = try #require(Sound([Float](repeating: 0.5, count: 500), sampleRate: 1000))
        for number in 0..<100 {
            cache.keep(sound, for: key(Int32(number)))
            _ = cache.sound(for: key(0))
            #expect(cache.bytes <= 10_000)
        }
        #expect(cache.sound(for: key(0)) != nil && cache.sound(for: key(99)) != nil && cache.sound(for: key(50)) == nil)
    }
}
