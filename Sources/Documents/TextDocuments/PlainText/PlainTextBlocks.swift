// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The blocks of a plain text, and the lines that may be headings.
struct PlainTextBlocks {
    /// A block that may be a heading.
    struct Candidate {
        var block: Int
        var pattern: HeadingPattern
        var title: String
        /// It has blank lines on both sides, or its pattern suffices.
        var standsAlone: Bool
    }

    let source: SourceText
    let layout: LineLayout
    let frame: GutenbergFrame
    let limits: ReadingLimits
    private(set) var candidates: [Candidate] = []
    var blocks: [TextBlock] = []
    /// The group that is read belongs to a table of contents.
    var isInContents = false

    /// A group of more lines is taken in parts, so that a file without blank lines takes no more memory.
    private static let longestGroup = 20_000

    init(_ source: SourceText, layout: LineLayout, frame: GutenbergFrame, limits: ReadingLimits) {
        self.source = source
        self.layout = layout
        self.frame = frame
        self.limits = limits
    }

    mutating func read(_ range: Range<Int>) throws(DocumentError) {
        var group: [TextLine] = []
        var count = 0
        for line in TextLines(source.bytes, in: range) {
            count += Int(line.next - line.start) + 16
            if count >= LineLayout.stride {
                count = 0
                try limits.check()
            }
            if !line.isBlank {
                // The lines that frame a book belong to neither side.
                if let last = group.last, isMark(between: last, and: line) { try flush(&group) }
                group.append(line)
            }
            if line.isBlank || line.endsPage || group.count >= Self.longestGroup { try flush(&group) }
        }
        try flush(&group)
    }

    /// Adds a block of whole lines.
    mutating func add(
        _ kind: TextBlock.Kind, _ lines: ArraySlice<TextLine>, level: Int = 0, matter: TextBlock.Matter? = nil
    ) throws(DocumentError) {
        guard let first = lines.first, let last = lines.last else { return }
        guard blocks.count < limits.blocks else {
            throw DocumentError(.tooLarge, "the text has more than \(limits.blocks) paragraphs; split it")
        }
        let range = Int(first.start)..<Int(last.end)
        var block = TextBlock(kind, range, level: level, matter: matter ?? self.matter(at: range.lowerBound))
        source.map.append(range, at: range.lowerBound, to: &block.origins)
        blocks.append(block)
    }

    /// Adds a block that may be a heading.
    mutating func add(
        _ pattern: HeadingPattern, _ lines: ArraySlice<TextLine>, title: String, standsAlone: Bool
    ) throws(DocumentError) {
        try add(.paragraph, lines)
        candidates.append(
            Candidate(block: blocks.count - 1, pattern: pattern, title: title, standsAlone: standsAlone))
    }

    /// Makes the last candidate's title longer.
    mutating func extendTitle(by title: String, separator: String? = nil) {
        guard let last = candidates.indices.last else { return }
        let ends = candidates[last].title.last.map { ".:-\u{2014}".contains($0) } == true
        candidates[last].title += (separator ?? (ends ? " " : ": ")) + title
    }

    func text(_ line: TextLine) -> String { String(decoding: source.bytes[line.range], as: UTF8.self) }

    private func matter(at place: Int) -> TextBlock.Matter {
        if place < frame.body.lowerBound { return .front }
        return place >= frame.body.upperBound ? .back : .body
    }

    private func isMark(between line: TextLine, and next: TextLine) -> Bool {
        [frame.body.lowerBound, frame.body.upperBound].contains { Int(line.start) < $0 && $0 <= Int(next.start) }
    }

    private mutating func flush(_ group: inout [TextLine]) throws(DocumentError) {
        guard !group.isEmpty else { return }
        defer { group.removeAll(keepingCapacity: true) }
        // Ornaments and underlines stand for themselves wherever they are.
        var start = 0
        for index in group.indices where group[index].width <= 120 && isSign(group[index]) {
            let text = text(group[index])
            guard OrnamentLine.matches(text) else { continue }
            if index == start + 1, let level = OrnamentLine.underline(text),
                Int(group[start].width) <= HeadingPattern.longest
            {
                try add(.heading, group[start...start], level: level)
            } else {
                try read(group[start..<index], isAlone: start == 0)
            }
            try add(.sceneBreak, group[index...index])
            start = index + 1
        }
        try read(group[start...], isAlone: start == 0)
    }

    /// Returns `true` if a line begins with no ASCII letter or digit, as an ornament does.
    private func isSign(_ line: TextLine) -> Bool {
        let byte = source.bytes[Int(line.start)]
        return !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte) && !(0x61...0x7A).contains(byte)
    }
}
