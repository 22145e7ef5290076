// SPDX-License-Identifier: Apache-2.0

/// Finds the entries of a dictionary in sentences of one language.
struct DictionaryMatcher {
    /// A stretch of text and what is said for it.
    struct Replacement {
        var range: Range<Int>
        var speech: PronunciationDictionary.Entry.Speech
        /// The index of the entry in the dictionary.
        var entry: Int
    }

    private struct Phrase {
        var words: [String]
        var isExact: Bool
        var speech: PronunciationDictionary.Entry.Speech
        var entry: Int
    }

    private final class Expression {
        let pattern: Pattern
        let speech: PronunciationDictionary.Entry.Speech
        let line: Int
        let entry: Int
        private(set) var isTooSlow = false
        private var spent = Duration.zero
        private var seen = 0

        /// A pattern that is slow in every sentence is left out behind so much time, and so much for each byte.
        private static let patience = Duration.seconds(1)
        private static let patiencePerByte = Duration.microseconds(1)

        init(_ pattern: Pattern, _ speech: PronunciationDictionary.Entry.Speech, line: Int, entry: Int) {
            self.pattern = pattern
            self.speech = speech
            self.line = line
            self.entry = entry
        }

        /// The matches in a sentence; `nil` if the pattern takes too long, now or in all.
        func matches(in bytes: ArraySlice<UInt8>) -> [Pattern.Match]? {
            let start = ContinuousClock.now
            let matches = pattern.matches(in: bytes, limit: DictionaryMatcher.most)
            spent += ContinuousClock.now - start
            seen += bytes.count
            isTooSlow = matches == nil || spent > Self.patience + Self.patiencePerByte * seen
            return isTooSlow ? nil : matches
        }
    }

    /// The phrases by their first word in lower case; the last entry of the file first.
    private var phrases: [String: [Phrase]] = [:]
    private var expressions: [Expression] = []

    /// Replacements in one sentence.
    private static let most = 256

    init(_ dictionary: PronunciationDictionary, language: String) {
        for (index, entry) in dictionary.entries.enumerated().reversed()
        where entry.language == nil || entry.language == language {
            switch entry.form {
            case .words(let words, let isExact):
                guard let first = words.first?.lowercased() else { continue }
                phrases[first, default: []].append(
                    Phrase(words: words, isExact: isExact, speech: entry.speech, entry: index))
            case .pattern(let pattern, let ignoresCase):
                guard let compiled = Pattern(pattern, ignoresCase: ignoresCase) else { continue }
                expressions.append(Expression(compiled, entry.speech, line: entry.line, entry: index))
            }
        }
    }

    var isEmpty: Bool { phrases.isEmpty && expressions.isEmpty }

    /// The replacements in a sentence, in order and apart from one another.
    ///
    /// A pattern that takes too long is left out from then on, with a warning.
    func replacements(in text: ScalarText, _ sentence: Range<Int>, warn: (String) -> Void) -> [Replacement] {
        var found = phraseReplacements(in: text, sentence)
        for expression in expressions where !expression.isTooSlow {
            guard let matches = expression.matches(in: text.bytes[sentence]) else {
                warn("line \(expression.line) of the dictionary: the pattern takes too long and is left out")
                continue
            }
            for match in matches {
                let range = sentence.lowerBound + match.range.lowerBound..<sentence.lowerBound + match.range.upperBound
                found.append(
                    Replacement(
                        range: range, speech: expand(expression.speech, match, text, sentence.lowerBound),
                        entry: expression.entry))
            }
        }
        guard found.count > 1 else { return found }
        let order = found.enumerated().sorted {
            ($0.element.range.lowerBound, -$0.element.range.count, $0.offset)
                < ($1.element.range.lowerBound, -$1.element.range.count, $1.offset)
        }
        var kept: [Replacement] = []
        for (_, replacement) in order {
            if let last = kept.last, replacement.range.lowerBound < last.range.upperBound { continue }
            kept.append(replacement)
        }
        return kept
    }

    private func phraseReplacements(in text: ScalarText, _ sentence: Range<Int>) -> [Replacement] {
        guard !phrases.isEmpty else { return [] }
        var spans: [Range<Int>] = []
        WordSpans.spans(of: text, in: sentence) { spans.append($0) }
        var found: [Replacement] = []
        var index = 0
        while index < spans.count, found.count < Self.most {
            let word = WordSpans.normal(text, spans[index])
            let candidates = phrases[word.lowercased()] ?? []
            var best: (Phrase, Int)?
            for phrase in candidates {
                let end = index + phrase.words.count
                guard end <= spans.count, phrase.words.count > (best?.1 ?? 0), fits(phrase, text, spans[index..<end])
                else { continue }
                best = (phrase, phrase.words.count)
            }
            guard let (phrase, count) = best else {
                index += 1
                continue
            }
            found.append(
                Replacement(
                    range: spans[index].lowerBound..<spans[index + count - 1].upperBound, speech: phrase.speech,
                    entry: phrase.entry))
            index += count
        }
        return found
    }

    private func fits(_ phrase: Phrase, _ text: ScalarText, _ spans: ArraySlice<Range<Int>>) -> Bool {
        var before: Int?
        for (word, span) in zip(phrase.words, spans) {
            let written = WordSpans.normal(text, span)
            guard (phrase.isExact ? written : written.lowercased()) == word else { return false }
            // Between the words of a phrase is white space or a hyphen, not the end of a clause.
            if let before {
                guard span.lowerBound - before <= 8,
                    text.bytes[before..<span.lowerBound].allSatisfy({
                        $0 <= 0x20 || $0 == 0x2D || $0 == 0x2E || $0 >= 0x80
                    })
                else { return false }
            }
            before = span.upperBound
        }
        return true
    }

    /// Puts the groups of a match into the speech of its entry.
    private func expand(
        _ speech: PronunciationDictionary.Entry.Speech, _ match: Pattern.Match, _ text: ScalarText, _ start: Int
    ) -> PronunciationDictionary.Entry.Speech {
        guard case .words(let words) = speech, words.utf8.contains(0x24) else { return speech }
        var result = ""
        var characters = words[...]
        while let character = characters.popFirst() {
            guard character == "$", let digit = characters.first?.wholeNumberValue, digit < match.groups.count else {
                result.append(character)
                continue
            }
            characters = characters.dropFirst()
            if let group = match.groups[digit], result.utf8.count + group.count < DictionaryParser.longestLine {
                result += text.string(start + group.lowerBound..<start + group.upperBound)
            }
        }
        return .words(result)
    }
}
