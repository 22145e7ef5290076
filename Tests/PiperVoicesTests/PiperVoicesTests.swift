// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import ONNXMetadata
import Testing

@testable import PiperVoices

@Suite struct PiperVoicesTests {
    static let config = """
        {"audio": {"sample_rate": 22050, "quality": "medium"}, "espeak": {"voice": "en-us"},
         "inference": {"noise_scale": 0.5, "length_scale": 1.25, "noise_w": 0.7}, "phoneme_type": "espeak",
         "phoneme_id_map": {"$": [2], "_": [0], "^": [1], " ": [3], "ə": [59], "̃": [141]},
         "num_speakers": 3, "speaker_id_map": {"ann": 2, "bob": 0, "bad,name": 1},
         "language": {"code": "en_US", "name_english": "English"}}
        """

    /// The beginning of an ONNX file: version 8 of the format, and a graph of `count` bytes.
    static func model(graph count: Int) -> [UInt8] {
        var bytes: [UInt8] = [0x08, 0x08, 0x3A]
        var rest = count
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)] + [UInt8](repeating: 0xAA, count: count)
    }

    private func prepare(
        _ folder: TemporaryFolder, model: [UInt8] = Self.model(graph: 100_000), config: String = Self.config,
        name: String = "en_US-ann-medium"
    ) throws -> PiperVoice {
        try folder.write("in/x.onnx", Data(model))
        try folder.write("in/x.onnx.json", Data(config.utf8))
        try FileManager.default.createDirectory(atPath: folder.path + "/voices", withIntermediateDirectories: true)
        return try PiperVoice.prepare(
            model: folder.path + "/in/x.onnx", config: folder.path + "/in/x.onnx.json",
            into: folder.path + "/voices/" + name, license: "CC0")
    }

    @Test func `a voice is prepared, and listed`() throws {
        let folder = try TemporaryFolder()
        let voice = try prepare(folder)
        #expect(voice.name == "en_US-ann-medium" && voice.language == "en-US" && voice.languageName == "English")
        #expect(voice.quality == "medium" && voice.sampleRate == 22050 && voice.license == "CC0")
        #expect(voice.speakers == ["bob", "1", "ann"])
        #expect(PiperVoice.installed(in: folder.path + "/voices") == [voice])
        let place = folder.path + "/voices/en_US-ann-medium"
        let found = try ONNXMetadata.read(place + "/model.onnx")
        #expect(found["sample_rate"] == "22050" && found["comment"] == "piper" && found["voice"] == "en-us")
        #expect(found["n_speakers"] == "3" && found["has_espeak"] == "1" && found["rostrum.language"] == "en-US")
        #expect(found["rostrum.noise_scale"] == "0.5" && found["rostrum.speakers"] == "bob,1,ann")
        let tokens = try String(contentsOfFile: place + "/tokens.txt", encoding: .utf8)
        #expect(tokens == "_ 0\n^ 1\n$ 2\n  3\nə 59\n\u{303} 141\n")
        let whole = try Data(contentsOf: URL(fileURLWithPath: place + "/model.onnx"))
        #expect(Array(whole.prefix(Self.model(graph: 100_000).count)) == Self.model(graph: 100_000))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/voices").count == 1)
    }

    @Test func `metadata that a model has is kept`() throws {
        let folder = try TemporaryFolder()
        let model = ONNXMetadata.encoded([("sample_rate", "22050"), ("comment", "mine")]) + Self.model(graph: 10)
        _ = try prepare(folder, model: model)
        let found = try ONNXMetadata.read(folder.path + "/voices/en_US-ann-medium/model.onnx")
        #expect(found["comment"] == "mine" && found["voice"] == "en-us")
    }

    @Test(arguments: [
        ("", "no JSON object"), ("[1]", "no JSON object"), ("{}", "sample rate"),
        (config.replacingOccurrences(of: "22050", with: "1e300"), "sample rate"),
        (config.replacingOccurrences(of: "\"phoneme_type\": \"espeak\"", with: "\"phoneme_type\": \"text\""), "text"),
        (config.replacingOccurrences(of: "\"ə\"", with: "\"əx\""), "no single number"),
        (config.replacingOccurrences(of: "[59]", with: "[59, 60]"), "no single number"),
        (config.replacingOccurrences(of: "[59]", with: "[-1]"), "no single number"),
        (config.replacingOccurrences(of: "\"ə\"", with: "\"\\n\""), "no single number"),
        (config.replacingOccurrences(of: "\"^\"", with: "\"a\""), "signs for the beginning"),
    ])
    func `a configuration that is unusable is refused`(config: String, reason: String) throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: PiperVoiceFailure.self) { try prepare(folder, config: config) }
        let text = failure.map { "\($0)" } ?? ""
        #expect(text.contains(reason) && !text.contains("\n"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/voices").isEmpty)
    }

    @Test(arguments: [[], Array(model(graph: 1000).dropLast()), Array("PK not a model".utf8), [0x3A, 0xFF, 0xFF]])
    func `a model that is cut off is refused`(model: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let failure = #expect(throws: PiperVoiceFailure.self) { try prepare(folder, model: model) }
        #expect(failure.map { "\($0)" }?.contains("get it again") == true)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["model", "configuration"], [true, false])
    func `a pipe or a device is refused`(part: String, isPipe: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/odd"
        try #require((isPipe ? mkfifo(path, 0o600) : symlink("/dev/zero", path)) == 0)
        try folder.write("model.onnx", Data(Self.model(graph: 10)))
        try folder.write("model.onnx.json", Data(Self.config.utf8))
        try FileManager.default.createDirectory(atPath: folder.path + "/voices", withIntermediateDirectories: true)
        let model = part == "model" ? path : folder.path + "/model.onnx"
        let config = part == "model" ? folder.path + "/model.onnx.json" : path
        #expect(throws: PiperVoiceFailure.file(path: path, reason: "not a regular file")) {
            try PiperVoice.prepare(model: model, config: config, into: folder.path + "/voices/odd")
        }
        #expect(throws: ONNXMetadata.Failure.malformed) { try ONNXMetadata.read(path) }
    }

    @Test(arguments: ["..", ".x", "a b", "runtime", String(repeating: "x", count: 101), "é"])
    func `a folder that cannot name a voice is refused`(name: String) throws {
        let folder = try TemporaryFolder()
        #expect(throws: PiperVoiceFailure.self) { try prepare(folder, name: name) }
    }

    @Test func `a voice that is there is not replaced`() throws {
        let folder = try TemporaryFolder()
        _ = try prepare(folder)
        #expect(throws: PiperVoiceFailure.present(folder.path + "/voices/en_US-ann-medium")) { try prepare(folder) }
    }

    @Test func `an incomplete voice is not listed`() throws {
        let folder = try TemporaryFolder()
        _ = try prepare(folder)
        #expect(truncate(folder.path + "/voices/en_US-ann-medium/model.onnx", 5000) == 0)
        try folder.write("voices/runtime/2.0.1/libx.so")
        try folder.write("voices/other/voice.json")
        #expect(PiperVoice.installed(in: folder.path + "/voices").isEmpty)
        #expect(PiperVoice.installed(in: folder.path + "/nowhere").isEmpty)
    }

    @Test(
        arguments: [
            ("## Dataset\n\n* URL: x\n* License: CC0\n", "CC0"), ("licence: CC BY 4.0\r\n", "CC BY 4.0"),
            ("License:\n", nil), ("no word of it", nil),
        ] as [(String, String?)])
    func `the licence is found in the model card`(card: String, license: String?) {
        #expect(PiperVoice.license(inModelCard: card) == license)
    }
}
