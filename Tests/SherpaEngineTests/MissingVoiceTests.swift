// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import FileTestSupport
import Foundation
import ONNXMetadata
import Testing

@testable import SherpaSpeech

/// Tests of folders in which something is missing, damaged or fails.
@Suite(.serialized) struct MissingVoiceTests {
    /// Runs with another folder of voices.
    private func with(_ folder: String, _ body: () throws -> Void) throws {
        let before = getenv("ROSTRUM_VOICES").map { String(cString: $0) }
        setenv("ROSTRUM_VOICES", folder, 1)
        defer { if let before { setenv("ROSTRUM_VOICES", before, 1) } else { unsetenv("ROSTRUM_VOICES") } }
        try body()
    }

    private static let metadata: [(key: String, value: String)] = [
        ("model_type", "vits"), ("comment", "piper"), ("language", "English"), ("voice", "en-us"), ("has_espeak", "1"),
        ("n_speakers", "2"), ("sample_rate", "16000"), ("rostrum.language", "en-US"), ("rostrum.speakers", "ann,bob"),
    ]
    private static let tokens = "_ 0\n^ 1\n$ 2\n  3\na 4\n"

    private func voice(
        in folder: TemporaryFolder, metadata: [(key: String, value: String)] = metadata, tokens: String? = tokens
    ) throws -> String {
        try folder.write("joe/model.onnx", Data([0x08, 0x08] + ONNXMetadata.encoded(metadata)))
        if let tokens { try folder.write("joe/tokens.txt", Data(tokens.utf8)) }
        return folder.path + "/joe"
    }

    @Test func `without the runtime the engine lists itself, and says what to do`() throws {
        let folder = try TemporaryFolder()
        try with(folder.path) {
            let session = try SpeakingSession("Hello.")
            #expect(try session.voices().isEmpty)
            let failure = #expect(throws: SpeakingSession.Failure.self) { try session.load() }
            #expect(failure?.code == NeuralSpeech.cannotSpeak)
            #expect(failure?.message.contains("not installed; run `rostrum voices install") == true)
            #expect(session.log.contains { $0.hasPrefix("phase=start result=failure code=-1001 error=") })
        }
    }

    @Test(arguments: ["not a library", ""]) func `a damaged runtime is refused`(content: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("runtime/2.0.1/libsherpa-onnx-c-api.so", Data(content.utf8))
        try with(folder.path) {
            let failure = #expect(throws: SpeakingSession.Failure.self) { try SpeakingSession("Hello.").load() }
            #expect(failure?.code == NeuralSpeech.cannotSpeak && failure?.message.contains("cannot be opened") == true)
        }
    }

    @Test func `a voice describes itself`() throws {
        let folder = try TemporaryFolder()
        let voice = try InstalledVoice(name: "joe", folder: try voice(in: folder))
        #expect(voice.sampleRate == 16000 && voice.language == "en-US" && voice.speakers == ["ann", "bob"])
        #expect(voice.symbols == ["_", "^", "$", " ", "a"])
        #expect(voice.choices.map(\.name) == ["joe", "joe/ann", "joe/bob"])
        #expect(try VoiceChoice.among([voice], name: "joe/bob", language: nil).speaker == 1)
        #expect(try VoiceChoice.among([voice], name: nil, language: "en_gb").voice == voice)
    }

    @Test(
        arguments: [
            (metadata.filter { $0.key != "sample_rate" }, tokens), (metadata.filter { $0.key != "voice" }, tokens),
            (metadata.filter { $0.key != "comment" }, tokens),
            (metadata.map { $0.key == "n_speakers" ? ($0.key, "-1") : $0 }, tokens), (metadata, nil), (metadata, ""),
            (metadata, "x y\n"), (metadata, tokens + "ab 7\n"), (metadata, tokens + "a 1e9\n"),
        ] as [([(key: String, value: String)], String?)])
    func `a damaged voice is refused`(metadata: [(key: String, value: String)], tokens: String?) throws {
        let folder = try TemporaryFolder()
        let path = try voice(in: folder, metadata: metadata, tokens: tokens)
        let failure = #expect(throws: (any Error).self) { try InstalledVoice(name: "joe", folder: path) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains("install it again"))
    }

