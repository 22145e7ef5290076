// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineSDK

/// A reader that makes passages of utterances.
struct PassageReader {
    /// The maximum number of characters in a passage, which is some fifteen seconds.
    static let longest = 200
    /// The lengths of the first passages in characters, at rate 1.
    ///
    /// The first sound waits for the first one, so a few words are enough. While they are heard, the second one is
    /// made, and while that is heard, a long one.
    static let leads = [8...22, 24...70]
    /// The silence between two clauses of one utterance that is cut there, in milliseconds.
    private static let clausePause = 120

    private let source: any UtteranceSource
    private let speech: any SoundSpelling
    /// The end of the document.
    private let end: Int64
    private var position: Int64
    private var isFirst = true
    /// The lengths of the passages that come next, if they are to be short.
    private var leads: ArraySlice<ClosedRange<Int>>
    /// The utterance from which passages are made, its characters, and the next word of it.
    private var current: SpokenUtterance?
    private var following: SpokenUtterance?
    private var word = 0
    /// The sentence that the next passage begins.
    private var sentence: Range<Int64>?

    /// - Parameters:
    ///   - position: A place in the document; the first passage begins with the word that holds it.
    ///   - rate: The rate at which the first passages are heard.
    init(
        _ source: any UtteranceSource, _ speech: any SoundSpelling, from position: Int64, end: Int64, rate: Double = 1
    ) {
        leads =
            Self.leads.map { lead in
                let upper = min(Self.longest, max(lead.lowerBound + 4, Int(Double(lead.upperBound) * rate)))
                return lead.lowerBound...upper
            }[...]
        self.source = source
        self.speech = speech
        self.position = position
        self.end = end
    }

    /// The same reader without the short passages that come first; `nil` if they were read, or it makes none.
    var withoutLeads: PassageReader? {
        guard !leads.isEmpty else { return nil }
        var same = self
        same.leads = []
        return same
    }

    /// Returns the next passage and the language that the text has there; `nil` at the end of the document.
    mutating func next() throws(EngineFailure) -> (passage: Passage, language: String?)? {
        while true {
            guard let utterance = try utterance() else { return nil }
            let first = word
            let text = Array(utterance.text.utf8)
            let start = first == 0 ? 0 : utterance.words[first].spoken.lowerBound
            // No cut lies beyond this many characters, each of which has at most four bytes.
            let window = text[start..<min(text.count, start + 4 * (Self.longest + 40))]
            let slice = Characters(window, isWhole: window.endIndex == text.count)
            let cut = cut(slice, words: utterance.words[first...])
            let last = cut.flatMap { cut in utterance.words[first...].firstIndex { $0.spoken.lowerBound >= cut.byte } }
            isFirst = false
            leads = leads.dropFirst()
            let words = utterance.words[first..<(last ?? utterance.words.count)]
            let stop = last.map { utterance.words[$0].spoken.lowerBound } ?? text.count
            word = last ?? utterance.words.count
            defer { sentence = nil }
            if last == nil { current = nil }
            let spelling = Spelling(
                slice.before(stop), words: words, speech: speech, isCut: last != nil && cut?.isClause != true)
            guard let units = units(of: words, last, utterance) else { continue }
            let passage = Passage(
                symbols: spelling.symbols.map { Int32(bitPattern: $0.value) }, words: spelling.words, units: units,
                sentence: sentence, pause: pause(last == nil, cut?.isClause == true, utterance))
            return (passage, utterance.language)
        }
    }

