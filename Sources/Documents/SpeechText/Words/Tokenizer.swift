// SPDX-License-Identifier: Apache-2.0

/// Splits a sentence at white space and at dashes, and takes the marks off the ends of each piece.
struct Tokenizer {
    /// Which spaces group the digits of a number.
    enum Grouping {
        /// Ordinary ones only before three zeros.
        case byFixedSpaces
        case bySpaces
    }

    let text: ScalarText
    var grouping = Grouping.byFixedSpaces

    /// The longest piece in bytes; what is longer is no word and is split between characters.
    ///
    /// A voice can say it in one breath.
    static let longest = 192

    /// - Parameter islands: Ranges in order, which become one token each.
    func tokens(of sentence: Range<Int>, islands: [Range<Int>], into tokens: inout [Token]) {
        var place = sentence.lowerBound
        for (index, island) in islands.enumerated() {
            let spaces = split(place..<island.lowerBound, after: sentence.lowerBound, into: &tokens)
            tokens.append(
                Token(
                    start: island.lowerBound, core: island, end: island.upperBound, traits: spaces.union(.island),
                    island: index))
            place = island.upperBound
        }
        _ = split(place..<sentence.upperBound, after: sentence.lowerBound, into: &tokens)
    }

    /// Returns the white space at the end, which belongs to what follows.
    private func split(_ range: Range<Int>, after start: Int, into tokens: inout [Token]) -> Token.Traits {
        var place = range.lowerBound
        while true {
            var traits: Token.Traits = []
            while place < range.upperBound {
                let (scalar, size) = text.scalar(at: place, before: range.upperBound)
                guard scalar.isSpace else { break }
                traits.insert(.space)
                if scalar == "\n" { traits.insert(.line) }
                if scalar == "\t" { traits.insert(.cell) }
                place += size
            }
            guard place < range.upperBound else { return traits }
            let end = endOfPiece(place, range)
            let isNoteMark =
                traits.isEmpty && place > range.lowerBound && endOfNoteMark(place, before: range.upperBound) == end
            // The mark of a note behind a word is not spoken.
            if isNoteMark {
                tokens.append(Token(start: place, core: place..<place, end: end, traits: traits))
            } else {
                tokens.append(token(place..<end, traits))
            }
            place = end
        }
    }

    /// The end of the piece that begins at a place: white space, or behind a dash that follows a word.
    private func endOfPiece(_ start: Int, _ range: Range<Int>) -> Int {
        let end = range.upperBound
        var place = start
        var hasWord = false
        while place < end {
            let byte = text.bytes[place]
            if byte < 0x80 {
                let scalar = Unicode.Scalar(byte)
                if scalar.isSpace, byte != 0x20 || !hasWord || !groupsDigits(place, 1, range, from: start) {
                    return place
                }
                if scalar.isASCIILetter || scalar.isASCIIDigit {
                    hasWord = true
                } else if hasWord, isLongDash(place, before: end) {
                    return endOfDash(place, before: end)
                } else if byte == 0x5B, hasWord, endOfNoteMark(place, before: end) != nil {
                    return place
                } else if place == start, start > range.lowerBound, let mark = endOfNoteMark(place, before: end) {
                    return mark
                }
                place += 1
            } else {
                let (scalar, size) = text.scalar(at: place, before: end)
                if scalar.isSpace {
                    if !isNumberSpace(scalar) || !groupsDigits(place, size, range, from: start) { return place }
                } else if hasWord, isDash(scalar), scalar != "–" || !isBetweenNumbers(place, size, range) {
                    return endOfDash(place, before: end)
                } else if !hasWord {
                    hasWord = scalar.isSpoken
                }
                place += size
            }
            if place - start >= Self.longest, place < end, isBetweenClusters(place, before: end, from: start) {
                return place
            }
        }
        return end
    }

