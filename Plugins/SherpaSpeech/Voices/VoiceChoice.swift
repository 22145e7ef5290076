// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A voice, and the number of its speaker.
struct VoiceChoice {
    var voice: InstalledVoice
    var speaker: Int

    /// Chooses a voice: the one that is named, or else the first one of the language.
    ///
    /// - Parameters:
    ///   - broken: The voices that cannot be used, with what is the matter with each.
    ///   - name: The name of a voice, or of a voice and a speaker by name or number, as in `en_US-libritts/p83` and
    ///     `en_US-libritts#3`.
    ///   - language: A BCP 47 tag.
    static func among(
        _ voices: [InstalledVoice], broken: [(name: String, complaint: String)] = [], name: String?, language: String?
    ) throws(EngineFailure) -> VoiceChoice {
        if let name, !name.isEmpty {
            let damaged = broken.first { broken in
                name == broken.name || name.hasPrefix(broken.name + "/") || name.hasPrefix(broken.name + "#")
            }
            if let damaged { throw EngineFailure(NeuralSpeech.cannotSpeak, damaged.complaint) }
            return try named(name, among: voices)
        }
        guard let first = voices.first else {
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                broken.first?.complaint
                    ?? "no neural voice is installed; run `rostrum voices install en_US-joe-medium`")
        }
        guard let language, !language.isEmpty else { return VoiceChoice(voice: first, speaker: 0) }
        let asked = normal(language)
        // The same region if there is one, or else the same language.
        let found =
            voices.first { normal($0.language) == asked }
            ?? voices.first { primary(normal($0.language)) == primary(asked) }
        guard let found else {
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                "no installed voice speaks the language \"\(printable(language))\"; see `rostrum voices`")
        }
        return VoiceChoice(voice: found, speaker: 0)
    }

    private static func named(_ name: String, among voices: [InstalledVoice]) throws(EngineFailure) -> VoiceChoice {
        if let voice = voices.first(where: { $0.name == name }) { return VoiceChoice(voice: voice, speaker: 0) }
        let number = name.split(separator: "#", maxSplits: 1).map(String.init)
        if number.count == 2, let voice = voices.first(where: { $0.name == number[0] }) {
            let count = max(1, voice.speakers.count)
            if let speaker = Int(number[1]), (0..<count).contains(speaker) {
                return VoiceChoice(voice: voice, speaker: speaker)
            }
            throw EngineFailure(
                ROSTRUM_ERROR_VOICE, "the voice \(voice.name) has no speaker #\(printable(number[1])); it has \(count)")
        }
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        if parts.count == 2, let voice = voices.first(where: { $0.name == parts[0] }) {
            if let speaker = voice.speakers.firstIndex(of: parts[1]) {
                return VoiceChoice(voice: voice, speaker: speaker)
            }
            throw EngineFailure(
                ROSTRUM_ERROR_VOICE, "the voice \(voice.name) has no speaker \"\(printable(parts[1]))\"")
        }
        throw EngineFailure(
            ROSTRUM_ERROR_VOICE, "no voice \"\(printable(name))\" is installed; see `rostrum voices`")
    }

    /// `true` if the voice speaks a language, in whatever region.
    static func speaks(_ voice: InstalledVoice, _ language: String) -> Bool {
        primary(normal(voice.language)) == primary(normal(language))
    }

    private static func normal(_ tag: String) -> String {
        String(tag.lowercased().map { $0 == "_" ? "-" : $0 })
    }

    private static func primary(_ tag: String) -> Substring { tag.prefix { $0 != "-" } }

    /// Returns the part of a name that fits into one line of an error.
    private static func printable(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
