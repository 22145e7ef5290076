// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The blocks that the lines of a PDF make.
struct PDFParagraphs {
    private(set) var assembly: TextAssembly

    private let pages: [PDFPage]
    private let lines: [PDFLine]
    private let measures: PDFMeasures
    private var headings: PDFHeadings
    private let compounds: Set<String>
    /// The pages of a table of contents.
    private let contents: Set<Int>
    /// Headings in the order of the text.
    private var found: [(block: Int, style: PDFHeadings.Style, entry: PDFEntry?)] = []
    /// Notes that wait for the end of the paragraph that goes on on the next page.
    private var notes: [Range<Int>] = []

    init(_ file: PDFFile, limits: ReadingLimits) {
        pages = file.pages
        var lines: [PDFLine] = []
        for (number, page) in file.pages.enumerated() { lines += PDFLine.lines(of: page, number: number) }
        PDFRunningLines.drop(&lines, file.pages)
        measures = PDFMeasures(&lines, file.pages)
        self.lines = lines
        headings = PDFHeadings(file.outline, measures)
        compounds = PDFText.compounds(lines, file.pages)
        contents = PDFText.contents(lines, file.pages)
        assembly = TextAssembly(limits: limits)
    }

    mutating func read() throws(DocumentError) {
        var open: [Int] = []
        var index = 0
        while index < lines.count {
            try assembly.step(64)
            if lines[index].isNote {
                let start = index
                while index < lines.count, lines[index].isNote, lines[index].column == lines[start].column {
                    index += 1
                }
                notes.append(start..<index)
                continue
            }
            if let last = open.last, isBreak(last, index, open) {
                try flush(open)
                open = []
            }
            open.append(index)
            index += 1
        }
        try flush(open)
        try sayNotes()
        number()
    }

    /// Returns `true` if a line begins a block.
    private func isBreak(_ last: Int, _ next: Int, _ open: [Int]) -> Bool {
        let (line, other) = (lines[last], lines[next])
        let style = headings.style(of: line)
        if style != headings.style(of: other) { return true }
        if abs(line.size - other.size) > max(line.size, other.size) * 0.12 + 0.25 { return true }
        let text = line.text(pages[line.page])
        let begin = other.text(pages[other.page])
        if PDFText.isLeader(text) || PDFText.isLeader(begin) || PDFText.isBullet(begin) { return true }
        if PDFText.isCaption(begin), line.column != other.column || PDFText.endsSentence(text) { return true }
        let column = measures.columns[line.column]
        let newColumn = measures.columns[other.column]
        let isIndented = other.left > newColumn.left + 0.7 * other.size
        let endsSentence = PDFText.endsSentence(text)
        guard line.column == other.column else {
            if style != nil { return true }
            return endsSentence
                || (isIndented && begin.first?.isUppercase == true && line.right < column.right - column.width * 0.15)
        }
        let distance = other.top - line.top
        if style != nil { return distance > max(line.size, other.size) * 1.9 }
        if distance > measures.pitch * max(line.size, 1) * 1.4 { return true }
        let isItem = open.first.map { PDFText.isBullet(lines[$0].text(pages[lines[$0].page])) } ?? false
        let wasIndented = line.left > column.left + 0.7 * line.size
        if isIndented, !wasIndented, !isItem { return true }
        return endsSentence && line.right < column.right - column.width * 0.15
    }

