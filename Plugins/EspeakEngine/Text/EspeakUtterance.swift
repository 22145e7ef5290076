// SPDX-License-Identifier: Apache-2.0

/// A phrase in a form that libespeak-ng can take, with a mapping from its characters back to ours.
///
/// libespeak-ng reads text with fixed buffers, and some versions of it crash on rare sequences: words that stack
/// suffixes, long chains of initials, many dots. Each rule below keeps one such sequence away from it and changes
/// nothing in common text.
struct EspeakUtterance {
    /// The text in UTF-8, without a terminating NUL.
    private(set) var text: [UInt8] = []
    /// The index in the phrase of each character of `text`.
    private(set) var origins: [Int] = []

    static let longestWord = 40
    static let mostMarks = 4
    static let mostApostrophes = 1
    static let mostRepeated = 2
    static let mostPunctuation = 4
    /// The maximum number of full stops in the whole phrase: each "a.b." takes room in a table of fixed size.
    static let mostStops = 24

    /// The maximum length of the sounds of one word.
    static let mostSounds = 100

    /// `true` if sounds stand between double brackets, so that no other brackets may.
    let hasPhonemes: Bool
    private var wordLength = 0
    private var marks = 0
    private var apostrophes = 0
    private var punctuation = 0
    private var stops = 0
    private var repeated = 0
    private var last: Unicode.Scalar = " "

    /// - Parameter phonemes: The characters that are said by their sounds.
    init(_ characters: ArraySlice<TextCharacter>, phonemes: [PhonemeRun] = []) {
        hasPhonemes = !phonemes.isEmpty
        var runs = phonemes[...]
        var end = characters.startIndex
        for index in characters.indices where index >= end {
            if let run = runs.first, run.range.lowerBound == index {
                add(run)
                end = run.range.upperBound
                runs.removeFirst()
            } else {
                add(characters[index], at: index, in: characters)
            }
        }
        while text.last == 0x20 {
            text.removeLast()
            origins.removeLast()
        }
    }

    /// Adds sounds in place of characters; what is no sound of the library's notation is left out.
    private mutating func add(_ run: PhonemeRun) {
        let sounds = run.sounds.unicodeScalars.filter { $0.isASCII && $0.value > 0x20 && $0 != "[" && $0 != "]" }
        guard !sounds.isEmpty else { return }
        addSpace(at: run.range.lowerBound)
        for scalar in "[[".unicodeScalars + sounds.prefix(Self.mostSounds) + "]]".unicodeScalars {
            append(scalar, at: run.range.lowerBound)
        }
        addSpace(at: run.range.lowerBound)
    }

    private mutating func add(_ character: TextCharacter, at index: Int, in characters: ArraySlice<TextCharacter>) {
        switch character.kind {
        case .space, .newline:
            addSpace(at: index)
        case .letter, .digit:
            addLetter(character.scalar, at: index)
        case .ideograph:
            append(character.scalar, at: index)
            (wordLength, marks, punctuation) = (0, 0, 0)
        case .mark:
            guard wordLength > 0 || marks > 0 || !origins.isEmpty, marks < Self.mostMarks else { return }
            marks += 1
            append(character.scalar, at: index)
        case .symbol:
            guard character.scalar != last else { return }
            // The Hindi voice, and some others, crash on two adjacent emoji.
            if isAfterEmoji, character.scalar.properties.isEmoji { addSpace(at: index) }
            append(character.scalar, at: index)
            (wordLength, marks) = (0, 0)
        case .punctuation:
            let next = characters.index(after: index)
            let isRun = next < characters.endIndex && characters[next].scalar == character.scalar
            addPunctuation(isRun ? Self.run(of: character.scalar) : character.scalar, at: index)
        case .ignorable:
            // Joiners shape letters. Between emoji they only make names that no voice knows.
            let isJoiner = character.scalar == "\u{200C}" || character.scalar == "\u{200D}"
            guard isJoiner, wordLength > 0 else { return }
            append(character.scalar, at: index)
        }
    }

    private var isAfterEmoji: Bool { last.properties.isEmoji && !last.isASCII }

    private mutating func addSpace(at index: Int) {
        if last != " " { append(" ", at: index) }
        (wordLength, marks, apostrophes, punctuation) = (0, 0, 0, 0)
    }

    private mutating func addLetter(_ scalar: Unicode.Scalar, at index: Int) {
        if wordLength >= Self.longestWord { addSpace(at: index) }
        append(scalar, at: index)
        wordLength += 1
        (marks, punctuation) = (0, 0)
    }

    /// Returns the character that replaces two or more of a sign.
    ///
    /// Two dots at an end make libespeak-ng read beyond the text, and three hyphens crash a voice. One character with
    /// the same meaning does not.
    private static func run(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case ".": "…"
        case "-": "—"
        default: scalar
        }
    }

    private mutating func addPunctuation(_ scalar: Unicode.Scalar, at index: Int) {
        marks = 0
        if hasPhonemes, scalar == "[" { return addSpace(at: index) }
        // Skip the rest of a run that one character stands for.
        guard !(scalar == last && (scalar == "…" || scalar == "—")), Self.run(of: scalar) != last || scalar == last
        else {
            return
        }
        repeated = scalar == last ? repeated + 1 : 1
        punctuation += 1
        guard repeated <= Self.mostRepeated, punctuation <= Self.mostPunctuation else { return }
        switch scalar {
        case "'", "’":
            // An apostrophe that opens a quotation does not count.
            if wordLength > 0 { apostrophes += 1 }
            guard apostrophes <= Self.mostApostrophes else { return addSpace(at: index) }
            wordLength += 1
        case ".":
            stops += 1
            guard stops <= Self.mostStops else { return addSpace(at: index) }
            wordLength += 1
        case "-", "_":
            wordLength += 1
        default:
            wordLength = 0
        }
        append(scalar, at: index)
    }

    private mutating func append(_ scalar: Unicode.Scalar, at index: Int) {
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        origins.append(index)
        last = scalar
    }
}
