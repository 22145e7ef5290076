// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc
import JSON
import PiperVoices
import SessionProtocol

/// The voices that were chosen for languages: the setting `voices`, each as `LANGUAGE=ENGINE:VOICE`.
struct VoiceChoices {
    static let engine = "sherpa"

    /// The language and the voice with its engine, in the order of the setting.
    private(set) var all: [(language: String, voice: String)] = []

    init() throws(VoiceFailure) {
        let path: String
        do throws(SessionError) {
            path = try UserFolders.current().config + "/settings.json"
        } catch {
            throw VoiceFailure(error.message, error.code.rawValue)
        }
        // The session, which checks the file, says what is wrong with it.
        guard let data = try? Data(contentsOf: URL(filePath: path)),
            let settings = try? JSONDecoder().decode(JSONValue.self, from: data)
        else { return }
        all = (settings["voices"]?.strings ?? []).compactMap { text in
            guard let sign = text.firstIndex(of: "=") else { return nil }
            return (text[..<sign].lowercased(), String(text[text.index(after: sign)...]))
        }
    }

    /// Returns the languages for which a neural voice, or one of its speakers, was chosen.
    func languages(of name: String) -> [String] {
        all.filter { choice in
            choice.voice.hasPrefix(Self.engine + ":")
                && SpokenName(String(choice.voice.dropFirst(Self.engine.count + 1))).voice == name
        }.map(\.language)
    }

    /// Returns the languages for which a voice of another engine was chosen, with whatever variant.
    func languages(ofOther name: String) -> [String] {
        others.filter { $0.voice.beforePlus == name }.map(\.language)
    }

    /// The choices of voices of other engines.
    var others: [(language: String, voice: String)] { all.filter { !$0.voice.hasPrefix(Self.engine + ":") } }

    /// Chooses a voice for a language, or none.
    mutating func choose(_ voice: String?, for language: String) {
        all.removeAll { $0.language == language.lowercased() }
        if let voice { all.append((language.lowercased(), voice)) }
    }

    /// The setting as `rostrum settings set` takes it.
    var setting: String {
        all.isEmpty ? "default" : all.map { "\($0.language)=\($0.voice)" }.joined(separator: ",")
    }
}

extension String {
    /// The name of a voice without its variant, as in `espeak:en+f3`.
    var beforePlus: String { String(prefix { $0 != "+" }) }
}

/// The name of a voice as a listener writes it: NAME, NAME/SPEAKER, or NAME#NUMBER.
struct SpokenName {
    var voice: String
    private var speaker: String?
    private var number: String?

    init(_ text: String) {
        let sign = text.firstIndex { $0 == "/" || $0 == "#" } ?? text.endIndex
        voice = String(text[..<sign])
        guard sign != text.endIndex else { return }
        let rest = String(text[text.index(after: sign)...])
        if text[sign] == "/" { speaker = rest } else { number = rest }
    }

    /// Returns `true` if a voice has such a speaker.
    func isSpeaker(of voice: PiperVoice) -> Bool {
        if let speaker { return voice.speakers.contains(speaker) }
        guard let number else { return true }
        return Int(number).map { (0..<max(1, voice.speakers.count)).contains($0) } ?? false
    }
}
