// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// A source of the sounds of words.
protocol SoundSpelling {
    /// Returns the symbols of the sounds of a text that may hold sounds between double brackets.
    func symbols(of text: [UInt8], hasSounds: Bool) -> [Unicode.Scalar]
    /// Returns a sign of punctuation as the model knows it, or `nil` if it does not.
    func sign(_ sign: Unicode.Scalar) -> Unicode.Scalar?
}

/// The sounds of a passage, and the place of each word among them.
struct Spelling {
    private(set) var symbols: [Unicode.Scalar] = []
    private(set) var words: [Passage.Word] = []

    /// - Parameter isCut: `true` if the passage ends within a clause.
    init(
        _ text: Characters, words all: ArraySlice<SpokenUtterance.Word>, speech: any SoundSpelling, isCut: Bool
    ) {
        var weight = 0.0
        var starts: [(word: SpokenUtterance.Word, weight: Double)] = []
        let clauses = PassageClause.all(in: text.scalars[...])
        for (number, clause) in clauses.enumerated() {
            let bytes = text.byte(of: clause.range.lowerBound)..<text.byte(of: clause.range.upperBound)
            let words = all.filter { bytes.contains($0.spoken.lowerBound) }
            let sounds = Self.sounds(of: clause, in: text, words, speech)
            if !symbols.isEmpty, !sounds.isEmpty { symbols.append(" ") }
            let places = WordPlaces.of(words, in: sounds, text, speech)
            starts += zip(words, places).map { ($0, weight + $1) }
            symbols += sounds
            weight += sounds.reduce(0) { $0 + SoundLength.of($1) }
            let isLast = number == clauses.count - 1
            guard !symbols.isEmpty, let sign = clause.sign ?? (isLast && !isCut ? "." : nil) else { continue }
            if let known = speech.sign(sign), symbols.last.map({ !Self.isSign($0) }) ?? false { symbols.append(known) }
            if !isLast { weight += SoundLength.pause }
        }
        if !isCut { weight += SoundLength.final }
        for (word, start) in starts where words.last?.units.lowerBound ?? -1 < word.units.lowerBound {
            words.append(Passage.Word(units: word.units, start: weight > 0 ? min(1, start / weight) : 0))
        }
    }

    private static func isSign(_ scalar: Unicode.Scalar) -> Bool { ".,;:!?".unicodeScalars.contains(scalar) }

    /// Returns the sounds of a clause, with those that the listener chose for a word in its place.
    private static func sounds(
        of clause: PassageClause, in text: Characters, _ words: [SpokenUtterance.Word], _ speech: any SoundSpelling
    ) -> [Unicode.Scalar] {
        var safe = SafeText()
        var index = clause.spoken.lowerBound
        for word in words {
            guard let sounds = word.phonemes else { continue }
            let start = text.index(of: word.spoken.lowerBound)
            let end = min(text.index(of: word.spoken.upperBound), clause.spoken.upperBound)
            guard index <= start, start < end else { continue }
            safe.add(String(String.UnicodeScalarView(text.scalars[index..<start])))
            safe.add(sounds: sounds)
            index = end
        }
        safe.add(String(String.UnicodeScalarView(text.scalars[index..<clause.spoken.upperBound])))
        return speech.symbols(of: safe.bytes, hasSounds: words.contains { $0.phonemes != nil })
    }
}

/// Lengths of sounds in relation to each other: a consonant is 1.
///
/// Fitted to 400 words of the voice en_US-joe-medium, with their beginnings found by a recogniser (pocketsphinx). At rate 1
/// half of the words are placed within 73 ms of where it hears them, and 95 of 100 within 235 ms; at rate 2 within 29 and
/// 100 ms.
enum SoundLength {
    /// The length of the silence that a voice makes at a sign within a passage.
    static let pause = 5.0
    /// The factor by which the last word of a clause is drawn out.
    static let final = 1.3

    static func of(_ symbol: Unicode.Scalar) -> Double {
        if symbol == "ː" { return 0.36 }
        if vowels.contains(symbol) { return 0.72 }
        return symbol.properties.generalCategory == .modifierLetter || !symbol.properties.isAlphabetic ? 0 : 1
    }

    private static let vowels = Set("aeiouyæøœɐɑɒɔəɘɚɛɜɝɞɨɪɯɵɶʉʊʌʏᵻ".unicodeScalars)
}

/// The place of words in the sounds of a clause.
enum WordPlaces {
    /// Returns, for each word, the length of the sounds before it.
    ///
    /// The library joins some words ("of the") and says others as several, so a word is looked for where the lengths of
    /// all words by themselves suggest it, at the nearest gap between sounds.
    static func of(
        _ words: [SpokenUtterance.Word], in sounds: [Unicode.Scalar], _ text: Characters, _ speech: any SoundSpelling
    ) -> [Double] {
        guard words.count > 1 else { return words.map { _ in 0 } }
        let total = length(sounds)
        var gaps: [Double] = [0]
        var passed = 0.0
        for sound in sounds {
            passed += SoundLength.of(sound)
            if sound == " " { gaps.append(passed) }
        }
        if gaps.count == words.count { return gaps }
        let alone = words.map { word in
            var safe = SafeText()
            let range = text.index(of: word.spoken.lowerBound)..<text.index(of: word.spoken.upperBound)
            if let sounds = word.phonemes {
                safe.add(sounds: sounds)
            } else {
                safe.add(String(String.UnicodeScalarView(text.scalars[range])))
            }
            return max(0.1, length(speech.symbols(of: safe.bytes, hasSounds: word.phonemes != nil)))
        }
        let scale = total / alone.reduce(0, +)
        var places: [Double] = []
        var expected = 0.0
        for length in alone {
            let nearest = gaps.min { abs($0 - expected) < abs($1 - expected) } ?? expected
            let place = abs(nearest - expected) < 2.5 ? nearest : expected
            places.append(max(places.last ?? 0, place))
            expected += length * scale
        }
        return places
    }

    private static func length(_ sounds: [Unicode.Scalar]) -> Double { sounds.reduce(0) { $0 + SoundLength.of($1) } }
}
