// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK
import Glibc
import ONNXMetadata

/// A voice on the disk, as its model and the list of its symbols describe it.
struct InstalledVoice: Hashable {
    var name: String
    var model: String
    var tokens: String
    /// The language as a BCP 47 tag.
    var language: String
    var quality: String
    /// The voice of eSpeak NG that says what the sounds of a text are.
    var espeakVoice: String
    var sampleRate: Int
    /// The names of the speakers, in order of their numbers; empty if there is one.
    var speakers: [String]
    var noiseScale: Float
    var durationNoiseScale: Float
    var lengthScale: Float
    /// The symbols that the model knows.
    var symbols: Set<Unicode.Scalar>

    private static let mostTokenBytes = 1 << 20

    /// Reads what a voice's files say, and checks that they are whole.
    ///
    /// The runtime ends the process if metadata or symbols are wrong, so nothing wrong may reach it.
    init(name: String, folder: String) throws(EngineFailure) {
        self.name = name
        model = folder + "/model.onnx"
        tokens = folder + "/tokens.txt"
        let found: [String: String]
        do throws(ONNXMetadata.Failure) {
            found = try ONNXMetadata.read(model)
        } catch {
            throw Self.broken(name, Self.reason(error))
        }
        func number(_ key: String, _ range: ClosedRange<Double>) -> Double? {
            guard let value = found[key].flatMap(Double.init), range.contains(value) else { return nil }
            return value
        }
        guard let rate = number("sample_rate", 8000...48_000), let count = number("n_speakers", 1...10_000),
            found["comment"] == "piper", let voice = found["voice"], !voice.isEmpty, found["has_espeak"] == "1",
            found["language"] != nil
        else { throw Self.broken(name, "its model does not say what the runtime must know") }
        sampleRate = Int(rate)
        espeakVoice = voice
        language = found["rostrum.language"].flatMap { $0.isEmpty ? nil : $0 } ?? voice
        quality = found["rostrum.quality"] ?? "unknown"
        let names = (found["rostrum.speakers"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
        speakers = count < 2 ? [] : (0..<Int(count)).map { names.count == Int(count) ? String(names[$0]) : String($0) }
        noiseScale = Float(number("rostrum.noise_scale", 0...2) ?? 0.667)
        durationNoiseScale = Float(number("rostrum.noise_scale_w", 0...2) ?? 0.8)
        lengthScale = Float(number("rostrum.length_scale", 0.1...10) ?? 1)
        guard let symbols = Self.symbols(in: tokens) else {
            throw Self.broken(name, "its list of symbols is missing or damaged")
        }
        self.symbols = symbols
    }

    static func broken(_ name: String, _ reason: String) -> EngineFailure {
        EngineFailure(
            NeuralSpeech.cannotSpeak,
            "the voice \(name) cannot be used: \(reason); install it again with `rostrum voices install \(name)`")
    }

    private static func reason(_ failure: ONNXMetadata.Failure) -> String {
        switch failure {
        case .unreadable(ENOENT): "its model is missing"
        case .unreadable(let code):
            "its model is unreadable (\(strerror(code).map { String(cString: $0) } ?? "error \(code)"))"
        case .malformed, .excessive: "its model is cut off or damaged"
        }
    }

    /// Reads a list with one symbol on each line, a space, and the symbol's number.
    private static func symbols(in path: String) -> Set<Unicode.Scalar>? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: mostTokenBytes)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        guard let text = String(validating: bytes.prefix(filled), as: UTF8.self) else { return nil }
        var symbols: Set<Unicode.Scalar> = []
        for line in text.unicodeScalars.split(separator: "\n") {
            guard let symbol = line.first, line.dropFirst().first == " ",
                Int(String(line.dropFirst(2))).map((0...65_535).contains) == true
            else { return nil }
            symbols.insert(symbol)
        }
        return symbols.isSuperset(of: ["_", "^", "$"]) ? symbols : nil
    }
}

extension InstalledVoice {
    /// The voices that a listener can name: the voice itself and, if it has several speakers, each of them.
    var choices: [Voice] {
        let described = "\(language), \(quality), \(sampleRate) Hz"
        guard !speakers.isEmpty else { return [Voice(name: name, language: language, description: described)] }
        return [Voice(name: name, language: language, description: "\(described), \(speakers.count) speakers")]
            + speakers.map {
                Voice(name: "\(name)/\($0)", language: language, description: "speaker \($0), \(described)")
            }
    }
}