    private func token(_ piece: Range<Int>, _ spaces: Token.Traits) -> Token {
        var first = piece.lowerBound
        while first < piece.upperBound {
            let (scalar, size) = text.scalar(at: first, before: piece.upperBound)
            if scalar.isSpoken || isSign(scalar) || isPrefix(scalar, first, piece.upperBound) { break }
            first += size
        }
        var last = piece.upperBound
        while let (scalar, size) = text.scalar(endingAt: last, notBefore: first) {
            if isSuperscript(scalar), followsMark(last - size, notBefore: first) {
                last -= size
                continue
            }
            if scalar.isSpoken || isSign(scalar) || scalar.isMark || scalar == "%" || scalar == "$" || scalar == "+" {
                break
            }
            last -= size
        }
        var traits = spaces
        var place = first
        while place < last {
            let (scalar, size) = text.scalar(at: place, before: last)
            traits.formUnion(trait(of: scalar))
            place += size
        }
        if last > first, last < piece.upperBound, text.bytes[last] == 0x2E { traits.insert(.stop) }
        return Token(start: piece.lowerBound, core: first..<last, end: piece.upperBound, traits: traits)
    }

    @inline(__always)
    private func trait(of scalar: Unicode.Scalar) -> Token.Traits {
        if scalar.value < 0x80 {
            if scalar.isASCIILetter { return scalar.value & 0x20 == 0 ? .upper : .lower }
            if scalar.isASCIIDigit { return .digit }
            return scalar == "'" || scalar == "-" ? [] : .mark
        }
        if scalar.isUnspaced { return .unspaced }
        if isSign(scalar) { return .foreign }
        if scalar.isUpper { return [.letter, .upper] }
        if scalar.isLower { return [.letter, .lower] }
        if scalar.isSpoken { return scalar.properties.isAlphabetic ? .letter : .foreign }
        return scalar.isMark ? .letter : scalar == "’" || scalar == "‑" ? [] : .foreign
    }

    /// Marks with which a word or number can begin if a digit or letter follows at once: "$5", "-5", "#5", ".5",
    /// "@name".
    private func isPrefix(_ scalar: Unicode.Scalar, _ place: Int, _ end: Int) -> Bool {
        if scalar == "&" || scalar == "%" { return true }
        guard place + 1 < end else { return false }
        let next = Unicode.Scalar(text.bytes[place + 1])
        switch scalar {
        case "$", "#", "+", "-", ".": return next.isASCIIDigit
        case "@": return next.isASCIILetter
        default: return false
        }
    }

