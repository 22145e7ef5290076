// SPDX-License-Identifier: Apache-2.0

/// Language tags of BCP 47, as far as speech needs them.
enum LanguageTag {
    /// The primary subtag in lower case, two-letter where there is one.
    static func primary(_ tag: String) -> String {
        let first = tag.lowercased().split { $0 == "-" || $0 == "_" }.first.map(String.init) ?? ""
        switch first {
        case "eng": return "en"
        case "deu", "ger": return "de"
        case "fra", "fre": return "fr"
        case "spa": return "es"
        case "ita": return "it"
        case "por": return "pt"
        case "nld", "dut": return "nl"
        case "swe": return "sv"
        case "pol": return "pl"
        case "rus": return "ru"
        case "zho", "chi": return "zh"
        case "jpn": return "ja"
        case "iw": return "he"
        default: return first
        }
    }

    /// A tag that a document declares, if it has the form of one and says a language.
    static func valid(_ tag: String?) -> String? {
        guard let tag, (2...35).contains(tag.utf8.count) else { return nil }
        let subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard let first = subtags.first, (2...3).contains(first.count),
            first.unicodeScalars.allSatisfy({ $0.isASCIILetter }),
            subtags.allSatisfy({
                (1...8).contains($0.count) && $0.unicodeScalars.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
            })
        else { return nil }
        let primary = first.lowercased()
        return ["und", "mul", "zxx", "mis"].contains(primary) ? nil : tag
    }
}
