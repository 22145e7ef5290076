// SPDX-License-Identifier: Apache-2.0

public import PlaybackCore

/// The voice that the listener chose for texts in a language, written `LANGUAGE=ENGINE:VOICE`.
public struct LanguageVoice: Sendable, Hashable {
    /// A BCP 47 tag, in small letters.
    public var language: String
    public var engine: EngineID
    public var voice: String

    private static let longest = 200

    /// Reads the written form; `nil` if it is none.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let sign = text.firstIndex(of: "=") else { return nil }
        let choice = text[text.index(after: sign)...]
        guard let colon = choice.firstIndex(of: ":") else { return nil }
        language = text[..<sign].lowercased()
        engine = EngineID(String(choice[..<colon]))
        voice = String(choice[choice.index(after: colon)...])
        // Commas separate what a person types.
        let isPlain = voice.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "," && $0.value != 0x7F }
        guard Self.isTag(language), colon != choice.startIndex, !voice.isEmpty, isPlain else { return nil }
    }

    /// The written form.
    public var text: String { "\(language)=\(engine):\(voice)" }

    private static func isTag(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8)
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(letters.contains) else {
            return false
        }
        return parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { letters.contains($0) || digits.contains($0) }
        }
    }
}

extension [LanguageVoice] {
    /// Returns the voice for texts in a language: the one for its region if there is one, or else for the language.
    func voice(for tag: String) -> LanguageVoice? {
        let asked = tag.lowercased()
        return last { $0.language == asked } ?? last { $0.language == asked.prefix { $0 != "-" } }
    }
}

extension MediaPlaybackController {
    /// Returns the voice that the listener chose for the language of a text; `nil` if none was chosen.
    func languageVoice(for content: Content) -> LanguageVoice? {
        guard !settings.voices.isEmpty, content.kind == .text, let language = content.document?.mainLanguage() else {
            return nil
        }
        return settings.voices.voice(for: language)
    }

    /// Returns the voice for the language of a text, if it is one of this engine.
    func languageVoice(for content: Content, in engine: EngineID) -> String? {
        languageVoice(for: content).flatMap { $0.engine == engine ? $0.voice : nil }
    }

    /// Lets the engine that was chosen for the language of a text read it, if it is there.
    func choosingByLanguage(_ found: FoundItem) async -> FoundItem {
        guard let choice = languageVoice(for: found.content), choice.engine != found.engine else { return found }
        let isUsable = await ports.engines.installed().contains {
            $0.id == choice.engine && $0.state == .available && $0.kinds.contains(.text)
        }
        guard isUsable else { return found }
        var chosen = found
        chosen.usualEngine = found.engine
        chosen.engine = choice.engine
        return chosen
    }
}
