// SPDX-License-Identifier: Apache-2.0

/// The evidence of the words at the ends of lines.
enum PDFText {
    /// Compounds that are remembered.
    private static let mostCompounds = 100_000

    /// Returns the words of a document with a hyphen inside, small, so that one at the end of a line keeps its own.
    static func compounds(_ lines: [PDFLine], _ pages: [PDFPage]) -> Set<String> {
        var result: Set<String> = []
        for line in lines where result.count < mostCompounds {
            for index in line.words.dropLast() {
                let word = pages[line.page].text[pages[line.page].words[index].range]
                guard word.count < 60, let hyphen = word.dropFirst().dropLast().firstIndex(of: 0x2D),
                    hyphen > word.startIndex
                else { continue }
                result.insert(folded(word))
            }
        }
        return result
    }

    /// Returns the pages with many entries of a table of contents.
    static func contents(_ lines: [PDFLine], _ pages: [PDFPage]) -> Set<Int> {
        var counts: [Int: (leaders: Int, all: Int)] = [:]
        for line in lines {
            counts[line.page, default: (0, 0)].all += 1
            if isLeader(line.text(pages[line.page])) { counts[line.page, default: (0, 0)].leaders += 1 }
        }
        return Set(counts.filter { $0.value.leaders >= 3 && $0.value.leaders * 3 >= $0.value.all }.keys)
    }

    /// Returns how many bytes at the end of a word are a hyphen that only divides it.
    static func hyphen(_ word: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>?, _ compounds: Set<String>) -> Int {
        guard let length = hyphenLength(word), let next, let first = scalar(next), first.properties.isLowercase else {
            return 0
        }
        let head = word.dropLast(length)
        let before = String(decoding: head.suffix(4), as: UTF8.self).unicodeScalars.last
        guard before?.properties.isAlphabetic == true else { return 0 }
        let letters = next.prefix { $0 >= 0x80 || LaTeXScanner.isLetter($0) || $0 == 0x2D }
        return compounds.contains(folded(head) + "-" + folded(letters)) ? 0 : length
    }

    /// A word with a hyphen of its own goes on in the next line without a space.
    static func endsWithHyphen(_ word: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>?) -> Bool {
        guard word.count > 1, hyphenLength(word) != nil, let next, let first = scalar(next) else { return false }
        return first.properties.isAlphabetic
    }

    private static func hyphenLength(_ word: ArraySlice<UInt8>) -> Int? {
        if word.last == 0x2D { return 1 }
        if word.suffix(2).elementsEqual([0xC2, 0xAD]) { return 2 }
        return word.suffix(3).elementsEqual([0xE2, 0x80, 0x90]) ? 3 : nil
    }

    /// Chinese and Japanese are broken without a space.
    static func isWide(_ word: ArraySlice<UInt8>, _ next: ArraySlice<UInt8>) -> Bool {
        let last = String(decoding: word.suffix(4), as: UTF8.self).unicodeScalars.last
        guard let last, let first = scalar(next) else { return false }
        return [last, first].allSatisfy { (0x2E80..<0xAC00).contains($0.value) || (0xFF00..<0xFFF0).contains($0.value) }
    }

    static func ligature(_ last: UInt8) -> String? {
        switch last {
        case 0x80: "ff"
        case 0x81: "fi"
        case 0x82: "fl"
        case 0x83: "ffi"
        case 0x84: "ffl"
        case 0x85, 0x86: "st"
        default: nil
        }
    }

    static func endsSentence(_ text: String) -> Bool {
        let closing = "\"')]\u{2019}\u{201D}\u{BB}\u{300D}0123456789"
        let bare = text.unicodeScalars.reversed().drop { closing.unicodeScalars.contains($0) }
        return bare.first.map { ".!?:\u{2026}\u{3002}\u{FF01}\u{FF1F}\u{964}".unicodeScalars.contains($0) } ?? false
    }

    /// `Chapter 1 . . . . . 12`.
    static func isLeader(_ text: String) -> Bool {
        guard text.last?.isNumber == true else { return false }
        var dots = 0
        for byte in text.utf8 {
            if byte == 0x2E { dots += 1 } else if byte != 0x20 { dots = 0 }
            if dots >= 4 { return true }
        }
        return text.contains("\u{2026}\u{2026}")
    }

    static func isBullet(_ text: String) -> Bool {
        guard let first = text.first else { return false }
        if "\u{2022}\u{25E6}\u{25AA}\u{2023}\u{25CF}\u{25A0}\u{F0B7}".contains(first) { return true }
        let mark = text.prefix { !$0.isWhitespace }
        if mark.count == text.count { return false }
        if mark == "-" || mark == "\u{2013}" || mark == "*" { return true }
        let number = mark.drop { $0 == "(" }.dropLast()
        guard let end = mark.last, end == ")" || (end == "." && mark.first != "("), (1...3).contains(number.count)
        else {
            return false
        }
        return number.allSatisfy(\.isNumber) || (number.count == 1 && end == ")" && number.allSatisfy(\.isLetter))
    }

    static func isCaption(_ text: String) -> Bool {
        let words = text.prefix(40).split(separator: " ", maxSplits: 2)
        guard words.count == 3, let mark = words[1].last, ".:".contains(mark), words[1].first?.isNumber == true else {
            return false
        }
        return [
            "Figure", "Fig.", "FIGURE", "Table", "TABLE", "Abbildung", "Abb.", "Tabelle", "Tab.", "Tableau", "Figura",
            "Tabla",
        ]
        .contains(words[0])
    }

    static func isNoteMark(_ text: String) -> Bool {
        guard let first = text.first else { return false }
        return first.isNumber || "*\u{2020}\u{2021}\u{A7}".contains(first)
    }

    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first
    }

    private static func folded(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }
}