    /// Signs outside of ASCII that are said: currencies, degrees and the like.
    private func isSign(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0xA2: false
        case 0xA2...0xA5, 0xA7, 0xA9, 0xAE, 0xB0, 0xB1, 0xD7, 0xF7, 0x2030, 0x2032, 0x2033, 0x20A0...0x20CF, 0x2103,
            0x2109,
            0x2116, 0x2122, 0x2212:
            true
        default: scalar.isEmoji
        }
    }

    private func isSuperscript(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xB2, 0xB3, 0xB9, 0x2070, 0x2074...0x2079: true
        default: false
        }
    }

    /// Returns `true` if superscript digits stand behind a mark, so that they are the mark of a note.
    ///
    /// An example is "the end.¹²".
    private func followsMark(_ place: Int, notBefore start: Int) -> Bool {
        var place = place
        while let (scalar, size) = text.scalar(endingAt: place, notBefore: start), isSuperscript(scalar), place > start
        { place -= size }
        guard let (scalar, _) = text.scalar(endingAt: place, notBefore: start) else { return false }
        return scalar == "." || scalar == "," || scalar == "!" || scalar == "?" || scalar == ";" || scalar == ":"
            || scalar.isCloser
    }

    /// The end of a mark of a note such as "[12]" that begins at a place.
    private func endOfNoteMark(_ place: Int, before end: Int) -> Int? {
        guard text.bytes[place] == 0x5B else { return nil }
        var last = place + 1
        while last < end, last - place <= 3, Unicode.Scalar(text.bytes[last]).isASCIIDigit { last += 1 }
        return last > place + 1 && last < end && text.bytes[last] == 0x5D ? last + 1 : nil
    }

    private func isDash(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "—" || scalar == "–" || scalar == "―" || scalar == "⸺" || scalar == "…"
    }

    /// Returns `true` if there is "--" or "...".
    private func isLongDash(_ place: Int, before end: Int) -> Bool {
        let byte = text.bytes[place]
        guard byte == 0x2D || byte == 0x2E, place + 1 < end, text.bytes[place + 1] == byte else { return false }
        return byte == 0x2D || (place + 2 < end && text.bytes[place + 2] == byte)
    }

    /// Skips dashes, stops and closing marks.
    private func endOfDash(_ place: Int, before end: Int) -> Int {
        var place = place
        while place < end {
            let (scalar, size) = text.scalar(at: place, before: end)
            let isQuestion = scalar == "!" || scalar == "?" || scalar == ","
            guard isDash(scalar) || scalar == "-" || scalar == "." || isQuestion || closes(scalar, place + size, end)
            else {
                break
            }
            place += size
        }
        return place
    }

    /// Returns `true` if a quotation mark or bracket closes: no word follows at once.
    private func closes(_ scalar: Unicode.Scalar, _ next: Int, _ end: Int) -> Bool {
        guard scalar.isCloser else { return false }
        return next >= end || !text.scalar(at: next, before: end).scalar.isSpoken
    }

    private func isBetweenNumbers(_ place: Int, _ size: Int, _ range: Range<Int>) -> Bool {
        guard place > range.lowerBound, place + size < range.upperBound else { return false }
        let before = text.bytes[place - 1]
        let next = text.bytes[place + size]
        return Unicode.Scalar(before).isASCIIDigit && (Unicode.Scalar(next).isASCIIDigit || next == 0x24)
    }

    /// A space that can group the digits of a number.
    private func isNumberSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x202F || scalar.value == 0x2009 || scalar.value == 0xA0
    }

    /// Returns `true` if a space groups digits: one to three before it, or groups of three, and exactly three behind
    /// it.
    private func groupsDigits(_ place: Int, _ size: Int, _ range: Range<Int>, from start: Int) -> Bool {
        let next = place + size
        func isDigit(_ place: Int) -> Bool {
            place >= range.lowerBound && place < range.upperBound && Unicode.Scalar(text.bytes[place]).isASCIIDigit
        }
        guard isDigit(place - 1), isDigit(next), isDigit(next + 1), isDigit(next + 2), !isDigit(next + 3) else {
            return false
        }
        guard size == 1 else { return true }
        var first = place - 1
        while first > start, place - first < 4, isDigit(first - 1) { first -= 1 }
        guard place - first <= 3, text.bytes[first] != 0x30 || (first > start && text.bytes[first - 1] == 0x20) else {
            return false
        }
        // In "B 52 000" and "on page 3 100 people" the space is one between words.
        let isZeros = text.bytes[next..<next + 3].allSatisfy { $0 == 0x30 }
        return grouping == .bySpaces || isZeros || (first > start && text.bytes[first - 1] == 0x20)
    }

    /// Returns `true` if an endless piece can be split here; marks upon a letter go with it, but not without end.
    private func isBetweenClusters(_ place: Int, before end: Int, from start: Int) -> Bool {
        guard place - start < 4 * Self.longest else { return text.bytes[place] & 0xC0 != 0x80 }
        let next = text.scalar(at: place, before: end).scalar
        guard let (last, _) = text.scalar(endingAt: place, notBefore: start) else { return false }
        // Scripts without spaces are split by ICU, which needs the words around.
        if next.isUnspaced { return place - start >= 3 * Self.longest }
        return !next.isMark && next.value != 0x200D && last.value != 0x200D && !(0xE000...0xFE0F).contains(next.value)
    }
}
