// SPDX-License-Identifier: Apache-2.0

/// The script of some text, as far as it tells the language.
enum WritingScript: Hashable {
    case latin, cyrillic, greek, hebrew, arabic, hangul, kana, han, thai, indic(String), other

    init?(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE: self = .arabic
        case 0x900...0x97F: self = .indic("hi")
        case 0x980...0x9FF: self = .indic("bn")
        case 0xA00...0xA7F: self = .indic("pa")
        case 0xA80...0xAFF: self = .indic("gu")
        case 0xB00...0xB7F: self = .indic("or")
        case 0xB80...0xBFF: self = .indic("ta")
        case 0xC00...0xC7F: self = .indic("te")
        case 0xC80...0xCFF: self = .indic("kn")
        case 0xD00...0xD7F: self = .indic("ml")
        case 0xD80...0xDFF: self = .indic("si")
        case 0xE00...0xE7F: self = .thai
        case 0xE80...0xEFF: self = .indic("lo")
        case 0x1000...0x109F: self = .indic("my")
        case 0x10A0...0x10FF: self = .indic("ka")
        case 0x1100...0x11FF, 0xAC00...0xD7A3: self = .hangul
        case 0x1780...0x17FF: self = .indic("km")
        case 0x530...0x58F: self = .indic("hy")
        case 0x3040...0x30FF: self = .kana
        case 0x3400...0x9FFF, 0x20000...0x2FFFF: self = .han
        default:
            guard scalar.value >= 0x250, scalar.isSpoken, !scalar.isASCIIDigit, scalar.properties.isAlphabetic else {
                return nil
            }
            self = .other
        }
    }

    /// The script of most of a text's letters; Han with kana is kana.
    static func of(_ text: ScalarText, _ range: Range<Int>) -> WritingScript? {
        var counts: [WritingScript: Int] = [:]
        var latin = 0
        var place = range.lowerBound
        let end = min(range.upperBound, range.lowerBound + 512)
        while place < end {
            let byte = text.bytes[place]
            if byte < 0x80 {
                if byte | 0x20 >= 0x61, byte | 0x20 <= 0x7A { latin += 1 }
                place += 1
                continue
            }
            let (scalar, size) = text.scalar(at: place, before: range.upperBound)
            if let script = WritingScript(scalar) { counts[script, default: 0] += 1 }
            place += size
        }
        if latin > 0 { counts[.latin, default: 0] += latin }
        guard let most = counts.max(by: { $0.value < $1.value })?.key else { return nil }
        return most == .han && counts[.kana, default: 0] > 0 ? .kana : most
    }

    /// The language that is written in it most; `nil` for Latin.
    var language: String? {
        switch self {
        case .latin, .other: nil
        case .cyrillic: "ru"
        case .greek: "el"
        case .hebrew: "he"
        case .arabic: "ar"
        case .hangul: "ko"
        case .kana: "ja"
        case .han: "zh"
        case .thai: "th"
        case .indic(let language): language
        }
    }

    /// Returns `true` if a language can be written in it.
    func fits(_ language: String) -> Bool {
        switch self {
        case .latin: !Self.withoutLatin.contains(language)
        case .cyrillic:
            ["ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "mn", "tg", "tt", "uz", "ba", "cv"].contains(language)
        case .arabic: ["ar", "fa", "ur", "ps", "sd", "ug", "ku", "ckb"].contains(language)
        case .hebrew: ["he", "yi"].contains(language)
        case .han: ["zh", "ja", "ko", "yue", "cmn"].contains(language)
        case .indic("hi"): ["hi", "mr", "ne", "sa", "bh", "kok"].contains(language)
        case .indic("bn"): ["bn", "as"].contains(language)
        case .other: true
        default: self.language == language
        }
    }

    private static let withoutLatin: Set<String> = [
        "ru", "uk", "be", "bg", "mk", "el", "he", "ar", "fa", "ur", "ko", "ja", "zh", "yue", "th", "hi", "bn", "ta",
        "te", "kn", "ml",
        "ka", "hy", "sa", "ne", "mr", "gu", "pa", "si", "my", "km", "lo",
    ]
}
