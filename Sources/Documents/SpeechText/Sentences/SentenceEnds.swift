// SPDX-License-Identifier: Apache-2.0

/// The ends of the sentences in a stretch of text.
///
/// For the marks `.`, `!`, `?` and `…` of scripts with capitals the decision is made here, by the word before, the word
/// behind and the language's rules; for the marks of other scripts ICU's boundaries are taken.
struct SentenceEnds {
    let text: ScalarText
    let start: Int
    let end: Int
    let rules: SentenceRules
    let language: String
    /// `true` if the stretch begins where the block does, so that a number there may be that of a list.
    let isBlockStart: Bool
    /// `true` if the text uses capitals at all.
    ///
    /// Where it does not, a small letter begins a sentence as well.
    lazy var hasCapitals = usesCapitals()

    init(
        text: ScalarText, start: Int, end: Int, rules: SentenceRules, language: String, isBlockStart: Bool
    ) {
        self.text = text
        self.start = start
        self.end = end
        self.rules = rules
        self.language = language
        self.isBlockStart = isBlockStart
    }

    /// Returns the places behind sentences and the white space that follows, in order; the end itself may be missing.
    mutating func find(boundaries: [Int]) -> [Int] {
        var found: [Int] = []
        var candidates = boundaries[...]
        var place = start
        while place < end {
            while let candidate = candidates.first, candidate <= place {
                candidates.removeFirst()
                if let boundary = endInOtherScript(candidate) { Self.add(boundary, to: &found) }
            }
            let byte = text.bytes[place]
            guard isStop(byte, at: place) else {
                place += 1
                continue
            }
            let stop = place
            place = endOfStops(place)
            if let next = sentenceStart(afterStopsAt: stop, place) {
                Self.add(next, to: &found)
                place = max(place, next)
            }
        }
        for candidate in candidates where candidate < end {
            if let boundary = endInOtherScript(candidate) { Self.add(boundary, to: &found) }
        }
        return found
    }

    private static func add(_ place: Int, to found: inout [Int]) {
        if found.last.map({ $0 < place }) ?? true { found.append(place) }
    }

    private func isStop(_ byte: UInt8, at place: Int) -> Bool {
        switch byte {
        case 0x2E, 0x21, 0x3F: true
        // The Greek question mark.
        case 0x3B: language == "el"
        case 0xE2: isLongStop(place)
        default: false
        }
    }

    /// Returns `true` if there is "…", "‼", "⁇", "⁈" or "⁉".
    private func isLongStop(_ place: Int) -> Bool {
        guard place + 2 < end, text.bytes[place] == 0xE2 else { return false }
        let (second, third) = (text.bytes[place + 1], text.bytes[place + 2])
        return (second == 0x80 && (third == 0xA6 || third == 0xBC))
            || (second == 0x81 && third >= 0x87 && third <= 0x89)
    }

    private func endOfStops(_ place: Int) -> Int {
        var place = place
        while place < end, isStop(text.bytes[place], at: place) { place += text.bytes[place] == 0xE2 ? 3 : 1 }
        return place
    }

    /// Returns where the next sentence begins if the stops at a place end one.
    private mutating func sentenceStart(afterStopsAt stop: Int, _ stopsEnd: Int) -> Int? {
        let closed = endOfClosers(stopsEnd)
        var next = endOfSpaces(closed)
        if next == closed {
            guard closed < end else { return nil }
            return sentenceStart(withoutSpaceAt: closed, stop: stop)
        }
        guard next < end else { return next }
        // A closing mark that stands apart, as in French: « … . » Then.
        let late = endOfClosers(next)
        if late > next, isDetachedCloser(next, late) {
            let behind = endOfSpaces(late)
            guard behind > late || behind == end else { return nil }
            next = behind
            guard next < end else { return next }
        }
        let word = nextWord(next)
        guard let first = word.first else { return nil }
        if first.isLower, hasCapitals { return nil }
        if stopsEnd - stop == 1, text.bytes[stop] == 0x2E { return isEnd(stop, word) ? next : nil }
        // After an ellipsis the sentence goes on with "I" or a number.
        let isEllipsis = text.bytes[stop] == 0x2E || (text.bytes[stop] == 0xE2 && stopsEnd - stop == 3)
        if isEllipsis, !first.isUpper && hasCapitals {
            return first.isSpoken && !first.isASCIIDigit && !first.isLower ? next : nil
        }
        if isEllipsis, rules.words.contains(word.text) { return nil }
        return next
    }

