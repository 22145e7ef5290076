// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Glibc
import PlaybackCore
import ReadingText
import SpeechScript
import Testing

@testable import MediaPlayback

/// The voice that was chosen for a language reads its texts.
@Suite(.timeLimit(.minutes(1))) struct `The voice of a language` {
    @Test(arguments: [
        ("en=sherpa:en_US-joe-medium", "en", "sherpa", "en_US-joe-medium"),
        ("de-AT=espeak:de", "de-at", "espeak", "de"), ("yue=a:b:c=d/e#3", "yue", "a", "b:c=d/e#3"),
    ])
    func `is read from its written form`(text: String, language: String, engine: String, voice: String) throws {
        let choice = try #require(LanguageVoice(text))
        #expect(choice.language == language && choice.engine == EngineID(engine) && choice.voice == voice)
        #expect(LanguageVoice(choice.text) == choice)
    }

    @Test(arguments: [
        "", "en", "en=", "en=joe", "en=:joe", "en=sherpa:", "=sherpa:joe", "e=sherpa:joe", "12=sherpa:joe",
        "en-=sherpa:joe", "en_US=sherpa:joe", "en=sherpa:a,b", "en=sherpa:a\nb",
        "en=sherpa:" + String(repeating: "x", count: 200),
    ])
    func `is nothing else`(text: String) { #expect(LanguageVoice(text) == nil) }

    @Test func `is that of the region, or else of the language; the last one counts`() {
        let choices = ["en=a:1", "en=a:2", "en-gb=a:3", "de=a:4"].compactMap { LanguageVoice($0) }
        #expect(choices.voice(for: "en")?.voice == "2" && choices.voice(for: "en-US")?.voice == "2")
        #expect(choices.voice(for: "en-GB")?.voice == "3" && choices.voice(for: "fr") == nil)
        #expect(choices.voice(for: "eng") == nil)
    }

    private static func file() -> SharedDescriptor {
        var path = Array("/tmp/rostrum-language-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        return SharedDescriptor(owning: file)
    }

    static func document(_ languages: [(language: String?, bytes: Int)], declared: String? = nil) throws -> TextDocument
    {
        let script = file()
        let size = languages.reduce(0) { $0 + $1.bytes }
        var writer = try ScriptFileWriter(
            descriptor: script.rawValue,
            of: ReadingDocument(
                language: declared, text: Array(repeating: 0x78, count: size),
                blocks: [TextBlock(.paragraph, 0..<size)], sections: []))
        var place = 0
        for (language, bytes) in languages {
            let range = place..<place + bytes
            try writer.append(Utterance(range: range, sentence: range, block: 0, spoken: "x", language: language))
            place += bytes
        }
        try writer.finish()
        return TextDocument(text: file(), script: script)
    }

    @Test func `follows what the document declares, or else most of its words`() throws {
        let mixed = [("de", 10), (nil, 500), ("en", 30), ("de", 10)] as [(String?, Int)]
        #expect(try Self.document(mixed).mainLanguage() == "en")
        #expect(try Self.document(mixed, declared: "de-CH").mainLanguage() == "de-CH")
        #expect(try Self.document([(nil, 5)]).mainLanguage() == nil)
        #expect(try Self.document([]).mainLanguage() == nil)
        let long = Array(repeating: ("fr" as String?, 3), count: 1000) + [("en", 5)]
        #expect(try Self.document(long).mainLanguage() == "fr")
    }

    /// A resolver of texts that are documents in one language.
    private struct DocumentResolver: ItemResolving {
        var language: String

        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            var item = try await FakeResolver().resolve(request)
            item.content.document = try? document([(language, 10)])
            return item
        }
    }

    private func controller(
        _ tape: Tape, language: String = "en-US", _ choices: String..., store: FakeStore? = nil,
        output: FakeOutput? = nil
    ) -> MediaPlaybackController {
        var settings = PlaybackSettings()
        settings.voices = choices.compactMap { LanguageVoice($0) }
        return MediaPlaybackController(
            engines: FakeEngines(tape: tape), outputs: OneOutput(output: output ?? FakeOutput(tape: tape)),
            store: store ?? FakeStore(tape: tape), resolver: DocumentResolver(language: language),
            log: CapturingLog(), settings: settings)
    }

    private let tape = Tape()

    @Test func `and its engine are taken if none is named`() async throws {
        try await controller(tape, "en=neural:joe").play(Rig.request("a.txt"))
        #expect(tape.lines.contains("neural: voice joe") && !tape.lines.contains { $0.hasPrefix("espeak: load") })
    }

    @Test func `is not taken for another language`() async throws {
        try await controller(tape, language: "fi", "en=neural:joe").play(Rig.request("a.txt"))
        #expect(tape.lines.contains { $0.hasPrefix("espeak: load") } && !tape.lines.contains { $0.hasPrefix("neural") })
    }

    @Test func `gives way to the engine and the voice that are named`() async throws {
        var request = Rig.request("a.txt")
        request.engine = EngineID("espeak")
        try await controller(tape, "en=neural:joe").play(request)
        #expect(!tape.lines.contains { $0.hasPrefix("neural") })
        request.engine = EngineID("neural")
        request.voice = "amy"
        try await controller(tape, "en=neural:joe").play(request)
        #expect(tape.lines.contains("neural: voice amy"))
    }

    @Test func `is taken for a text that was read as all texts are, and for none with a voice of its own`() async throws
    {
        let store = FakeStore(tape: tape)
        let output = FakeOutput(tape: tape)
        let before = controller(tape, store: store, output: output)
        var own = Rig.request("own.txt")
        own.voice = "en-gb"
        for request in [own, Rig.request("plain.txt")] {
            try await before.play(request)
            output.hear(7)
            await before.stop()
            await tape.wait(for: "store: \(request.item.items[0]) 7")
        }
        await before.shutDown()
        let after = controller(tape, "en=neural:joe", store: store)
        try await after.play(Rig.request("plain.txt"))
        #expect(await after.snapshot().state.current?.engine == EngineID("neural"))
        try await after.play(Rig.request("own.txt"))
        #expect(await after.snapshot().state.current?.engine == EngineID("espeak"))
    }

    @Test func `is another one once another was chosen`() async throws {
        let store = FakeStore(tape: tape)
        for voice in ["joe", "amy"] {
            let session = controller(tape, "en=neural:\(voice)", store: store)
            try await session.play(Rig.request("a.txt"))
            #expect(tape.lines.contains("neural: voice \(voice)"))
            await session.shutDown()
        }
    }

    @Test func `is prepared for what a recording lacks, and kept until it is needed`() async throws {
        var settings = PlaybackSettings()
        settings.voices = ["en=neural:joe"].compactMap { LanguageVoice($0) }
        let rig = Rig(settings: settings, works: try FakeWorks(), resolver: DocumentResolver(language: "en"))
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(9_000)
        await rig.report(damage: 12_000..<22_000)
        await rig.tape.wait(for: "neural: prewarm")
        await rig.tape.wait(for: "output: limit 0:12000")
        rig.output.hear(12_000)
        await rig.end()
        await rig.hears("book.txt")
        let lines = rig.tape.lines
        #expect(!lines.contains("espeak: prewarm"))
        let (load, end) = (lines.firstIndex { $0.hasPrefix("neural: load") }, lines.firstIndex(of: "neural: end spare"))
        #expect(try #require(load) < end ?? .max, "\(lines)")
    }

    @Test func `is taken by its engine when that is switched to`() async throws {
        let controller = controller(tape, "en=neural:joe")
        var request = Rig.request("a.txt")
        request.engine = EngineID("espeak")
        try await controller.play(request)
        try await controller.switchEngine(to: EngineID("neural"))
        #expect(tape.lines.contains("neural: voice joe"))
    }
}
