// SPDX-License-Identifier: Apache-2.0

/// Text in a form that libespeak-ng can take.
///
/// The library reads text with fixed buffers, and some versions of it crash on rare sequences. Each rule keeps one such
/// sequence away from it and changes nothing in common text.
struct SafeText {
    private(set) var bytes: [UInt8] = []
    private var last: Unicode.Scalar = " "
    private var wordLength = 0
    private var marks = 0
    private var apostrophes = 0
    private var stops = 0

    private static let longestWord = 40
    private static let mostMarks = 4
    private static let mostApostrophes = 1
    private static let mostStops = 24
    /// The maximum length of the sounds of one word.
    private static let mostSounds = 100

    mutating func add(_ text: some StringProtocol) {
        for scalar in text.unicodeScalars { add(scalar) }
    }

    /// Adds sounds in the notation of the library; what is none of it is left out.
    mutating func add(sounds: String) {
        let kept = sounds.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0 != "[" && $0 != "]" }
        guard !kept.isEmpty else { return }
        addSpace()
        for scalar in "[[".unicodeScalars + kept.prefix(Self.mostSounds) + "]]".unicodeScalars { append(scalar) }
        addSpace()
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark:
            guard marks < Self.mostMarks, !bytes.isEmpty else { return }
            marks += 1
            append(scalar)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            if wordLength >= Self.longestWord { addSpace() }
            wordLength += 1
            marks = 0
            append(scalar)
        case .currencySymbol, .mathSymbol, .otherSymbol:
            // Two adjacent emoji crash some voices.
            addSpace()
            if bytes.suffix(5).elementsEqual(Array(String(scalar).utf8) + [0x20]) { return }
            append(scalar)
            addSpace()
        case .format:
            // Joiners shape letters.
            if scalar == "\u{200C}" || scalar == "\u{200D}", wordLength > 0 { append(scalar) }
        case .control, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator, .paragraphSeparator:
            addSpace()
        default:
            addPunctuation(scalar)
        }
    }

    private mutating func addPunctuation(_ scalar: Unicode.Scalar) {
        marks = 0
        switch scalar {
        case "'", "’":
            if wordLength > 0 { apostrophes += 1 }
            guard apostrophes <= Self.mostApostrophes, scalar != last else { return addSpace() }
            append("'")
        case ".":
            stops += 1
            // Two dots at an end make the library read beyond the text.
            guard stops <= Self.mostStops, last != "." else { return }
            append(scalar)
        case "-", "_", "/", "%", "&", "@", "#", ",", ":":
            guard scalar != last else { return }
            append(scalar)
        default:
            // Other punctuation ends a clause, which has been cut there, or says nothing.
            addSpace()
        }
    }

    private mutating func addSpace() {
        (wordLength, marks, apostrophes) = (0, 0, 0)
        if last != " " { append(" ") }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        last = scalar
    }
}
