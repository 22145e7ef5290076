// SPDX-License-Identifier: Apache-2.0

import ReadingText
import SpeechScript

/// The making of one document's script, block by block.
struct DocumentScript {
    /// Takes an utterance, or `nil` to be asked whether to go on; returns whether to.
    typealias Taker = (Utterance?) -> Bool

    private let document: ReadingDocument
    private let text: ScalarText
    private let settings: SpeechSettings
    private let dictionary: PronunciationDictionary
    private let skipped: SkippedBlocks
    private let cutter: ClauseCutter
    private var languages: BlockLanguages
    private var finder: SentenceFinder
    private var speakers: [String: SentenceSpeaker] = [:]
    private var words = SpokenWords()
    /// The last utterance, until its pause is known.
    private var last: Utterance?
    private(set) var warnings: [String] = []
    /// The entries of the dictionary that were applied, in the order of the text.
    private(set) var applied: [AppliedPronunciation] = []
    private var known: Set<Int> = []

    private static let mostApplied = 20
    /// The most bytes of the words to which an entry was applied.
    private static let longestWritten = 200
    private static let mostWarnings = 100
    /// Documents that change the language more often than that are made up.
    private static let mostSpeakers = 32

    init(_ document: ReadingDocument, settings: SpeechSettings, dictionary: PronunciationDictionary) {
        self.document = document
        self.settings = settings
        self.dictionary = dictionary
        text = ScalarText(bytes: document.text)
        skipped = SkippedBlocks(document, settings)
        cutter = ClauseCutter(limit: min(max(settings.longestUtterance, 20), 4000))
        languages = BlockLanguages(document, text: text, chosen: settings.language)
        finder = SentenceFinder(text)
    }

    /// Returns whether the whole document was made.
    mutating func make(_ take: Taker) -> Bool {
        var end = 0
        for index in document.blocks.indices {
            let block = document.blocks[index]
            // Blocks that overlap or lie outside of the text are cut, so that the order of utterances holds in any
            // case.
            let range = text.trimmed(
                block.range.clamped(to: 0..<text.bytes.count).clamped(to: end..<max(end, text.bytes.count)))
            end = max(end, range.upperBound)
            guard take(nil) else { return false }
            guard !skipped.skips(block) else { continue }
            if block.kind == .heading { raisePause(to: settings.pauses.beforeHeading) }
            var isSpoken = false
            if block.kind != .sceneBreak, block.kind != .pause, !range.isEmpty {
                guard make(block, index, range, &isSpoken, take) else { return false }
            }
            finish(block, isSpoken: isSpoken, isOrnament: !range.isEmpty && !isSpoken)
        }
        return take(last)
    }

    private mutating func raisePause(to pause: Int) {
        let known = last?.pause ?? 0
        last?.pause = max(known, pause)
    }

    /// Sets the pause behind a block.
    private mutating func finish(_ block: TextBlock, isSpoken: Bool, isOrnament: Bool) {
        let pauses = settings.pauses
        if let pause = block.pause {
            let asked = min(max(pause, 0), pauses.longest)
            if isSpoken { last?.pause = asked } else { raisePause(to: asked) }
            return
        }
        if block.kind == .sceneBreak || (isOrnament && block.kind == .paragraph) {
            raisePause(to: pauses.sceneBreak)
        } else if isSpoken {
            last?.pause = pauses.behind(block.kind)
        }
    }

    private mutating func make(
        _ block: TextBlock, _ index: Int, _ range: Range<Int>, _ isSpoken: inout Bool, _ take: Taker
    ) -> Bool {
        let language = languages.language(ofBlock: index, range)
        var style = SentenceSpeaker.Style()
        style.isTitle = block.kind == .heading
        style.keepsLines = block.kind == .verse || block.kind == .heading
        let linePause = block.kind == .verse ? settings.pauses.verseLine : settings.pauses.row
        let spans = BlockPronunciations(block, range)
        var found = false
        // The finder is taken out while it runs, as its closure changes the script.
        var finder = self.finder
        let primary = LanguageTag.primary(language ?? "")
        func sentences(_ part: Range<Int>) -> Bool {
            finder.sentences(in: part, language: primary) { sentence in
                let sentence = range.clamped(to: sentence)
                guard take(nil) else { return false }
                return say(sentence, index, language, style, spans, linePause, &found, take)
            }
        }
        var isWhole = true
        if block.kind == .code || block.kind == .table {
            for line in lines(of: range) {
                isWhole = sentences(line)
                if !isWhole { break }
                if found { last?.pause = settings.pauses.row }
            }
        } else {
            isWhole = sentences(range)
        }
        self.finder = finder
        isSpoken = found
        return isWhole
    }