    /// Returns the utterance of which the next passage is made.
    private mutating func utterance() throws(EngineFailure) -> SpokenUtterance? {
        if let current, word < current.words.count { return current }
        guard position < end else { return nil }
        let target = position
        let found = isFirst ? try source.utterance(at: position) : following
        guard var utterance = found else { return nil }
        utterance.words = Self.words(of: utterance)
        position = utterance.units.upperBound
        // What lies behind the last word was heard with it.
        let isInside = target > utterance.units.lowerBound
        guard let start = isInside ? utterance.words.firstIndex(where: { $0.units.upperBound > target }) : 0
        else { return try self.utterance() }
        following = position < end ? try source.utterance(at: position) : nil
        word = start
        // Several words may stand for the same units, of which the first is meant.
        while word > 0, utterance.words[word - 1].units == utterance.words[word].units { word -= 1 }
        if word > 0, let first = utterance.words.dropFirst(word).first {
            sentence = first.units.lowerBound..<max(first.units.upperBound, utterance.sentence.upperBound)
        } else if utterance.sentence.lowerBound == utterance.units.lowerBound || isFirst {
            sentence = utterance.sentence
        }
        current = utterance
        return utterance
    }

    /// Returns the words of an utterance that lie in its text, in order; all of the text if there are none.
    private static func words(of utterance: SpokenUtterance) -> [SpokenUtterance.Word] {
        let text = Array(utterance.text.utf8)
        var (byte, place) = (0, utterance.units.lowerBound)
        let kept = utterance.words.filter { word in
            guard !word.spoken.isEmpty, word.spoken.lowerBound >= byte, word.spoken.upperBound <= text.count,
                text[word.spoken.lowerBound] & 0xC0 != 0x80, word.units.lowerBound >= place,
                word.units.upperBound <= utterance.units.upperBound
            else { return false }
            (byte, place) = (word.spoken.upperBound, word.units.lowerBound)
            return true
        }
        return kept.isEmpty ? [SpokenUtterance.Word(spoken: 0..<text.count, units: utterance.units)] : kept
    }

    private func units(
        of words: ArraySlice<SpokenUtterance.Word>, _ last: Int?, _ utterance: SpokenUtterance
    ) -> Range<Int64>? {
        guard let first = words.first else { return nil }
        let next = last.map { utterance.words[$0].units.lowerBound } ?? following?.units.lowerBound ?? end
        return first.units.lowerBound..<max(first.units.lowerBound, next)
    }

    private func pause(_ isWhole: Bool, _ isClause: Bool, _ utterance: SpokenUtterance) -> Int {
        guard isWhole else { return isClause ? Self.clausePause : 0 }
        return following == nil ? 0 : utterance.pause
    }

    /// Returns the byte before which a passage ends, and whether a clause ends there; `nil` if it is all of the text.
    private func cut(
        _ text: Characters, words: ArraySlice<SpokenUtterance.Word>
    ) -> (byte: Int, isClause: Bool)? {
        let count = text.scalars.count
        /// Two words for the same units are never divided.
        func isAllowed(_ byte: Int) -> Bool {
            guard let next = words.firstIndex(where: { $0.spoken.lowerBound >= byte }), next > words.startIndex else {
                return false
            }
            return words[next].units.lowerBound >= words[next - 1].units.upperBound
        }
        let clauses = PassageClause.all(in: text.scalars[...]).dropLast().map(\.range.upperBound)
        if let lead = leads.first, !text.isWhole || count > lead.upperBound + lead.lowerBound {
            let early = clauses.last { lead.contains($0) && isAllowed(text.byte(of: $0)) }
            if let early { return (text.byte(of: early), true) }
            if let space = text.lastSpace(in: lead, isAllowed) { return (text.byte(of: space), false) }
        }
        guard !text.isWhole || count > Self.longest else { return nil }
        let late = clauses.last { (Self.longest / 4...Self.longest).contains($0) && isAllowed(text.byte(of: $0)) }
        if let late { return (text.byte(of: late), true) }
        if let space = text.lastSpace(in: 1...Self.longest, isAllowed) { return (text.byte(of: space), false) }
        // Text without spaces is cut before any word.
        guard
            let word = words.dropFirst().last(where: { word in
                word.spoken.lowerBound <= text.byte(of: min(count, Self.longest)) && isAllowed(word.spoken.lowerBound)
            })
        else { return words.dropFirst().first.map { ($0.spoken.lowerBound, false) } }
        return (word.spoken.lowerBound, false)
    }
}