    /// Decides about stops with no space behind: "end.Next" and marks before a script without spaces.
    private func sentenceStart(withoutSpaceAt place: Int, stop: Int) -> Int? {
        let (next, _) = text.scalar(at: place, before: end)
        if next.isUnspaced { return place }
        guard next.isUpper else { return nil }
        var before = stop
        while let (scalar, size) = text.scalar(endingAt: before, notBefore: start), !scalar.isSpace, stop - before < 64
        {
            guard scalar.isLower || scalar.isUpper else {
                if scalar.isOpener { break }
                return nil
            }
            before -= size
        }
        guard stop - before >= 3, let (last, _) = text.scalar(endingAt: stop, notBefore: start), last.isLower else {
            return nil
        }
        // A further stop within the same word makes it a name: "System.Text.Json".
        var behind = place
        while behind < end, behind - place < 64 {
            let (scalar, size) = text.scalar(at: behind, before: end)
            if scalar.isSpace { break }
            if !scalar.isLower, !scalar.isUpper {
                return behind + size < end && !text.scalar(at: behind + size, before: end).scalar.isSpace
                    && !scalar.isCloser ? nil : place
            }
            behind += size
        }
        return place
    }

    /// Decides about one full stop that white space follows.
    private func isEnd(_ stop: Int, _ next: (text: String, first: Unicode.Scalar?)) -> Bool {
        let word = word(before: stop)
        guard let first = next.first, !word.text.isEmpty else { return true }
        let isAtStart = isBlockStart && text.trimmed(start..<word.start).isEmpty
        let startsSentence = rules.starters.contains(next.text)
        if word.isNumber {
            if isAtStart { return false }
            guard rules.hasDottedOrdinals, word.text.count <= 3, !followsNumberWord(word.start) else { return true }
            return startsSentence || !first.isUpper && !first.isLower
        }
        if word.text.unicodeScalars.count == 1 {
            if isAtStart { return false }
            guard word.isUpper else { return startsSentence || !first.isUpper && !first.isLower && !first.isASCIIDigit }
            if rules.words.contains(word.text), followsSmallWord(word.start) { return true }
            return startsSentence
        }
        if rules.open.contains(word.text) { return false }
        // "Hauptstr. 5"
        if language == "de", word.text.hasSuffix("str"), first.isASCIIDigit { return false }
        if rules.beforeNames.contains(word.text), first.isUpper { return startsSentence }
        if rules.beforeNumbers.contains(word.text), first.isASCIIDigit || isRoman(next.text) { return false }
        if word.isDecimal { return !rules.hasDottedOrdinals || startsSentence || !first.isUpper }
        if word.hasStops { return startsSentence || !first.isUpper }
        if word.isUpper, isRoman(word.text) {
            if isAtStart { return false }
            return !rules.hasDottedOrdinals || startsSentence
        }
        return true
    }

    private func isRoman(_ word: String) -> Bool {
        word.utf8.count <= 7 && word.utf8.allSatisfy { "ivxlcdm".utf8.contains($0) }
    }

    /// Returns `true` if the word before a place is in small letters, so that a single letter behind it is no initial.
    private func followsSmallWord(_ place: Int) -> Bool {
        var place = place
        while let (scalar, size) = text.scalar(endingAt: place, notBefore: start), scalar.isSpace { place -= size }
        guard let (scalar, _) = text.scalar(endingAt: place, notBefore: start) else { return false }
        return scalar.isLower && !(word(before: place).isCapitalised)
    }

    /// Returns `true` if the word before a number is one such as "Abb.", so that the number counts and is no ordinal.
    private func followsNumberWord(_ place: Int) -> Bool {
        guard let (stop, _) = text.scalar(endingAt: text.trimmed(start..<place).upperBound, notBefore: start),
            stop == "."
        else { return false }
        return rules.beforeNumbers.contains(word(before: text.trimmed(start..<place).upperBound - 1).text)
    }

