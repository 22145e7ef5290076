// SPDX-License-Identifier: Apache-2.0

/// The evidence in the words of a short line that it is a heading.
enum HeadingPattern: Equatable {
    /// `CHAPTER I`, `Erstes Kapitel`, `第三章`; the line may have a title behind the number.
    case numbered(ChapterWords.Rank, hasTitle: Bool)
    /// `PREFACE`, `Contents`.
    case standalone(isContents: Bool)
    /// A line in capitals.
    case capitals
    /// A number alone: a chapter's if they count up, else a page's.
    case numeral(Int, isRoman: Bool)

    /// Headings are no longer than this, in characters.
    static let longest = 80

    /// Judges a line without white space at its ends.
    static func match(_ line: Substring) -> HeadingPattern? {
        guard let first = line.unicodeScalars.first, !line.isEmpty, line.utf8.count <= longest * 4, !isProse(line)
        else {
            return nil
        }
        let words = line.unicodeScalars.split(whereSeparator: \.isSpace).map { Substring($0) }
        if words.count == 1, let number = Numeral(words[0]) {
            return .numeral(number.value, isRoman: number.isRoman)
        }
        if let eastAsian = eastAsian(line) { return eastAsian }
        if let last = line.unicodeScalars.last, ",;".unicodeScalars.contains(last) { return nil }
        let folded = line.lowercased()
        let bare = folded.trimmingPunctuation()
        if ChapterWords.standalone.contains(String(bare)) {
            return .standalone(isContents: ChapterWords.contents.contains(String(bare)))
        }
        if let numbered = numbered(words) { return numbered }
        return first != "\u{201C}" && first != "\"" && first != "[" && first != "(" && isCapitals(line)
            ? .capitals : nil
    }

    /// Returns `true` for a line that can be none, which is quickly seen of most lines.
    ///
    /// It has more words than a heading without a number, small letters, and begins with no word of a heading.
    private static func isProse(_ line: Substring) -> Bool {
        var words = 0
        var hasSmall = false
        var isInWord = false
        var first: [UInt8] = []
        var bytes = line.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte > 0x20 else {
                isInWord = false
                continue
            }
            let isSmall = byte >= 0x61 && byte <= 0x7A
            hasSmall = hasSmall || isSmall
            var isWord = isSmall || byte >= 0x30 && byte <= 0x39 || byte >= 0x41 && byte <= 0x5A || byte >= 0x80
            if byte >= 0x80 {
                // Quotation marks and dashes are U+2010 to U+2027.
                let isSign =
                    byte == 0xE2 && bytes.next() == 0x80 && bytes.next().map { (0x90..<0xA8).contains($0) } == true
                // Spaces and letters beyond ASCII are looked at closely where they may be of the first word.
                if !isSign, words <= 1 { return false }
                isWord = !isSign
            }
            if isWord, !isInWord {
                words += 1
                isInWord = true
            }
            if words == 1, isInWord { first.append(byte | (byte >= 0x41 && byte <= 0x5A ? 0x20 : 0)) }
        }
        guard hasSmall, words > ChapterWords.longestStandalone else { return false }
        while let last = first.last, last < 0x30 || last > 0x39 && last < 0x61 || last > 0x7A { first.removeLast() }
        return !ChapterWords.first.contains(String(decoding: first, as: UTF8.self))
    }

    /// Judges `Word Number Title` and `Number Word`.
    private static func numbered(_ words: [Substring]) -> HeadingPattern? {
        guard words.count >= 2 else { return nil }
        var before = 0
        var numbers = 0
        while before < min(3, words.count) {
            let word = String(words[before].lowercased().trimmingPunctuation())
            if let rank = ChapterWords.numbered[word] {
                if before > 0 {
                    // `Erstes Kapitel`, `The First Book`: nothing but the number before it, and little behind.
                    guard numbers > 0, before + 1 == words.count || endsPart(words[before]) else { return nil }
                    return .numbered(rank, hasTitle: before + 1 < words.count)
                }
                return behind(rank, words)
            }
            guard ChapterWords.numbers.contains(word) else { return nil }
            if word != "the" { numbers += 1 }
            before += 1
        }
        return nil
    }

    private static func behind(_ rank: ChapterWords.Rank, _ words: [Substring]) -> HeadingPattern? {
        var index = 1
        var number = words[index].trimmingPunctuation()
        if number.lowercased() == "the", words.count > 2 {
            index = 2
            number = words[2].trimmingPunctuation()
        }
        let isNumber =
            Numeral(number) != nil || ChapterWords.numbers.contains(number.lowercased())
            || number.lowercased().split(separator: "-").allSatisfy({ ChapterWords.numbers.contains(String($0)) })
        guard isNumber, !number.isEmpty else { return nil }
        guard index + 1 < words.count else { return .numbered(rank, hasTitle: false) }
        let title = words[index + 1]
        let isTitle =
            endsPart(words[index]) || title.first?.isUppercase == true || title.first?.isLetter == false
            || title.first.map { !$0.isCased } == true
        return isTitle ? .numbered(rank, hasTitle: true) : nil
    }

    private static func endsPart(_ word: Substring) -> Bool {
        word.last.map { ".:-\u{2014}\u{2013})".contains($0) } == true
    }

    /// Judges `第三章`, `제 3 장`.
    private static func eastAsian(_ line: Substring) -> HeadingPattern? {
        guard let first = line.first, first == "第" || first == "제" else { return nil }
        let rest = line.dropFirst().drop(while: \.isWhitespace)
        let digits = rest.prefix { $0.isNumber || "〇零兩两百千".contains($0) }
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        let unit = rest.dropFirst(digits.count).drop(while: \.isWhitespace)
        guard let sign = unit.first else { return nil }
        let hasTitle = unit.count > 1
        // A title stands apart: 第一章的 begins a sentence.
        let behind = unit.dropFirst().first
        guard !hasTitle || behind.map({ $0.isWhitespace || ":：、—【「《".contains($0) }) == true || line.count <= 24 else {
            return nil
        }
        if "章回节節話话篇編编條条장편조".contains(sign) { return .numbered(.chapter, hasTitle: hasTitle) }
        return "卷巻部集부권".contains(sign) ? .numbered(.part, hasTitle: hasTitle) : nil
    }

    /// Returns `true` for a line of words in capitals that is no cry.
    private static func isCapitals(_ line: Substring) -> Bool {
        var letters = 0
        for scalar in line.unicodeScalars where scalar.properties.isAlphabetic {
            guard scalar.properties.generalCategory != .lowercaseLetter, scalar.properties.isCased else { return false }
            letters += 1
        }
        return letters >= 4 && letters * 2 > line.unicodeScalars.count && line.last.map { !"!,;:".contains($0) } == true
    }
}

