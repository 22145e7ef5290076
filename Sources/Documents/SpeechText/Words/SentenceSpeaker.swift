// SPDX-License-Identifier: Apache-2.0

/// Turns text of one language into spoken words.
///
/// Not for several threads at a time, as ICU's iterators are not.
final class SentenceSpeaker {
    /// The layout of the text.
    struct Style {
        /// `true` if the end of a line is heard.
        var keepsLines = false
        /// `true` if a Roman numeral at the start is the number of a section.
        var isTitle = false
    }

    /// Text for which something else is said.
    struct Island {
        enum Speech {
            case words(String)
            case phonemes(String)
            case spelled
        }

        var range: Range<Int>
        var speech: Speech
    }

    let tag: String?
    let matcher: DictionaryMatcher
    private let text: ScalarText
    private let cleaner: TextCleaner
    private let numbers: NumberReader?
    private let numerals: RomanNumeralReader?
    private let abbreviations: AbbreviationTable?
    private let conjunctions: Set<String>
    private let wordBreaks: BreakIterator
    private var view: TokenView
    private let grouping: Tokenizer.Grouping

    init(_ text: ScalarText, language tag: String?, settings: SpeechSettings, dictionary: PronunciationDictionary) {
        let language = LanguageTag.primary(tag ?? "")
        self.text = text
        self.tag = tag
        matcher = DictionaryMatcher(dictionary, language: language)
        cleaner = TextCleaner(text: text, saysEmoji: settings.saysEmoji, namesEmoji: language == "en")
        numbers = NumberLanguages.of(tag ?? "").map {
            NumberReader(language: $0, speller: NumberSpeller(language: language))
        }
        numerals = numbers.flatMap { RomanNumeralReader(reader: $0) }
        abbreviations = AbbreviationTable.of(language)
        conjunctions = Conjunctions.of(language)
        wordBreaks = BreakIterator(.word, locale: language)
        view = TokenView(text: text)
        grouping =
            numbers.map { $0.words.group == " " || $0.language is Spanish ? .bySpaces : .byFixedSpaces }
            ?? .byFixedSpaces
    }

    /// Adds the words of a stretch of a sentence.
    func speak(_ range: Range<Int>, islands: [Island], style: Style, to words: inout SpokenWords) {
        view.tokens.removeAll(keepingCapacity: true)
        Tokenizer(text: text, grouping: grouping).tokens(of: range, islands: islands.map(\.range), into: &view.tokens)
        var index = 0
        while index < view.tokens.count { index = speakToken(index, islands, style, &words) }
    }

    /// Adds the words of a token, and of those that are read with it; returns the index behind them.
    private func speakToken(_ index: Int, _ islands: [Island], _ style: Style, _ words: inout SpokenWords) -> Int {
        let token = view.tokens[index]
        if style.keepsLines, token.traits.contains(.line) { words.setCut(.line) }
        if token.traits.contains(.cell) { separateCell(&words) }
        guard !token.core.isEmpty else {
            speakMarks(index, &words)
            return index + 1
        }
        if token.start < token.core.lowerBound {
            let marks = cleaner.punctuation(token.start..<token.core.lowerBound)
            words.addLead(marks, at: token.start)
            if token.traits.contains(.space), marks.contains(0x28) { words.setCut(.comma) }
        }
        let hasSpace = token.traits.contains(.space)
        var last = index
        var takesStop = false
        if token.traits.contains(.island) {
            speak(islands[token.island], hasSpace, &words)
        } else if token.traits.contains(.unspaced) {
            speakUnspaced(token, &words)
        } else if let reading = needsLook(token, index) ? read(index, style) : nil {
            last = min(index + max(1, reading.count), view.tokens.count) - 1
            takesStop = reading.takesStop && view.tokens[last].traits.contains(.stop)
            let range = token.core.lowerBound..<max(token.core.upperBound, view.tokens[last].core.upperBound)
            words.add(phrase: reading.words, for: range, hasSpace: hasSpace)
        } else {
            if hasSpace, !words.isEmpty, token.core.count <= 10, conjunctions.contains(view.core(index)) {
                words.setCut(.conjunction)
            }
            speakPlain(token, hasSpace, &words)
        }
        let end = view.tokens[last]
        let tail = end.core.upperBound + (takesStop ? 1 : 0)
        addTail(min(tail, end.end)..<end.end, &words)
        return last + 1
    }

