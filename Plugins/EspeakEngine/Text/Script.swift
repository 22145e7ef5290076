// SPDX-License-Identifier: Apache-2.0

/// The language that a script suggests, for a text whose language is not given.
enum Script {
    /// Returns a BCP 47 code; `nil` if most letters are Latin or of a script that many languages share.
    static func language(of sample: [TextCharacter]) -> String? {
        var counts: [String: Int] = [:]
        var letters = 0
        for character in sample where character.kind == .letter || character.kind == .ideograph {
            letters += 1
            if let language = language(of: character.scalar.value) { counts[language, default: 0] += 1 }
        }
        // Kana settle what Han characters leave open.
        if let kana = counts["ja"], kana * 10 > letters { return "ja" }
        return counts.first { $0.value * 2 > letters }?.key
    }

    private static func language(of value: UInt32) -> String? {
        switch value {
        case 0x0370...0x03FF, 0x1F00...0x1FFF: "el"
        case 0x0400...0x04FF: "ru"
        case 0x0530...0x058F: "hy"
        case 0x0590...0x05FF: "he"
        case 0x0600...0x06FF: "ar"
        case 0x0900...0x097F: "hi"
        case 0x0980...0x09FF: "bn"
        case 0x0A00...0x0A7F: "pa"
        case 0x0A80...0x0AFF: "gu"
        case 0x0B80...0x0BFF: "ta"
        case 0x0C00...0x0C7F: "te"
        case 0x0C80...0x0CFF: "kn"
        case 0x0D00...0x0D7F: "ml"
        case 0x0D80...0x0DFF: "si"
        case 0x0E00...0x0E7F: "th"
        case 0x1000...0x109F: "my"
        case 0x10A0...0x10FF: "ka"
        case 0x1200...0x137F: "am"
        case 0xAC00...0xD7AF: "ko"
        case 0x3040...0x30FF: "ja"
        case 0x4E00...0x9FFF: "cmn"
        default: nil
        }
    }
}
