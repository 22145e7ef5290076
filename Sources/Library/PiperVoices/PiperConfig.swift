// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import JSON

/// The configuration that Piper keeps beside a model, as far as the engine needs it.
struct PiperConfig {
    /// The largest configuration that is read, in bytes; those of the largest voices have 30 kB.
    static let limit = 1 << 20
    static let sampleRates = 8000.0...48000.0
    static let mostSpeakers = 10_000

    var sampleRate: Int
    var quality: String
    /// The name of the voice of eSpeak NG that says what the sounds are.
    var espeakVoice: String
    var language: String
    var languageName: String
    var speakers: [String]
    var speakerCount: Int
    var noiseScale: Double
    var durationNoiseScale: Double
    var lengthScale: Double
    /// The symbols that the model knows, with their numbers, in order of these.
    var symbols: [(symbol: Unicode.Scalar, number: Int)]

    init(json: [UInt8]) throws(PiperVoiceFailure) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json)), case .object = value else {
            throw .config("it is no JSON object")
        }
        func number(_ value: JSONValue?, _ range: ClosedRange<Double>, or other: Double) -> Double {
            guard let number = value?.number, range.contains(number) else { return other }
            return number
        }
        guard let rate = value["audio"]?["sample_rate"]?.number, Self.sampleRates.contains(rate) else {
            throw .config("it names no usable sample rate")
        }
        sampleRate = Int(rate)
        quality = Self.line(value["audio"]?["quality"]) ?? "unknown"
        let kind = value["phoneme_type"]?.string ?? "espeak"
        guard kind == "espeak", let voice = Self.line(value["espeak"]?["voice"]) else {
            throw .config(
                "it is for sounds of the kind “\(Self.line(.string(kind)) ?? "")”; only eSpeak NG's are supported"
            )
        }
        espeakVoice = voice
        language = Self.tag(value["language"]?["code"]?.string ?? voice)
        languageName = Self.line(value["language"]?["name_english"]) ?? language
        let inference = value["inference"]
        noiseScale = number(inference?["noise_scale"], 0...2, or: 0.667)
        durationNoiseScale = number(inference?["noise_w"], 0...2, or: 0.8)
        lengthScale = number(inference?["length_scale"], 0.1...10, or: 1)
        speakerCount = Int(number(value["num_speakers"], 1...Double(Self.mostSpeakers), or: 1))
        speakers = Self.speakers(value["speaker_id_map"], count: speakerCount)
        symbols = try Self.symbols(value["phoneme_id_map"])
    }

    private static func line(_ value: JSONValue?) -> String? {
        guard let text = value?.string else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(100)
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// Returns the BCP 47 tag for a code as Piper and eSpeak NG write it: `en_US`, `en-us`.
    static func tag(_ code: String) -> String {
        let parts = code.split { $0 == "_" || $0 == "-" }.prefix(4).map { part in
            String(
                part.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) })
        }
        return parts.enumerated().map { index, part in
            index == 0 ? part.lowercased() : part.count == 2 ? part.uppercased() : part
        }.joined(separator: "-")
    }

    private static func speakers(_ value: JSONValue?, count: Int) -> [String] {
        guard count > 1 else { return [] }
        var names = (0..<count).map { String($0) }
        guard case .object(let map)? = value else { return names }
        for member in map.members {
            // The list of names is kept in one string, divided by commas.
            guard let number = member.value.number, number >= 0, number < Double(count),
                let name = line(.string(member.name)), !name.contains(",")
            else { continue }
            names[Int(number)] = name
        }
        return names
    }

    private static func symbols(
        _ value: JSONValue?
    ) throws(PiperVoiceFailure) -> [(symbol: Unicode.Scalar, number: Int)] {
        guard case .object(let map)? = value else { throw .config("it lists no sounds") }
        var symbols: [(symbol: Unicode.Scalar, number: Int)] = []
        for member in map.members {
            let scalars = member.name.unicodeScalars
            // The runtime ends its process at a list that it cannot read, so nothing odd may get into it.
            guard scalars.count == 1, let symbol = scalars.first, symbol.properties.generalCategory != .control,
                case .array(let numbers) = member.value, numbers.count == 1, let number = numbers[0].number,
                (0...65_535).contains(number), number == number.rounded()
            else { throw .config("the sound “\(line(.string(member.name))?.prefix(8) ?? "")” has no single number") }
            symbols.append((symbol, Int(number)))
        }
        guard Set(symbols.map(\.symbol)).isSuperset(of: ["_", "^", "$"]) else {
            throw .config("it lacks the signs for the beginning, the end or the space between sounds")
        }
        return symbols.sorted { ($0.number, $0.symbol) < ($1.number, $1.symbol) }
    }

    /// The list of symbols in the form that the runtime reads: one on each line, with its number.
    var tokens: [UInt8] {
        symbols.flatMap { Array("\($0.symbol) \($0.number)\n".utf8) }
    }

    /// The entries that the model must have about itself, and those that the engine wants to know beside them.
    var metadata: [(key: String, value: String)] {
        [
            ("model_type", "vits"), ("comment", "piper"), ("language", languageName), ("voice", espeakVoice),
            ("has_espeak", "1"), ("n_speakers", String(speakerCount)), ("sample_rate", String(sampleRate)),
            ("rostrum.language", language), ("rostrum.quality", quality),
            ("rostrum.noise_scale", String(noiseScale)), ("rostrum.noise_scale_w", String(durationNoiseScale)),
            ("rostrum.length_scale", String(lengthScale)), ("rostrum.speakers", speakers.joined(separator: ",")),
        ]
    }
}