    private func addTail(_ range: Range<Int>, _ words: inout SpokenWords) {
        guard !range.isEmpty else { return words.addTail(EmptyCollection(), until: range.upperBound) }
        let marks = cleaner.punctuation(range)
        words.addTail(marks, until: range.upperBound)
        words.setCut(Self.cut(marks))
    }

    /// Returns how well an utterance can end behind these marks.
    static func cut(_ marks: [UInt8]) -> SpokenWords.Cut {
        var cut = SpokenWords.Cut.space
        for scalar in String(decoding: marks, as: UTF8.self).unicodeScalars {
            switch scalar {
            case ",", ")", "]", "،", "、", "，", "）", "」", "』", "﹐": cut = max(cut, .comma)
            case ";", ":", ".", "!", "?", "…", "—", "–", "؛", "؟", "；", "：", "。", "！", "？", "।", "॥", "·":
                cut = max(cut, .colon)
            default: break
            }
        }
        return cut
    }

    private func separateCell(_ words: inout SpokenWords) {
        guard let last = words.items.last, last.tail == last.word.upperBound else { return }
        words.addTail(CollectionOfOne(0x2C), until: last.end)
        words.setCut(.comma)
    }

    /// Marks that stand alone: a dash, an ellipsis, a sign between numbers.
    private func speakMarks(_ index: Int, _ words: inout SpokenWords) {
        let token = view.tokens[index]
        let range = token.start..<token.end
        if let mark = view.mark(index), mark == "+" || mark == "=" || mark == "&", index > 0,
            index + 1 < view.tokens.count
        {
            for word in numbers?.word(for: Character(mark), true) ?? [String(Character(mark))] {
                words.add(phrase: word, for: range, hasSpace: true)
            }
            return
        }
        // The mark of a note: "[12]".
        if token.end - token.start > 2, text.bytes[token.start] == 0x5B, text.bytes[token.end - 1] == 0x5D {
            return words.addTail(EmptyCollection(), until: token.end)
        }
        let isDash = view.mark(index) == "-"
        let marks = isDash ? Array("–".utf8) : cleaner.punctuation(range)
        guard !marks.isEmpty else { return }
        let closes = text.scalar(at: token.start, before: token.end).scalar.isCloser
        if !words.isEmpty, token.traits.contains(.space), !closes {
            words.addTail(CollectionOfOne(0x20), until: token.start)
        }
        words.addTail(marks, until: token.end)
        words.setCut(Self.cut(marks))
    }

    private func speakPlain(_ token: Token, _ hasSpace: Bool, _ words: inout SpokenWords) {
        let isClean = token.traits.isDisjoint(with: [.mark, .foreign, .letter])
        words.add(token.core, hasSpace: hasSpace) { bytes in
            if isClean {
                bytes.append(contentsOf: text.bytes[token.core])
            } else {
                cleaner.write(token.core, to: &bytes)
            }
        }
    }

    private func speakUnspaced(_ token: Token, _ words: inout SpokenWords) {
        // A space or a line's end between two scripts without spaces is a pause at most.
        let followsUnspaced = words.items.last.map { self.endsUnspaced($0.range) } ?? false
        var hasSpace = token.traits.contains(.space) && !(followsUnspaced && token.traits.contains(.line))
        if hasSpace, followsUnspaced { words.setCut(.comma) }
        var start = token.core.lowerBound
        wordBreaks.boundaries(in: text.bytes[token.core]) { offset, isWord in
            let piece = start..<token.core.lowerBound + offset
            start = piece.upperBound
            if isWord {
                words.add(piece, hasSpace: hasSpace) { cleaner.write(piece, to: &$0) }
                hasSpace = false
            } else {
                addTail(piece, &words)
            }
        }
    }

    private func endsUnspaced(_ range: Range<Int>) -> Bool {
        text.scalar(endingAt: range.upperBound, notBefore: range.lowerBound)?.scalar.isUnspaced ?? false
    }

    private func speak(_ island: Island, _ hasSpace: Bool, _ words: inout SpokenWords) {
        switch island.speech {
        case .words(let said):
            let clean = ScalarText(bytes: Array(said.utf8.prefix(DictionaryParser.longestLine)))
            var bytes: [UInt8] = []
            TextCleaner(text: clean, saysEmoji: false).write(0..<clean.bytes.count, to: &bytes)
            words.add(phrase: String(decoding: bytes, as: UTF8.self), for: island.range, hasSpace: hasSpace)
        case .phonemes(let phonemes):
            let range = island.range.prefix(Tokenizer.longest)
            words.add(island.range, hasSpace: hasSpace, phonemes: phonemes) {
                cleaner.write(
                    range.lowerBound..<text.scalarStart(range.upperBound, notBefore: range.lowerBound), to: &$0)
            }
        case .spelled: spell(island.range, hasSpace, &words)
        }
    }