    @Test(arguments: ["joe", "joe/ann"])
    func `a voice that is named and damaged is told apart from one that is not there`(
        name: String
    ) throws {
        let folder = try TemporaryFolder()
        _ = try voice(in: folder, tokens: "")
        try with(folder.path) {
            let (voices, broken) = try #require(VoiceFolder()).voices()
            let damaged = #expect(throws: EngineFailure.self) {
                try VoiceChoice.among(voices, broken: broken, name: name, language: nil)
            }
            #expect(damaged?.code == NeuralSpeech.cannotSpeak && damaged?.message.contains("install it again") == true)
            let missing = #expect(throws: EngineFailure.self) {
                try VoiceChoice.among(voices, broken: broken, name: "joey", language: nil)
            }
            #expect(missing?.code == ROSTRUM_ERROR_VOICE)
        }
    }

    @Test func `a model that is cut off is refused`() throws {
        let folder = try TemporaryFolder()
        let path = try voice(in: folder)
        #expect(truncate(path + "/model.onnx", 20) == 0)
        #expect(throws: (any Error).self) { try InstalledVoice(name: "joe", folder: path) }
    }

    @Test(
        .enabled(if: SpokenScript.folder != nil, "no sherpa runtime is installed"),
        arguments: [1000, 30_000_000])
    func `a model that the runtime refuses fails with one line`(damagedAt: Int) throws {
        let folder = try TemporaryFolder()
        let installed = try #require(SpokenScript.folder)
        var model = try Data(contentsOf: URL(fileURLWithPath: installed + "/en_US-joe-medium/model.onnx"))
        for index in stride(from: damagedAt, to: min(model.count - 100_000, damagedAt + 20_000), by: 7) {
            model[index] ^= 0x55
        }
        try folder.write("joe/model.onnx", model)
        try FileManager.default.copyItem(
            atPath: installed + "/en_US-joe-medium/tokens.txt", toPath: folder.path + "/joe/tokens.txt")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/runtime", withDestinationPath: installed + "/runtime")
        try with(folder.path) {
            let session = try SpeakingSession("Hello.")
            do {
                try session.load()
                // Damage in the weights alone is heard, and not found.
                try session.renderAll()
            } catch let failure as SpeakingSession.Failure {
                #expect(failure.code == NeuralSpeech.cannotSpeak && !failure.message.contains("\n"))
                #expect(session.log.contains { $0.hasPrefix("phase=prepare result=failure") })
            }
        }
    }

    /// Compiles a runtime that makes no sound of anything.
    private func silentRuntime(in folder: TemporaryFolder) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        try FileManager.default.createDirectory(
            atPath: folder.path + "/runtime/2.0.1", withIntermediateDirectories: true)
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments = [
            "cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fvisibility=hidden",
            "-DSILENT_FROM=1", "-I\(package)/Sources/System/CSherpa/include",
            "\(package)/Tests/Fixtures/Engines/speech-runtime.c", "-o",
            folder.path + "/runtime/2.0.1/libsherpa-onnx-c-api.so",
        ]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0)
    }

    @Test func `a sentence of which no sound is made is logged with its reason`() throws {
        let folder = try TemporaryFolder()
        try silentRuntime(in: folder)
        let letters = "abcdefghijklmnopqrstuvwxyzəɪʊɛɔɑʌæðŋθʃʒɹˈˌː.".unicodeScalars.map { String($0) }
        let symbols = ["_", "^", "$", " "] + letters
        let tokens = symbols.enumerated().map { "\($0.element) \($0.offset)\n" }.joined()
        _ = try voice(
            in: folder, metadata: Self.metadata.map { $0.key == "n_speakers" ? ($0.key, "1") : $0 }, tokens: tokens)
        try with(folder.path) {
            let (text, script) = SpokenScript.of("Hello, world. | It was late.")
            let session = try SpeakingSession(text, script: script)
            let failure = #expect(throws: SpeakingSession.Failure.self) {
                try session.load(voice: "joe")
                try session.renderAll()
            }
            let reason = "the voice joe made no sound of a sentence"
            #expect(failure?.code == ROSTRUM_ERROR_DECODE && failure?.message.contains(reason) == true)
            #expect(session.log.contains("phase=generate result=failure at=0 error=\(reason)"), "\(session.log)")
        }
    }

    @Test(
        arguments: [
            (["ROSTRUM_VOICES": "/v"], "/v"), (["XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/rostrum/voices"),
            (["XDG_DATA_HOME": "x", "HOME": "/h"], "/h/.local/share/rostrum/voices"), ([:], nil),
        ] as [([String: String], String?)])
    func `the folder is found`(environment: [String: String], path: String?) {
        #expect(VoiceFolder(environment: { environment[$0] })?.path == path)
    }
}
