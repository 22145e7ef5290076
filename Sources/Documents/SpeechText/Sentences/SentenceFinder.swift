// SPDX-License-Identifier: Apache-2.0

/// Finds the sentences of a block.
///
/// Text is taken in windows, so that memory is bounded. A sentence that is longer than a window is cut between words.
struct SentenceFinder {
    private let text: ScalarText
    private var iterators: [String: BreakIterator] = [:]
    private var window: [UInt8] = []

    /// Bytes; far longer than the sentences of Proust (the longest has about 5,000).
    static let windowSize = 16_384
    /// The bytes that a decision may look at behind the end of a sentence.
    private static let lookahead = 128

    init(_ text: ScalarText) { self.text = text }

    /// Calls a closure for each sentence, without the white space around it, until it returns `false`.
    ///
    /// Sentences without a letter or digit are joined to none; the caller sees them as they are.
    mutating func sentences(
        in range: Range<Int>, language: String, each: (Range<Int>) -> Bool
    ) -> Bool {
        let rules = SentenceRules.of(language)
        var start = range.lowerBound
        var hasCapitals: Bool?
        while start < range.upperBound {
            let limit = start + Self.windowSize
            let isLast = limit >= range.upperBound
            let end = isLast ? range.upperBound : text.scalarStart(limit, notBefore: start + 1)
            var ends = SentenceEnds(
                text: text, start: start, end: end, rules: rules, language: language,
                isBlockStart: start == range.lowerBound)
            if let hasCapitals { ends.hasCapitals = hasCapitals }
            hasCapitals = ends.hasCapitals
            let found = ends.find(boundaries: needsICU(start..<end) ? boundaries(in: start..<end, language) : [])
            var done = start
            for place in found where isLast || place < end - Self.lookahead {
                if !pass(done..<place, each) { return false }
                done = place
            }
            if isLast {
                if done < end, !pass(done..<end, each) { return false }
                return true
            }
            if done == start {
                done = cut(start..<end)
                if !pass(start..<done, each) { return false }
            }
            start = done
        }
        return true
    }

    private func pass(_ range: Range<Int>, _ each: (Range<Int>) -> Bool) -> Bool {
        let trimmed = text.trimmed(range)
        return trimmed.isEmpty || each(trimmed)
    }

    /// A place near the end at which no word is cut, or at least no cluster of characters.
    private func cut(_ range: Range<Int>) -> Int {
        let earliest = range.lowerBound + range.count * 3 / 4
        var place = range.upperBound
        while let (scalar, size) = text.scalar(endingAt: place, notBefore: earliest) {
            if scalar.isSpace { return place }
            place -= size
        }
        place = range.upperBound
        while place < text.bytes.count, let (scalar, size) = text.scalar(endingAt: place, notBefore: earliest) {
            let next = text.scalar(at: place, before: text.bytes.count).scalar
            if !next.isMark, next.value != 0x200D, scalar.value != 0x200D { return place }
            place -= size
        }
        return range.upperBound
    }

    /// Returns `true` if the range has characters of scripts for which ICU's rules are asked.
    ///
    /// In scripts with capitals the rules of `SentenceEnds` tell more than ICU's, which know no abbreviations.
    private func needsICU(_ range: Range<Int>) -> Bool {
        text.bytes[range].contains { $0 >= 0xD5 && $0 != 0xE2 }
    }

    private mutating func boundaries(in range: Range<Int>, _ language: String) -> [Int] {
        window.removeAll(keepingCapacity: true)
        window.append(contentsOf: text.bytes[range])
        // A line's end is not a sentence's end here, as it is for ICU.
        for index in window.indices where window[index] < 0x20 { window[index] = 0x20 }
        let iterator: BreakIterator
        if let known = iterators[language] {
            iterator = known
        } else {
            iterator = BreakIterator(.sentence, locale: language)
            iterators[language] = iterator
        }
        var places: [Int] = []
        iterator.boundaries(in: window[...]) { offset, _ in places.append(range.lowerBound + offset) }
        return places
    }
}

extension ScalarText {
    /// A range without the white space at its ends.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end {
            let (scalar, size) = scalar(at: start, before: end)
            guard scalar.isSpace else { break }
            start += size
        }
        while let (scalar, size) = scalar(endingAt: end, notBefore: start), scalar.isSpace { end -= size }
        return start..<end
    }
}