/// A number in digits or Roman numerals.
struct Numeral {
    var value: Int
    var isRoman: Bool

    init?(_ word: Substring) {
        let bare = word.trimmingPunctuation()
        guard !bare.isEmpty, bare.utf8.count <= 24 else { return nil }
        if bare.allSatisfy({ $0.isWholeNumber && $0.wholeNumberValue.map { $0 < 10 } == true }) {
            guard bare.count <= 4 else { return nil }
            (value, isRoman) = (bare.reduce(0) { $0 * 10 + ($1.wholeNumberValue ?? 0) }, false)
            return
        }
        guard let roman = Self.roman(bare) else { return nil }
        (value, isRoman) = (roman, true)
    }

    /// Returns the value of a Roman numeral that is written as they are: `XIV`, not `XIIII`.
    private static func roman(_ word: Substring) -> Int? {
        let upper = word.uppercased()
        guard upper.utf8.count <= 12, word == upper || word == word.lowercased() else { return nil }
        let parts: [(String, Int)] = [
            ("M", 1000), ("CM", 900), ("D", 500), ("CD", 400), ("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10),
            ("IX", 9), ("V", 5), ("IV", 4), ("I", 1),
        ]
        var rest = upper[...]
        var value = 0
        for (sign, worth) in parts {
            var times = 0
            while rest.hasPrefix(sign), times < (sign.count == 1 && "MCXI".contains(sign) ? 3 : 1) {
                rest = rest.dropFirst(sign.count)
                value += worth
                times += 1
            }
        }
        return rest.isEmpty && value > 0 ? value : nil
    }
}

extension Unicode.Scalar {
    /// White space; quick for what most text is.
    var isSpace: Bool { value < 0x80 ? value <= 0x20 : properties.isWhitespace }
}

extension StringProtocol {
    /// The words without signs at the ends.
    func trimmingPunctuation() -> SubSequence {
        let isSign = { (character: Character) in character.isPunctuation || character.isSymbol || character.isWhitespace
        }
        guard let first = firstIndex(where: { !isSign($0) }), let last = lastIndex(where: { !isSign($0) }) else {
            return self[startIndex..<startIndex]
        }
        return self[first...last]
    }
}
