// SPDX-License-Identifier: Apache-2.0

import CEspeak
import EngineABI
import EngineSDK
import SimilarNames

/// The voices of libespeak-ng and the choice of one.
///
/// It is used on the engine's thread only.
enum VoiceCatalog {
    /// Returns all voices that need no other program.
    ///
    /// The first call reads some 130 small files, which takes about 20 ms.
    static func voices() -> [Voice] {
        guard var entry = espeak_ListVoices(nil) else { return [] }
        var voices: [Voice] = []
        while let voice = entry.pointee?.pointee {
            entry += 1
            guard let identifier = voice.identifier, let languages = voice.languages else { continue }
            let path = String(cString: identifier)
            // mbrola voices are listed whether or not their data is installed.
            guard !path.hasPrefix("mb/") else { continue }
            let file = path.split(separator: "/").last.map(String.init) ?? path
            voices.append(
                Voice(
                    name: file, language: String(cString: languages + 1),
                    description: voice.name.map { String(cString: $0) }))
        }
        return voices
    }

    /// Selects the voice that the content asks for.
    ///
    /// - Parameter suggestion: The language that the text appears to be in.
    /// - Returns: A warning if a language that was asked for has no voice.
    static func select(
        voice: String?, language: String?, suggestion: String?
    ) throws(EngineFailure) -> String? {
        if let voice, !voice.isEmpty {
            guard select(name: voice) else {
                let near = SimilarNames.advice(for: voice, among: voices().flatMap { [$0.name, $0.language] })
                throw EngineFailure(
                    ROSTRUM_ERROR_VOICE,
                    "espeak has no voice \"\(printable(voice))\"; \(near)`rostrum voices --all` lists all")
            }
            return nil
        }
        if let language, !language.isEmpty {
            if select(language: language) { return nil }
            try selectDefault()
            return "espeak has no voice for the language \"\(printable(language))\"; it speaks English"
        }
        if let suggestion, select(language: suggestion) { return nil }
        try selectDefault()
        return nil
    }

    /// Returns the part of a name that fits into one line of an error.
    private static func printable(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }

    private static func selectDefault() throws(EngineFailure) {
        guard select(language: "en") else {
            throw EngineFailure(ROSTRUM_ERROR_VOICE, "libespeak-ng has no English voice; install espeak-ng-data")
        }
    }

    /// Selects a voice by BCP 47 tag: the one for the longest part of the tag that has a voice.
    private static func select(language tag: String) -> Bool {
        var parts = tag.lowercased().split(separator: "-", omittingEmptySubsequences: true).map(String.init)
        if let first = parts.first, let other = aliases[first] { parts[0] = other }
        while !parts.isEmpty {
            let code = parts.joined(separator: "-")
            if selectFile(of: code) || select(name: code) { return true }
            parts.removeLast()
        }
        return false
    }

    /// The codes that libespeak-ng files under another name.
    private static let aliases = ["zh": "cmn", "no": "nb", "nn": "nb", "iw": "he", "in": "id", "tl": "id", "arb": "ar"]

    /// Selects a voice by its file, which avoids a search through all of them: 0.2 ms instead of 20.
    private static func selectFile(of code: String) -> Bool {
        guard (2...3).contains(code.utf8.count) else { return false }
        return families.contains { espeak_SetVoiceByName($0 + code) == EE_OK }
    }

    /// The folders in which libespeak-ng keeps its languages, by family (ISO 639-5), the most common first.
    private static let families = [
        "gmw/", "roa/", "zle/", "zlw/", "zls/", "gmq/", "sit/", "inc/", "sem/", "trk/", "urj/", "jpx/", "dra/", "ira/",
        "poz/", "aav/", "cel/", "bat/", "grk/", "ine/", "tai/", "bnt/", "art/", "ccs/", "itc/", "cus/", "",
    ]

    /// Selects a voice by name, file name or language, optionally followed by `+variant`.
    private static func select(name: String) -> Bool {
        // The library makes a path of the name, in a buffer of 40 bytes.
        guard name.utf8.count < 40, !name.hasPrefix("/"), !name.hasPrefix("."), !name.contains("..") else {
            return false
        }
        guard name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "%" }) else { return false }
        return espeak_SetVoiceByName(name) == EE_OK
    }
}