    /// Adds each letter as a word of its own.
    private func spell(_ range: Range<Int>, _ hasSpace: Bool, _ words: inout SpokenWords) {
        var hasSpace = hasSpace
        var place = range.lowerBound
        while place < range.upperBound {
            let start = place
            let (scalar, size) = text.scalar(at: place, before: range.upperBound)
            place += size
            while place < range.upperBound {
                let (mark, size) = text.scalar(at: place, before: range.upperBound)
                guard mark.isMark else { break }
                place += size
            }
            guard scalar.isSpoken || !scalar.isSpace && !scalar.isInvisible else { continue }
            let letter = start..<place
            words.add(letter, hasSpace: hasSpace) { bytes in
                if scalar.isSpoken {
                    cleaner.write(letter, to: &bytes)
                } else {
                    bytes.append(contentsOf: text.bytes[letter])
                }
            }
            hasSpace = true
        }
    }

    // MARK: - What is written otherwise than it is said

    /// Returns `true` if a token is anything else than an ordinary word.
    private func needsLook(_ token: Token, _ index: Int) -> Bool {
        if !token.traits.isDisjoint(with: [.digit, .mark, .foreign, .stop]) { return true }
        if token.core.count <= 4, token.traits.isDisjoint(with: [.upper, .letter]) {
            let word = text.bytes[token.core]
            return abbreviations?.mayRead(word) ?? false || word.allSatisfy(Self.isRomanDigit)
        }
        if token.core.count <= 4 || !token.traits.contains(.lower) { return true }
        guard token.traits.contains(.upper), index + 1 < view.tokens.count else { return false }
        return view.tokens[index + 1].traits.contains(.digit)
    }

    private static func isRomanDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x63, 0x64, 0x69, 0x6C, 0x6D, 0x76, 0x78: true
        default: false
        }
    }

    private func read(_ index: Int, _ style: Style) -> Reading? {
        let token = view.tokens[index]
        let core = view.core(index)
        if token.traits.contains(.mark), AddressReader.isAddress(core) { return Reading(words: address(core)) }
        if token.traits.contains(.digit) || token.traits.contains(.foreign), let numbers {
            if token.traits.contains(.digit), let reading = numbers.read(view, index) { return reading }
            if let reading = sign(core, numbers, view, index) { return reading }
        }
        if let numbers, token.traits.contains(.upper), let reading = numbers.monthWithDay(view, index) {
            return reading
        }
        if let reading = numerals?.read(view, index, isTitle: style.isTitle) { return reading }
        if let reading = abbreviations?.read(view, index) { return reading }
        return initials(index, core)
    }

    private func address(_ core: String) -> String {
        if let numbers { return AddressReader(words: numbers.words).words(of: core) }
        // The host tells what it is, and the voice knows its own word for the dots.
        let behind = core.firstRange(of: "://").map { core[$0.upperBound...] } ?? core[...]
        return String(behind.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.prefix(80))
    }

    /// A sign alone or a fraction alone: "½", "€", "°C".
    private func sign(_ core: String, _ numbers: NumberReader, _ view: TokenView, _ index: Int) -> Reading? {
        guard core.count <= 2 else { return nil }
        let runs = NumberRuns(core, group: numbers.words.group, decimal: numbers.words.decimal)
        guard case .sign(let sign)? = runs.runs.first else { return nil }
        if let reading = numbers.quantity(view, index, runs) { return reading }
        if let forms = numbers.words.units[core] { return Reading(words: forms.many) }
        return core.count == 1 ? numbers.word(for: sign, true).first.map { Reading(words: $0) } : nil
    }

    /// "J." and "U.S.": letters without the stops, which a voice would take for the ends of sentences.
    private func initials(_ index: Int, _ core: String) -> Reading? {
        let token = view.tokens[index]
        guard token.traits.contains(.stop), token.traits.contains(.upper), core.utf8.count <= 16 else { return nil }
        let letters = core.split(separator: ".", omittingEmptySubsequences: false)
        guard letters.allSatisfy({ $0.count == 1 && $0.first?.isLetter == true }) else { return nil }
        return Reading(words: letters.joined(separator: " "), takesStop: index + 1 < view.tokens.count)
    }
}
