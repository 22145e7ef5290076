// SPDX-License-Identifier: Apache-2.0

/// Turns sounds of the International Phonetic Alphabet into the notation of eSpeak NG.
///
/// A voice drops without a word what its language has no sound for, so that each vowel is replaced by a near one where
/// a language lacks it. The tables were checked against `espeak-ng --ipa "[[…]]"` for English, German, French and
/// Spanish.
enum PhonemeAlphabet {
    /// The longest transcription that is read, in bytes.
    static let longest = 400

    /// Returns the notation for a language, and the symbols that have none.
    static func espeak(_ ipa: String, language: String) -> (notation: String, unknown: [Unicode.Scalar]) {
        var notation = ""
        var unknown: [Unicode.Scalar] = []
        let scalars = Array(ipa.unicodeScalars.prefix(longest))
        var index = 0
        while index < scalars.count {
            var taken = 0
            for count in stride(from: min(3, scalars.count - index), through: 1, by: -1) {
                let symbol = String(String.UnicodeScalarView(scalars[index..<index + count]))
                guard let sound = sounds[symbol] else { continue }
                let near = substitutes[language]?[sound] ?? sound
                // A short sound before one that would make another mnemonic with it is parted by a bar.
                if let last = notation.last, last.isLetter || last == "@", needsBar(last, near) { notation += "|" }
                notation += near
                taken = count
                break
            }
            if taken == 0 {
                if !ignored.contains(scalars[index]) { unknown.append(scalars[index]) }
                taken = 1
            }
            index += taken
        }
        return (notation, unknown)
    }

    private static func needsBar(_ last: Character, _ next: String) -> Bool {
        guard let first = next.first else { return false }
        switch (last, first) {
        case ("t", "S"), ("d", "Z"), ("t", "s"), ("d", "z"), ("a", "I"), ("a", "U"), ("e", "I"), ("O", "I"), ("o", "U"),
            ("e", "@"),
            ("i", "@"), ("U", "@"), ("o", "e"):
            return true
        default: return false
        }
    }

    /// Marks that say nothing which the notation could: delimiters, syllables, ties, length of consonants.
    private static let ignored: Set<Unicode.Scalar> = [
        "/", "[", "]", ".", "\u{361}", "\u{35C}", "\u{32F}", "\u{329}", "\u{325}", "ˑ", "\u{306}", "(", ")", "‿", "|",
        "ʰ", "\u{31A}",
        "\u{32A}",
    ]

    private static let sounds: [String: String] = [
        "p": "p", "b": "b", "t": "t", "d": "d", "k": "k", "ɡ": "g", "g": "g", "f": "f", "v": "v", "s": "s", "z": "z",
        "m": "m",
        "n": "n", "l": "l", "ɫ": "l", "r": "r", "ɹ": "r", "ɾ": "*", "ʁ": "r", "ʀ": "r", "θ": "T", "ð": "D", "ʃ": "S",
        "ʒ": "Z",
        "tʃ": "tS", "t͡ʃ": "tS", "ʧ": "tS", "dʒ": "dZ", "d͡ʒ": "dZ", "ʤ": "dZ", "ts": "ts", "t͡s": "ts", "dz": "dz",
        "d͡z": "dz",
        "pf": "pf", "p͡f": "pf", "ŋ": "N", "j": "j", "w": "w", "ʍ": "w#", "h": "h", "ɦ": "h", "x": "x", "χ": "X",
        "ç": "C",
        "ɣ": "Q", "β": "B", "ɲ": "n^", "ʎ": "l^", "ɟ": "J", "c": "c", "q": "q", "ʔ": "?", "ɕ": "S;", "ʑ": "Z;",
        "tɕ": "tS;",
        "t͡ɕ": "tS;", "ʂ": "s.", "ʐ": "z.", "ɳ": "n.", "ɭ": "l.", "ɬ": "l#", "ɥ": "y",
        "i": "i", "iː": "i:", "ɪ": "I", "e": "e", "eː": "e:", "ɛ": "E", "ɛː": "E:", "æ": "a", "a": "a", "aː": "a:",
        "ɑ": "A:",
        "ɑː": "A:", "ɒ": "0", "ɔ": "O", "ɔː": "O:", "o": "o", "oː": "o:", "ʊ": "U", "u": "u", "uː": "u:", "ʌ": "V",
        "ə": "@",
        "ɜ": "3:", "ɜː": "3:", "ɝ": "3:", "ɚ": "@", "ɐ": "a#", "ɨ": "I", "ʉ": "u:", "ɯ": "u", "ɵ": "@", "y": "y",
        "yː": "y:",
        "ʏ": "y", "ø": "Y", "øː": "Y:", "œ": "W", "ɔ̃": "O~", "õ": "O~", "ɑ̃": "A~", "ã": "A~", "ɛ̃": "E~", "ẽ": "E~",
        "œ̃": "W~",
        "eɪ": "eI", "aɪ": "aI", "aɪ̯": "aI", "ɔɪ": "OI", "ɔʏ": "OI", "ɔʏ̯": "OI", "oʊ": "oU", "əʊ": "oU", "aʊ": "aU",
        "aʊ̯": "aU",
        "ɪə": "i@", "eə": "e@", "ʊə": "U@",
        "ˈ": "'", "'": "'", "ˌ": ",", "ː": ":", " ": " ", "-": "",
    ]

    /// Substitutes for a sound that the voice's language lacks.
    private static let substitutes: [String: [String: String]] = [
        "en": ["y": "u:", "y:": "u:", "Y": "3:", "Y:": "3:", "W": "3:", "W~": "3:", "E~": "aN", "pf": "f"],
        "de": ["0": "O", "V": "a", "A:": "a:", "a#": "a", "E~": "E", "oU": "o:", "w#": "w"],
        "fr": ["A:": "a", "0": "O", "U": "u", "3:": "W", "U@": "u", "aU": "au", "w#": "w", "A~": "A~"],
        "es": [
            "I": "i", "A:": "a", "0": "o", "V": "a", "3:": "e", "W": "o", "a#": "a", "OI": "oj", "O~": "on", "A~": "an",
            "E~": "en",
            "W~": "un", "w#": "w",
        ],
    ]
}
