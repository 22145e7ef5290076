// SPDX-License-Identifier: Apache-2.0

/// One character of a text, and the bytes of the document that it stands for.
struct TextCharacter: Equatable, Sendable {
    var scalar: Unicode.Scalar
    var kind: Kind
    /// The number of bytes from the start of the document.
    var offset: Int64
    var length: Int

    var end: Int64 { offset + Int64(length) }

    init(_ scalar: Unicode.Scalar, offset: Int64, length: Int) {
        self.scalar = scalar
        self.kind = Kind(scalar)
        self.offset = offset
        self.length = length
    }

    /// The role of a character when a text is read.
    enum Kind: UInt8, Sendable {
        /// White space, and all that cannot be read: control, private and unassigned characters.
        case space
        case newline
        case letter
        case digit
        /// A combining mark, part of the letter before it.
        case mark
        /// A letter of a script that has no spaces between words.
        case ideograph
        case punctuation
        /// Signs and emoji.
        ///
        /// They may have a name that is spoken.
        case symbol
        /// Format characters, which have neither sound nor width.
        case ignorable

        /// `true` if the character is, or may be, heard.
        var isSpeakable: Bool {
            switch self {
            case .letter, .digit, .ideograph, .symbol: true
            case .space, .newline, .mark, .punctuation, .ignorable: false
            }
        }

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                self = Self.ascii(UInt8(truncatingIfNeeded: scalar.value))
                return
            }
            if scalar == TextEncoding.replacement {
                self = .space
                return
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter: self = .letter
            case .otherLetter: self = Self.isIdeographic(scalar.value) ? .ideograph : .letter
            case .decimalNumber, .letterNumber, .otherNumber: self = .digit
            case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation:
                self = .punctuation
            case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: self = .symbol
            case .lineSeparator, .paragraphSeparator: self = .newline
            case .format: self = .ignorable
            case .spaceSeparator, .control, .surrogate, .privateUse, .unassigned: self = .space
            @unknown default: self = .space
            }
            // NEL, the line end of mainframe texts, is a control character.
            if scalar.value == 0x85 { self = .newline }
        }

        private static func ascii(_ value: UInt8) -> Kind {
            switch value {
            case 0x0A...0x0D: .newline
            case 0x30...0x39: .digit
            case 0x41...0x5A, 0x61...0x7A: .letter
            case 0x24, 0x2B, 0x3C...0x3E, 0x5E, 0x60, 0x7C, 0x7E: .symbol
            case 0x21...0x7E: .punctuation
            default: .space
            }
        }

        /// Returns `true` for Han and kana.
        ///
        /// Thai, Lao, Khmer and Burmese have no spaces either, but only a dictionary can find their words.
        private static func isIdeographic(_ value: UInt32) -> Bool {
            switch value {
            case 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
                0x20000...0x3FFFF:
                true
            default: false
            }
        }
    }
}
