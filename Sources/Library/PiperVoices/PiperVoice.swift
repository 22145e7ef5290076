// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import JSON

/// A Piper voice in a folder of its own, ready for the engine `sherpa`: `model.onnx`, `tokens.txt` and `voice.json`.
///
/// The engine reads the first two. The third describes the voice for people.
public struct PiperVoice: Sendable, Hashable {
    /// The name, which is that of the folder, such as `en_US-joe-medium`.
    public var name: String
    /// The language as a BCP 47 tag.
    public var language: String
    /// The name of the language in English.
    public var languageName: String
    /// The grade that the maker gave it: `x_low`, `low`, `medium` or `high`.
    public var quality: String
    /// The names of the speakers, in order of their numbers; empty if there is one and it has no name.
    public var speakers: [String]
    /// The sample rate, in frames a second.
    public var sampleRate: Int
    /// The licence, in the words of the voice's maker.
    public var license: String?
    /// The size of `model.onnx`, in bytes.
    public var modelBytes: Int64

    public init(
        name: String, language: String, languageName: String, quality: String, speakers: [String], sampleRate: Int,
        license: String?, modelBytes: Int64
    ) {
        self.name = name
        self.language = language
        self.languageName = languageName
        self.quality = quality
        self.speakers = speakers
        self.sampleRate = sampleRate
        self.license = license
        self.modelBytes = modelBytes
    }

    static let modelFile = "model.onnx"
    static let tokensFile = "tokens.txt"
    static let descriptionFile = "voice.json"

    /// Returns the voices in a folder, in order of their names.
    ///
    /// A folder that has no description, or whose model does not have the size that the description states, is left
    /// out.
    public static func installed(in folder: String) -> [PiperVoice] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().compactMap { name in
            guard isName(name), let voice = PiperVoice(describedIn: "\(folder)/\(name)", name: name) else { return nil }
            return voice.isComplete(in: "\(folder)/\(name)") ? voice : nil
        }
    }

    /// `true` if the folder holds the files of the voice, with the model's whole length.
    public func isComplete(in folder: String) -> Bool {
        FileBytes.size(of: "\(folder)/\(Self.modelFile)") == modelBytes
            && (FileBytes.size(of: "\(folder)/\(Self.tokensFile)") ?? 0) > 0
    }

    /// `true` for what can name a voice and its folder: letters, digits, `_`, `-`, `.` and `+`, not first a dot.
    public static func isName(_ name: String) -> Bool {
        (1...100).contains(name.utf8.count) && !name.hasPrefix(".") && name != "runtime"
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_-.+".contains(Character($0)))
            }
    }

    /// Returns the licence that a model card states.
    public static func license(inModelCard card: String) -> String? {
        for line in card.split(whereSeparator: \.isNewline) {
            let words = line.drop { " *-\t".contains($0) }
            guard words.lowercased().hasPrefix("license:") || words.lowercased().hasPrefix("licence:") else { continue }
            let text = words.dropFirst("license:".count).drop(while: \.isWhitespace).prefix(200)
            if !text.isEmpty { return String(text) }
        }
        return nil
    }
}

extension PiperVoice {
    /// Reads the description in a voice's folder.
    init?(describedIn folder: String, name: String) {
        guard case .success(let bytes) = FileBytes.read("\(folder)/\(Self.descriptionFile)", limit: PiperConfig.limit),
            let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
            let language = value["language"]?.string, let rate = value["sampleRate"]?.number,
            let size = value["modelBytes"]?.number, PiperConfig.sampleRates.contains(rate), size >= 1, size < 0x1p53
        else { return nil }
        self.init(
            name: name, language: language, languageName: value["languageName"]?.string ?? language,
            quality: value["quality"]?.string ?? "unknown", speakers: value["speakers"]?.strings ?? [],
            sampleRate: Int(rate), license: value["license"]?.string, modelBytes: Int64(size))
    }

    /// The text of the description.
    func description() -> [UInt8]? {
        let value: JSONValue = .object([
            "name": .string(name), "language": .string(language), "languageName": .string(languageName),
            "quality": .string(quality), "speakers": .array(speakers.map(JSONValue.string)),
            "sampleRate": .int(Int64(sampleRate)), "license": .optional(license), "modelBytes": .int(modelBytes),
        ])
        let coder = JSONEncoder()
        coder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? coder.encode(value) else { return nil }
        return Array(data) + [0x0A]
    }
}
