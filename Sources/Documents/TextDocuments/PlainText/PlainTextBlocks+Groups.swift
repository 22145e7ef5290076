// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The lines between two blank ones.
extension PlainTextBlocks {
    /// Reads a group; `isAlone` if a blank line or a break precedes it.
    mutating func read(_ group: ArraySlice<TextLine>, isAlone: Bool) throws(DocumentError) {
        guard let first = group.first else { return }
        if isContents(group) {
            for index in group.indices { try add(.listItem, group[index...index], level: 1, matter: .front) }
            return
        }
        isInContents = false
        if try readHeading(group, isAlone: isAlone) { return }
        if try readTitle(group) { return }
        if isBracketed(first, "[Footnote") || isBracketed(first, "[Note") { return try add(.note, group) }
        if isBracketed(first, "[Illustration") { return try add(.caption, group) }
        if isVerse(group) { return try add(.verse, group) }
        layout.isWrapped ? try readWrapped(group) : try readLines(group)
    }

    /// Divides lines that the author wrapped into paragraphs.
    private mutating func readWrapped(_ group: ArraySlice<TextLine>) throws(DocumentError) {
        let base = group.lazy.map(\.indent).min() ?? 0
        var start = group.startIndex
        var isItem = isBullet(group[start])
        for index in group.indices.dropFirst() {
            let before = group[index - 1]
            let line = group[index]
            let startsItem = isBullet(line) && (isItem || layout.hasRoom(before, for: line) || endsSentence(before))
            let isIndented = layout.indentsFirstLines && line.indent >= base + 2 && line.indent < base + 17
            guard startsItem || isIndented || endsParagraph(before, line) else { continue }
            try add(isItem ? .listItem : .paragraph, group[start..<index], level: isItem ? 1 : 0)
            start = index
            isItem = startsItem
        }
        try add(isItem ? .listItem : .paragraph, group[start...], level: isItem ? 1 : 0)
    }

    /// Returns `true` if a line ends early although the next word would have stood on it.
    private func endsParagraph(_ line: TextLine, _ next: TextLine) -> Bool {
        guard layout.hasRoom(line, for: next, spare: max(4, layout.width / 6)), !startsSmall(next) else { return false }
        return endsSentence(line) || layout.hasRoom(line, for: next, spare: layout.width / 3)
    }

    /// Makes each line a paragraph.
    private mutating func readLines(_ group: ArraySlice<TextLine>) throws(DocumentError) {
        for index in group.indices {
            let line = group[index]
            if group.count > 1, Int(line.width) <= HeadingPattern.longest,
                let pattern = HeadingPattern.match(text(line)[...]), pattern.suffices
            {
                try add(pattern, group[index...index], title: title(line), standsAlone: false)
            } else {
                let isItem = isBullet(line)
                try add(isItem ? .listItem : .paragraph, group[index...index], level: isItem ? 1 : 0)
            }
        }
    }

    /// Returns `true` for short lines that are not broken where the width demands it and do not end as sentences do.
    private func isVerse(_ group: ArraySlice<TextLine>) -> Bool {
        guard group.count >= 2, group.count <= 400 else { return false }
        var ragged = 0
        var stops = 0
        var capitals = 0
        let least = group.lazy.map(\.indent).min() ?? 0
        for index in group.indices {
            let line = group[index]
            guard line.width <= 72, !isBullet(line), !isField(line) else { return false }
            if !startsSmall(line) { capitals += 1 }
            guard index + 1 < group.endIndex else { break }
            if layout.hasRoom(line, for: group[index + 1], spare: layout.isWrapped ? 6 : 0) { ragged += 1 }
            if endsSentence(line) { stops += 1 }
        }
        let breaks = group.count - 1
        if layout.isWrapped {
            return ragged * 4 >= breaks * 3 && stops * 2 <= breaks && (capitals * 5 >= group.count * 3 || least >= 4)
        }
        return group.count >= 3 && stops * 2 <= breaks && capitals * 5 >= group.count * 4
            && group.allSatisfy { $0.width >= 8 && $0.width <= 60 }
    }