    private func lines(of range: Range<Int>) -> some Sequence<Range<Int>> {
        let bytes = text.bytes
        return sequence(state: range.lowerBound) { (start: inout Int) -> Range<Int>? in
            guard start < range.upperBound else { return nil }
            let end = bytes[start..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
            defer { start = end + 1 }
            return start..<end
        }
    }

    /// Hands out the utterances of a sentence; the last of them waits for its pause.
    private mutating func say(
        _ sentence: Range<Int>, _ block: Int, _ language: String?, _ style: SentenceSpeaker.Style,
        _ spans: BlockPronunciations, _ linePause: Int, _ found: inout Bool, _ take: Taker
    ) -> Bool {
        words.removeAll()
        var tags: [String?] = []
        for part in spans.parts(of: sentence, language: language) {
            let speaker = speaker(for: part.language)
            words.setCut(tags.isEmpty || tags.last == speaker.tag ? .space : .language)
            if tags.last != speaker.tag || tags.isEmpty { tags.append(speaker.tag) }
            words.language = tags.count - 1
            let islands = islands(in: part.range, spans, speaker)
            speaker.speak(part.range, islands: islands, style: style, to: &words)
        }
        guard !words.isEmpty else { return true }
        var goesOn = true
        let count = words.items.count
        var end = sentence.lowerBound
        cutter.stretches(of: words.items) { stretch, cut in
            guard goesOn else { return }
            let isLast = stretch.upperBound == count
            let start = max(end, stretch.lowerBound == 0 ? sentence.lowerBound : words.items[stretch.lowerBound].start)
            end = isLast ? sentence.upperBound : max(start, words.items[stretch.upperBound - 1].end)
            let pause = isLast ? settings.pauses.sentence : pause(at: cut, linePause)
            guard
                let utterance = words.utterance(
                    stretch, range: start..<end, sentence: sentence, block: block, tags: tags, pause: pause)
            else { return }
            if let last { goesOn = take(last) }
            last = utterance
            found = true
        }
        return goesOn
    }

    private func pause(at cut: SpokenWords.Cut, _ linePause: Int) -> Int {
        switch cut {
        case .never, .space, .conjunction: settings.pauses.words
        case .comma, .colon: settings.pauses.clause
        case .line: linePause
        case .language: 0
        }
    }

    private mutating func speaker(for tag: String?) -> SentenceSpeaker {
        let key = tag ?? ""
        if let known = speakers[key] { return known }
        if speakers.count >= Self.mostSpeakers { speakers.removeAll() }
        let speaker = SentenceSpeaker(text, language: tag, settings: settings, dictionary: dictionary)
        speakers[key] = speaker
        return speaker
    }

    /// Returns what of the dictionary and of the document's pronunciations is in a stretch; the listener's word goes
    /// before the document's.
    private mutating func islands(
        in range: Range<Int>, _ spans: BlockPronunciations, _ speaker: SentenceSpeaker
    ) -> [SentenceSpeaker.Island] {
        var islands: [SentenceSpeaker.Island] = []
        if !speaker.matcher.isEmpty {
            for found in speaker.matcher.replacements(in: text, range, warn: { warn($0) }) {
                note(found)
                switch found.speech {
                case .words(let words): islands.append(.init(range: found.range, speech: .words(words)))
                case .phonemes(let phonemes): islands.append(.init(range: found.range, speech: .phonemes(phonemes)))
                }
            }
        }
        let own = spans.islands(in: range, language: LanguageTag.primary(speaker.tag ?? "")) { warn($0) }
        guard !own.isEmpty else { return islands }
        let free = own.filter { island in !islands.contains { $0.range.overlaps(island.range) } }
        return (islands + free).sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    private mutating func note(_ found: DictionaryMatcher.Replacement) {
        guard applied.count < Self.mostApplied, known.insert(found.entry).inserted else { return }
        let written = found.range.prefix(Self.longestWritten)
        applied.append(
            AppliedPronunciation(
                written: DictionaryParser.printable(
                    text.string(
                        written.lowerBound..<text.scalarStart(written.upperBound, notBefore: written.lowerBound))),
                entry: .init(dictionary.entries[found.entry])))
    }

    private mutating func warn(_ warning: String) {
        if warnings.count < Self.mostWarnings, !warnings.contains(warning) { warnings.append(warning) }
    }
}

extension SpeechPauses {
    func behind(_ kind: TextBlock.Kind) -> Int {
        switch kind {
        case .heading: heading
        case .listItem: listItem
        case .paragraph, .quote, .verse, .code, .formula, .table, .caption, .note, .sceneBreak, .pause: paragraph
        }
    }
}
