// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The likelihood that a decoded text is a language's, judged by what no language does.
enum Plausibility {
    /// Returns the share of characters beyond ASCII that are out of place when bytes are read in an encoding.
    static func badness(of sample: [UInt8], in encoding: String) throws(DocumentError) -> Double {
        badness(of: try scalars(of: sample, in: encoding)) + DoubleByteCensus.badness(of: sample, in: encoding)
    }

    static func scalars(of sample: [UInt8], in encoding: String) throws(DocumentError) -> [Unicode.Scalar] {
        var conversion = try TextConversion(encoding)
        let (bytes, _) = try conversion.convert(sample, from: 0, limits: ReadingLimits())
        // The end of the sample may cut a character.
        var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        if scalars.last == "\u{FFFD}" { scalars.removeLast() }
        return scalars
    }

    /// Returns the share of characters beyond ASCII that are out of place: codes, unassigned ones, signs within a word, a
    /// capital behind a small letter, letters of two scripts in one word, words of accented letters alone.
    static func badness(of text: [Unicode.Scalar]) -> Double {
        var bad = 0.0
        var total = 0
        var word = Word()
        var before = Character.space
        for (index, scalar) in text.enumerated() {
            let this = Character(scalar)
            let next = index + 1 < text.count ? Character(text[index + 1]) : .space
            if scalar.value >= 0x80 || this == .code { total += 1 }
            switch this {
            case .invalid: bad += 3
            case .code: bad += 1
            case .sign where before.isLetter && next.isLetter: bad += 1
            case .letter(let script, let letterCase):
                if case .letter(let other, let otherCase) = before {
                    if script != other, scalar.value >= 0x80 || other != .latin { bad += script.mixes(other) ? 0 : 1 }
                    if letterCase == .upper, otherCase == .lower, script == other,
                        scalar.value >= 0x80 || text[index - 1].value >= 0x80
                    {
                        bad += 1
                    }
                }
                word.add(scalar)
            case .sign, .space, .mark: break
            }
            if !this.isLetter {
                bad += word.badness
                word = Word()
            }
            before = this == .mark ? before : this
        }
        bad += word.badness
        return total == 0 ? (bad == 0 ? 0 : 1) : bad / Double(total)
    }

    /// The letters of a word that another alphabet, read in the wrong encoding, would be full of.
    private struct Word {
        private var letters = 0
        private var accented = 0

        mutating func add(_ scalar: Unicode.Scalar) {
            letters += 1
            if (0xC0...0x17F).contains(scalar.value) { accented += 1 }
        }

        var badness: Double { letters >= 4 && accented * 5 > letters * 3 ? Double(accented) : 0 }
    }
}

extension Plausibility {
    enum Case { case upper, lower, none }

    /// A group of letters that do not stand with those of another in one word.
    enum Script {
        case latin, greek, cyrillic, hebrew, arabic, halfKatakana, eastAsian, other

        init(_ scalar: Unicode.Scalar) {
            self =
                switch scalar.value {
                case 0..<0x250, 0x1E00..<0x1F00: .latin
                case 0x370..<0x400, 0x1F00..<0x2000: .greek
                case 0x400..<0x530: .cyrillic
                case 0x590..<0x600: .hebrew
                case 0x600..<0x780, 0xFB50..<0xFE00, 0xFE70..<0xFF00: .arabic
                case 0xFF61..<0xFFA0: .halfKatakana
                case 0x2E80..<0xD7B0, 0xF900..<0xFB00, 0xFF00..<0xFF61, 0xFFA0..<0xFFF0, 0x20000..<0x40000: .eastAsian
                default: .other
                }
        }

        /// East Asian text has Latin words without a space around them.
        func mixes(_ other: Script) -> Bool {
            (self == .eastAsian && other == .latin) || (self == .latin && other == .eastAsian)
        }
    }

    enum Character: Equatable {
        case letter(Script, Case)
        case sign, space, mark, code, invalid

        var isLetter: Bool { if case .letter = self { true } else { false } }

        init(_ scalar: Unicode.Scalar) {
            let properties = scalar.properties
            self =
                switch properties.generalCategory {
                case .uppercaseLetter, .titlecaseLetter: .letter(Script(scalar), .upper)
                // The ordinals of Romance languages stand behind a word.
                case .otherLetter where scalar == "\u{AA}" || scalar == "\u{BA}": .space
                case .lowercaseLetter: .letter(Script(scalar), .lower)
                case .otherLetter: .letter(Script(scalar), .none)
                case .modifierLetter, .nonspacingMark, .spacingMark, .enclosingMark, .format: .mark
                case .unassigned, .privateUse, .surrogate: .invalid
                case .control:
                    (0x08...0x0D).contains(scalar.value) || scalar == "\u{1B}" ? .space : .code
                case _ where scalar == "\u{FFFD}": .invalid
                // Stops of East Asia have no space behind them; lines of boxes are in no prose.
                case _ where (0x3000..<0x3040).contains(scalar.value) || (0xFF00..<0xFF66).contains(scalar.value):
                    .space
                case _ where (0x2500..<0x25A0).contains(scalar.value): .code
                // Apostrophes, the Catalan dot and dashes stand within words.
                case .dashPunctuation: .space
                case _ where scalar.value < 0x80 || scalar == "\u{2019}" || scalar == "\u{B7}": .space
                case .spaceSeparator, .lineSeparator, .paragraphSeparator: .space
                default: .sign
                }
        }
    }
}