    /// Ends a block of some lines.
    private mutating func flush(_ open: [Int]) throws(DocumentError) {
        guard let first = open.first else { return }
        let begin = lines[first].text(pages[lines[first].page])
        let style = headings.style(of: lines[first])
        for (place, index) in open.enumerated() {
            try append(index, next: place + 1 < open.count ? open[place + 1] : nil)
        }
        if contents.contains(lines[first].page) {
            try assembly.close(.listItem, level: 1, matter: .front)
            return try sayNotes()
        }
        let text = String(decoding: assembly.open, as: UTF8.self)
        let isShort = open.count <= PDFHeadings.mostLines && text.utf8.count <= PDFHeadings.longest
        let entry = isShort ? headings.take(text) : nil
        let hasLetters = text.unicodeScalars.contains { $0.properties.isAlphabetic }
        if !PDFText.isLeader(begin),
            entry != nil || (style.map { isHeading(text, $0) } == true && isShort && hasLetters)
        {
            if let block = try assembly.close(.heading, level: 1) {
                found.append((block, style ?? PDFHeadings.Style(size: 0), entry))
            }
        } else if PDFText.isLeader(begin) {
            try assembly.close(.listItem, level: 1, matter: .front)
        } else if PDFText.isBullet(begin) {
            try assembly.close(.listItem, level: 1)
        } else if OrnamentLine.matches(text) {
            try assembly.close(.sceneBreak)
        } else {
            try assembly.close(PDFText.isCaption(begin) ? .caption : .paragraph)
        }
        try sayNotes()
    }

    private func isHeading(_ text: String, _ style: PDFHeadings.Style) -> Bool {
        if style.size > 0 { return true }
        return text.utf8.count <= 100 && !PDFText.endsSentence(text) && text.last != ","
    }

    private mutating func sayNotes() throws(DocumentError) {
        for range in notes {
            for index in range {
                let isNew = index > range.lowerBound && PDFText.isNoteMark(lines[index].text(pages[lines[index].page]))
                if isNew { try assembly.close(.note) }
                try append(index, next: index + 1 < range.upperBound ? index + 1 : nil)
            }
            try assembly.close(.note)
        }
        notes = []
    }

    /// Appends the words of a line; a hyphen that divides its last word is dropped.
    private mutating func append(_ index: Int, next: Int?) throws(DocumentError) {
        let line = lines[index]
        let page = pages[line.page]
        for place in line.words {
            let word = page.words[place]
            let isLast = place + 1 == line.words.upperBound
            let following = next.map {
                pages[lines[$0].page].text[pages[lines[$0].page].words[lines[$0].words.lowerBound].range]
            }
            let dropped = isLast ? PDFText.hyphen(page.text[word.range], following, compounds) : 0
            try append(word.range.lowerBound..<word.range.upperBound - dropped, of: page, number: line.page)
            if isLast {
                let isWide = following.map { PDFText.isWide(page.text[word.range], $0) } ?? false
                if dropped == 0, !isWide, !PDFText.endsWithHyphen(page.text[word.range], following) { assembly.space() }
            } else if word.hasSpaceBehind {
                assembly.space()
            }
        }
    }

    /// Appends a word, its ligatures in letters.
    private mutating func append(_ range: Range<Int>, of page: PDFPage, number: Int) throws(DocumentError) {
        var start = range.lowerBound
        var index = start
        while index + 2 < range.upperBound {
            guard page.text[index] == 0xEF, page.text[index + 1] == 0xAC,
                let letters = PDFText.ligature(page.text[index + 2])
            else {
                index += 1
                continue
            }
            try assembly.exact(page.text[start..<index], member: number, source: start)
            try assembly.decoded(letters.utf8, member: number, source: index..<index + 3)
            index += 3
            start = index
        }
        try assembly.exact(page.text[start..<range.upperBound], member: number, source: start)
    }

    /// Gives headings their levels, and makes sections of them.
    private mutating func number() {
        let styles = Set(found.lazy.map(\.style)).sorted()
        let levels = Dictionary(uniqueKeysWithValues: styles.enumerated().map { ($1, min($0 + 1, 6)) })
        let isOutlineKnown = headings.isOutlineKnown
        for heading in found {
            let level = heading.entry?.level ?? levels[heading.style] ?? 1
            assembly.setLevel(level, of: heading.block)
            if isOutlineKnown, heading.entry == nil { continue }
            assembly.section(heading.block, level: level, title: heading.entry?.title)
        }
    }
}