    private struct Word {
        var text: String
        var start: Int
        var isNumber: Bool
        /// `true` if it is of digits and full stops: a decimal, a version or a date.
        var isDecimal: Bool
        var isUpper: Bool
        var isCapitalised: Bool
        var hasStops: Bool
    }

    /// The word that ends before a full stop, in lower case; it may have full stops inside.
    private func word(before stop: Int) -> Word {
        var place = stop
        var isNumber = true
        var isDecimal = true
        var isUpper = true
        var isCapitalised = false
        var hasStops = false
        while stop - place < 40, let (scalar, size) = text.scalar(endingAt: place, notBefore: start) {
            if scalar == "." {
                hasStops = true
            } else if scalar == "-" || scalar == "/" {
                guard place != stop else { break }
            } else if !scalar.isSpoken && !scalar.isMark {
                break
            }
            if !scalar.isASCIIDigit {
                isNumber = false
                if scalar != "." { isDecimal = false }
            }
            if scalar.isLower { isUpper = false }
            isCapitalised = scalar.isUpper
            place -= size
        }
        return Word(
            text: text.string(place..<stop).lowercased(), start: place, isNumber: isNumber && place < stop,
            isDecimal: isDecimal, isUpper: isUpper, isCapitalised: isCapitalised, hasStops: hasStops)
    }

    /// The word that begins at a place, without the marks before it: in lower case, and its first character as it
    /// stands.
    private func nextWord(_ place: Int) -> (text: String, first: Unicode.Scalar?) {
        var place = place
        while place < end {
            let (scalar, size) = text.scalar(at: place, before: end)
            guard scalar.isOpener || scalar.isSpace || scalar.isInvisible else { break }
            place += size
        }
        guard place < end else { return ("", nil) }
        let (first, size) = text.scalar(at: place, before: end)
        // A stop or comma goes on with what was before.
        if [".", "!", "?", ",", ";", ":", ")", "…"].contains(first) { return ("", nil) }
        var last = place + size
        while last < end, last - place < 24 {
            let (scalar, size) = text.scalar(at: last, before: end)
            guard scalar.isUpper || scalar.isLower || scalar.isASCIIDigit else { break }
            last += size
        }
        return (text.string(place..<last).lowercased(), first)
    }

    /// Skips quotation marks, brackets and the marks of notes behind a stop.
    private func endOfClosers(_ place: Int) -> Int {
        var place = place
        while place < end {
            let (scalar, size) = text.scalar(at: place, before: end)
            switch scalar {
            case "[":
                guard let close = endOfNoteMark(place) else { return place }
                place = close
            case "¹", "²", "³", "⁰", "⁴"..."⁹", "†", "‡": place += size
            default:
                guard scalar.isCloser || scalar.isInvisible && !scalar.isSpace else { return place }
                place += size
            }
        }
        return place
    }

    /// Returns the place behind "[12]".
    private func endOfNoteMark(_ place: Int) -> Int? {
        var place = place + 1
        let first = place
        while place < end, place - first < 5, text.bytes[place] != 0x5D { place += 1 }
        guard place < end, text.bytes[place] == 0x5D, place > first else { return nil }
        return text.bytes[first..<place].allSatisfy({
            $0 >= 0x30 && $0 <= 0x39 || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A
        })
            ? place + 1 : nil
    }

    private func endOfSpaces(_ place: Int) -> Int {
        var place = place
        while place < end {
            let (scalar, size) = text.scalar(at: place, before: end)
            guard scalar.isSpace else { break }
            place += size
        }
        return place
    }

    /// Returns `true` if marks between two spaces close what was before: only quotation marks do, and not those that
    /// open in the language.
    private func isDetachedCloser(_ place: Int, _ end: Int) -> Bool {
        let (scalar, _) = text.scalar(at: place, before: end)
        guard scalar == "»" || scalar == "”" || scalar == "›" || scalar == "\"" else { return false }
        return end == self.end || text.scalar(at: end, before: self.end).scalar.isSpace
    }

    private func usesCapitals() -> Bool {
        var small = 0
        var place = start
        while place < end, small < 400 {
            let (scalar, size) = text.scalar(at: place, before: end)
            if scalar.isUpper { return true }
            if scalar.isLower { small += 1 }
            place += size
        }
        // Too little to tell.
        return small < 20
    }
}
