// SPDX-License-Identifier: Apache-2.0

/// Kinds of characters, as speech has to tell them apart.
extension Unicode.Scalar {
    /// White space of any width, control characters that separate included.
    var isSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// `true` if it is without sound or form: controls, marks of direction, soft hyphens, variation selectors, tags,
    /// private and unassigned ones.
    ///
    /// The joiners of Persian and of the Indic scripts are not among them.
    var isInvisible: Bool {
        if value < 0x80 { return value < 0x20 || value == 0x7F }
        switch value {
        case 0x80...0x9F, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x200B, 0x200E, 0x200F,
            0x202A...0x202E, 0x2060...0x206F, 0x3164, 0xE000...0xF8FF, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFF,
            0xE0000...0x10FFFF:
            return true
        default: return false
        }
    }

    var isASCIILetter: Bool { value | 0x20 >= 0x61 && value | 0x20 <= 0x7A && value < 0x80 }
    var isASCIIDigit: Bool { value >= 0x30 && value <= 0x39 }

    /// A letter, digit or other character that is spoken; marks upon letters are not.
    var isSpoken: Bool {
        if value < 0x80 { return isASCIILetter || isASCIIDigit }
        if value < 0xC0 {
            return value == 0xAA || value == 0xB5 || value == 0xBA || (value >= 0xB2 && value <= 0xB3) || value == 0xB9
                || (value >= 0xBC && value <= 0xBE)
        }
        if isGeneralPunctuation { return false }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// `true` if it is in the block of quotation marks, dashes and spaces, so that the commonest of them need no table.
    private var isGeneralPunctuation: Bool { value >= 0x2000 && value <= 0x206F }

    var isMark: Bool {
        guard value >= 0x300, !isGeneralPunctuation else { return false }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    var isUpper: Bool {
        if value < 0x80 { return value >= 0x41 && value <= 0x5A }
        guard value >= 0xC0, !isGeneralPunctuation else { return false }
        let category = properties.generalCategory
        return category == .uppercaseLetter || category == .titlecaseLetter
    }

    var isLower: Bool {
        if value < 0x80 { return value >= 0x61 && value <= 0x7A }
        return value >= 0xAA && !isGeneralPunctuation && properties.generalCategory == .lowercaseLetter
    }

    /// A quotation mark or bracket that can stand behind the end of a sentence.
    var isCloser: Bool {
        switch value {
        case 0x22, 0x27, 0x29, 0x5D, 0x7D, 0xAB, 0xBB, 0x2018, 0x2019, 0x201A, 0x201C...0x201F, 0x2039, 0x203A, 0x2046,
            0x207E, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0xFF09, 0xFF3D, 0xFF5D, 0xFF63:
            true
        // The marks of emphasis in a plain text.
        case 0x2A, 0x5F: true
        default: false
        }
    }

    /// A quotation mark, bracket or mark of emphasis that can stand before the first word of a sentence.
    var isOpener: Bool {
        switch value {
        case 0x22, 0x27, 0x28, 0x5B, 0x7B, 0xA1, 0xAB, 0xBB, 0xBF, 0x2018...0x201F, 0x2039, 0x203A, 0x2045, 0x3008,
            0x300A,
            0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0xFF08, 0xFF3B, 0xFF5B, 0xFF62:
            true
        case 0x2A, 0x5F: true
        // Dashes before direct speech.
        case 0x2D, 0x2013, 0x2014, 0x2015: true
        default: false
        }
    }

    /// `true` if it is of a script that is written without spaces between words, so that ICU's dictionaries find them.
    var isUnspaced: Bool {
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x19E0...0x19FF, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,
            0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x302F, 0x3031...0x3035, 0x3038...0x312F, 0x31A0...0x31BF,
            0x31F0...0x31FF,
            0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    var isEmoji: Bool {
        guard value >= 0x2190 else { return false }
        switch value {
        case 0x1F000...0x1FAFF: return true
        case 0x2600...0x27BF, 0x2B00...0x2BFF, 0x2300...0x23FF, 0x2190...0x21FF: return properties.isEmoji
        case 0xE0020...0xE007F: return true
        default: return false
        }
    }
}
