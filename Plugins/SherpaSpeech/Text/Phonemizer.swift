// SPDX-License-Identifier: Apache-2.0

import CEspeak
import EngineABI
import EngineSDK
import Glibc

/// A wrapper of libespeak-ng that says which sounds a text has.
///
/// The library exists once per process. A phonemizer is used on the engine's thread only.
struct Phonemizer: SoundSpelling {
    /// The longest text that is given to the library at a time, in bytes; it cuts longer ones by itself.
    static let longest = 800

    private let voice: String
    private let known: Set<Unicode.Scalar>

    /// - Parameters:
    ///   - voice: The name of the library's voice.
    ///   - known: The symbols that the model knows.
    init(voice: String, known: Set<Unicode.Scalar>) throws(EngineFailure) {
        self.voice = voice
        self.known = known
        guard Self.isReady else {
            throw EngineFailure(
                NeuralSpeech.cannotSpeak, "libespeak-ng found no speech data; install the package espeak-ng-data")
        }
        guard select() else {
            throw EngineFailure(
                NeuralSpeech.cannotSpeak,
                "libespeak-ng has no voice \"\(voice.prefix(40))\", which says how the words sound"
            )
        }
    }

    /// `true` if the library works.
    ///
    /// It is initialised once and never terminated.
    private static let isReady: Bool = {
        if espeak_ng_GetSampleRate() > 0 { return true }
        // The library sets the locale of the process, which belongs to the host.
        let locale = setlocale(LC_CTYPE, nil).map { String(cString: $0) }
        defer { if let locale { setlocale(LC_CTYPE, locale) } }
        return espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 50, nil, espeakINITIALIZE_DONT_EXIT) > 0
    }()

    /// Selects the voice.
    ///
    /// The library makes a path of the name, in a buffer of 40 bytes.
    func select() -> Bool {
        guard (1..<40).contains(voice.utf8.count), !voice.hasPrefix("."), !voice.hasPrefix("/"), !voice.contains(".."),
            voice.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.isASCII && $0 != "%" })
        else { return false }
        return espeak_SetVoiceByName(voice) == EE_OK
    }

    /// Returns the symbols of a text's sounds, as far as the model knows them; words are divided by spaces.
    ///
    /// - Parameter hasSounds: `true` if sounds between double brackets are to be taken as such.
    func symbols(of text: [UInt8], hasSounds: Bool) -> [Unicode.Scalar] {
        guard text.contains(where: { $0 != 0x20 }) else { return [] }
        if hasSounds { Self.takeSounds(true) }
        defer { if hasSounds { Self.takeSounds(false) } }
        var said = ""
        // The library reads a little beyond the end of some texts.
        let padded = Array(text.prefix(Self.longest)) + [UInt8](repeating: 0, count: 16)
        padded.withUnsafeBytes { bytes in
            var next = bytes.baseAddress
            // Each call says one clause, and moves on.
            for _ in 0..<Self.longest {
                guard next != nil, let clause = espeak_TextToPhonemes(&next, Int32(espeakCHARS_UTF8), Self.ipa) else {
                    return
                }
                said += " " + String(cString: clause)
            }
        }
        return known(in: said)
    }

    func sign(_ sign: Unicode.Scalar) -> Unicode.Scalar? {
        if known.contains(sign) { return sign }
        return known.contains(".") ? "." : nil
    }

    /// The notation: the International Phonetic Alphabet.
    private static let ipa: Int32 = 2

    /// Tells the library whether double brackets surround sounds; it remembers the flags of what it spoke last.
    private static func takeSounds(_ isOn: Bool) {
        espeak_SetSynthCallback { _, _, _ in 1 }
        let text: [UInt8] = [0x78] + [UInt8](repeating: 0, count: 17)
        let flags = UInt32(espeakCHARS_UTF8) | (isOn ? UInt32(espeakPHONEMES) : 0)
        _ = text.withUnsafeBytes { espeak_Synth($0.baseAddress, 2, 0, POS_CHARACTER, 0, flags, nil, nil) }
    }

    private func known(in said: String) -> [Unicode.Scalar] {
        var symbols: [Unicode.Scalar] = []
        var isLanguage = false
        for scalar in said.unicodeScalars {
            // A change of language is written as "(en)".
            if scalar == "(" || scalar == ")" {
                isLanguage = scalar == "("
                continue
            }
            guard !isLanguage else { continue }
            if scalar == " " || scalar == "\n" {
                if let last = symbols.last, last != " " { symbols.append(" ") }
            } else if let parts = Self.decompositions[scalar], known.isSuperset(of: parts) {
                symbols += parts
            } else if known.contains(scalar) {
                symbols.append(scalar)
            }
        }
        if symbols.last == " " { symbols.removeLast() }
        return symbols
    }

    /// The composed letters that the library writes; voices were trained with decomposed ones.
    private static let decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ç": ["c", "\u{327}"], "ã": ["a", "\u{303}"], "ẽ": ["e", "\u{303}"], "ĩ": ["i", "\u{303}"],
        "õ": ["o", "\u{303}"], "ũ": ["u", "\u{303}"], "ỹ": ["y", "\u{303}"], "ñ": ["n", "\u{303}"],
    ]
}
