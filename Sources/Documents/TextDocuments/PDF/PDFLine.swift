// SPDX-License-Identifier: Apache-2.0

/// Words that stand in one line of a page.
struct PDFLine {
    var page: Int
    /// Indices of the words of the page.
    var words: Range<Int>
    var left, top, right, bottom: Double
    /// The size of most of its letters.
    var size: Double
    var isBold: Bool
    /// The column, counted through the document.
    var column = 0
    /// A note at the foot of the page.
    var isNote = false

    /// Returns the lines of a page in order.
    static func lines(of page: PDFPage, number: Int) -> [PDFLine] {
        var lines: [PDFLine] = []
        var start = 0
        for index in page.words.indices {
            if index > start, !continues(page.words[index - 1], page.words[index]) {
                lines.append(PDFLine(page, number, start..<index))
                start = index
            }
        }
        if start < page.words.count { lines.append(PDFLine(page, number, start..<page.words.count)) }
        return lines
    }

    private init(_ page: PDFPage, _ number: Int, _ words: Range<Int>) {
        self.page = number
        self.words = words
        let all = page.words[words]
        left = all.lazy.map(\.left).min() ?? 0
        right = all.lazy.map(\.right).max() ?? 0
        var longest = all.startIndex
        for index in all.indices where all[index].range.count > all[longest].range.count { longest = index }
        // Raised and lowered words would make the line taller.
        top = all[longest].top
        bottom = all[longest].bottom
        size = all[longest].size
        isBold = all.allSatisfy(\.isBold)
    }

    /// Returns `true` if a word stands in the line of the one before.
    private static func continues(_ word: PDFWord, _ next: PDFWord) -> Bool {
        let overlap = min(word.bottom, next.bottom) - max(word.top, next.top)
        let height = min(word.bottom - word.top, next.bottom - next.top)
        let size = max(word.size, next.size)
        return overlap > height * 0.4 && next.left > word.left - size / 2 && next.left - word.right < 4 * size
    }

    /// Returns the line's text, words divided as they are shown.
    func text(_ page: PDFPage) -> String {
        var bytes: [UInt8] = []
        for index in words {
            bytes += page.text[page.words[index].range]
            if page.words[index].hasSpaceBehind { bytes.append(0x20) }
        }
        return String(String(decoding: bytes, as: UTF8.self).trimming(\.isWhitespace))
    }
}

/// The measures of the lines of one column of a page.
struct PDFColumn {
    var left: Double
    var right: Double

    var width: Double { right - left }
}

/// The measures of a document.
struct PDFMeasures {
    /// The size of most letters.
    var bodySize = 0.0
    /// The usual distance of lines, in sizes.
    var pitch = 1.2
    /// The columns by their numbers.
    var columns: [PDFColumn] = []

    init(_ lines: inout [PDFLine], _ pages: [PDFPage]) {
        var letters: [Int: Int] = [:]
        var column = -1
        for index in lines.indices {
            let line = lines[index]
            letters[Int(line.size * 2 + 0.5), default: 0] += Self.letters(line, pages)
            let isBelow =
                index > 0 && lines[index - 1].page == line.page
                && line.top > lines[index - 1].top - (lines[index - 1].bottom - lines[index - 1].top) / 2
            if !isBelow {
                column += 1
                columns.append(PDFColumn(left: line.left, right: line.right))
            }
            lines[index].column = column
            columns[column].left = min(columns[column].left, line.left)
            columns[column].right = max(columns[column].right, line.right)
        }
        bodySize = Double(letters.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0) / 2
        var distances: [Int: Int] = [:]
        for (line, next) in zip(lines, lines.dropFirst()) where line.column == next.column {
            let distance = (next.top - line.top) / max(line.size, 1)
            guard isBody(line), isBody(next), distance > 0.8, distance < 3 else { continue }
            distances[Int(distance * 20 + 0.5), default: 0] += 1
        }
        if let usual = distances.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }) {
            pitch = Double(usual.key) / 20
        }
        markNotes(&lines, pages)
    }

    func isBody(_ line: PDFLine) -> Bool { abs(line.size - bodySize) <= bodySize * 0.06 + 0.25 }

    /// Marks the smaller lines below the text of a column.
    private func markNotes(_ lines: inout [PDFLine], _ pages: [PDFPage]) {
        var end = lines.count
        while end > 0 {
            let column = lines[end - 1].column
            var start = end
            while start > 0, lines[start - 1].column == column { start -= 1 }
            var first = end
            while first > start, lines[first - 1].size < bodySize * 0.93,
                lines[first - 1].top > pages[lines[first - 1].page].height * 0.4
            {
                first -= 1
            }
            if first > start, lines[start..<first].contains(where: isBody) {
                for index in first..<end { lines[index].isNote = true }
            }
            end = start
        }
    }

    private static func letters(_ line: PDFLine, _ pages: [PDFPage]) -> Int {
        line.words.reduce(0) { $0 + pages[line.page].words[$1].range.count }
    }
}
