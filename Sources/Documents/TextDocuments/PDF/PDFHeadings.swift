// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Which lines of a PDF are headings: by the outline, by their size, or by bold letters.
struct PDFHeadings {
    /// The rank of a heading by its letters.
    struct Style: Hashable, Comparable {
        /// Half points; bold text of the body's size is the least.
        var size: Int
        static func < (a: Style, b: Style) -> Bool { a.size > b.size }
    }

    private let measures: PDFMeasures
    private var entries: [String: [Int]] = [:]
    private let outline: [PDFEntry]
    private(set) var matches = 0

    /// A heading has no more lines, and no more bytes.
    static let mostLines = 4
    static let longest = 200

    init(_ outline: [PDFEntry], _ measures: PDFMeasures) {
        self.outline = outline
        self.measures = measures
        for (index, entry) in outline.enumerated().reversed() {
            entries[Self.key(entry.title), default: []].append(index)
        }
    }

    /// Returns the style of a line that may be a heading by its letters.
    func style(of line: PDFLine) -> Style? {
        guard !line.isNote else { return nil }
        if line.size >= measures.bodySize * 1.12 + 0.25 { return Style(size: Int(line.size * 2 + 0.5)) }
        return line.isBold && line.size >= measures.bodySize * 0.95 ? Style(size: 0) : nil
    }

    /// Takes the entry of the outline that has these words.
    mutating func take(_ title: String) -> PDFEntry? {
        for key in [Self.key(title), Self.key(Self.withoutNumber(title))] where !key.isEmpty {
            guard let index = entries[key]?.popLast() else { continue }
            matches += 1
            return outline[index]
        }
        return nil
    }

    /// Most of the outline is in the text, so that it tells what the sections are.
    var isOutlineKnown: Bool { matches >= 2 && matches * 2 >= outline.count }

    private static func key(_ title: String) -> String {
        String(
            String.UnicodeScalarView(
                title.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
    }

    /// Drops `2.1` or `IV.` in front.
    private static func withoutNumber(_ title: String) -> String {
        guard let space = title.firstIndex(where: \.isWhitespace) else { return "" }
        let number = title[..<space]
        guard number.allSatisfy({ $0.isNumber || $0 == "." }) || Numeral(number) != nil else { return "" }
        return String(title[space...])
    }
}