    /// Returns `true` for the entries of a table of contents.
    private func isContents(_ group: ArraySlice<TextLine>) -> Bool {
        guard group.count <= 400, group.allSatisfy({ Int($0.width) <= 100 }) else { return false }
        if isInContents, group.count > 1 {
            let open = group.dropLast().count { !endsSentence($0) }
            return open * 2 >= group.count - 1
        }
        guard group.count > 2, isEntry(group[group.startIndex]) else { return false }
        var others = 0
        for line in group where others * 5 <= group.count * 2 && !isEntry(line) { others += 1 }
        return others * 5 <= group.count * 2
    }

    private func isEntry(_ line: TextLine) -> Bool {
        guard Int(line.width) <= HeadingPattern.longest else { return false }
        if case .numbered = HeadingPattern.match(text(line)[...]) { return true }
        return false
    }
}

/// The evidence of the ends of a line.
extension PlainTextBlocks {
    /// Returns `true` if a line ends with a stop, within quotes or not.
    func endsSentence(_ line: TextLine) -> Bool {
        var end = Int(line.end)
        let start = max(Int(line.start), end - 16)
        while end > start {
            let scalar = last(before: end, from: start)
            guard let scalar else { return false }
            if "\"')]}_*\u{2019}\u{201D}\u{BB}\u{201C}\u{AB}\u{300D}\u{300F}".unicodeScalars.contains(scalar) {
                end -= UTF8.width(scalar)
                continue
            }
            return ".!?:;\u{2026}\u{3002}\u{FF01}\u{FF1F}\u{61F}\u{6D4}\u{964}\u{37E}\u{2014}".unicodeScalars.contains(
                scalar)
        }
        return false
    }

    /// Returns `true` if a line begins with a small letter, so that it goes on with a sentence.
    func startsSmall(_ line: TextLine) -> Bool {
        let text = String(
            decoding: source.bytes[Int(line.start)..<min(Int(line.end), Int(line.start) + 8)], as: UTF8.self)
        return text.unicodeScalars.first?.properties.isLowercase == true
    }

    /// Returns `true` for `- item`, `* item`, `• item`, `1. item` and `(a) item`.
    func isBullet(_ line: TextLine) -> Bool {
        switch source.bytes[Int(line.start)] {
        case 0x28...0x2D, 0x30...0x39, 0xC2, 0xE2: break
        default: return false
        }
        let head = source.bytes[Int(line.start)..<min(Int(line.end), Int(line.start) + 8)]
        let text = String(decoding: head, as: UTF8.self)
        guard let space = text.firstIndex(where: \.isWhitespace) else { return false }
        let mark = text[..<space]
        if ["-", "*", "+", "\u{2022}", "\u{2023}", "\u{25E6}", "\u{25AA}", "\u{B7}"].contains(mark) { return true }
        let number = mark.drop(while: { $0 == "(" }).prefix { $0.isNumber || $0.isLetter && mark.hasPrefix("(") }
        let end = mark.drop(while: { $0 == "(" }).dropFirst(number.count)
        return !number.isEmpty && number.count <= 3 && (end == "." || end == ")")
            && (end == ")" || !mark.hasPrefix("("))
    }

    /// Returns `true` for `Name: value`.
    private func isField(_ line: TextLine) -> Bool {
        let head = source.bytes[Int(line.start)..<min(Int(line.end), Int(line.start) + 20)]
        guard let colon = head.firstIndex(of: 0x3A), colon + 1 < head.endIndex else { return false }
        return head[colon + 1] == 0x20 && !head[..<colon].contains(0x20)
    }

    func isBracketed(_ line: TextLine, _ word: String) -> Bool {
        source.bytes[line.range].starts(with: word.utf8)
    }

    private func last(before end: Int, from start: Int) -> Unicode.Scalar? {
        var index = end - 1
        while index > start, source.bytes[index] & 0xC0 == 0x80 { index -= 1 }
        return String(decoding: source.bytes[index..<end], as: UTF8.self).unicodeScalars.first
    }
}
