// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The lines that may be headings.
extension PlainTextBlocks {
    /// The most lines of a heading.
    private static let longestHeading = 4

    /// Notes a group as a heading if its first line looks like one.
    ///
    /// Returns `false` if it does not.
    mutating func readHeading(_ group: ArraySlice<TextLine>, isAlone: Bool) throws(DocumentError) -> Bool {
        guard let first = group.first, Int(first.width) <= HeadingPattern.longest, mayEndHeading(group),
            let pattern = HeadingPattern.match(text(first)[...])
        else { return false }
        let second = group.startIndex + 1
        let isHeadingAlone = group.count == 1
        switch pattern {
        case .numeral:
            guard isHeadingAlone, isAlone else { return false }
        case .capitals:
            guard isAlone, group.count <= 2, group.allSatisfy({ Int($0.width) <= HeadingPattern.longest }),
                group.dropFirst().allSatisfy({ HeadingPattern.match(text($0)[...]) == .capitals })
            else { return false }
            try add(pattern, group, title: title(group), standsAlone: true)
            return true
        case .standalone(let isContents):
            if isContents { isInContents = true }
        case .numbered:
            break
        }
        try add(pattern, group[group.startIndex..<second], title: title(first), standsAlone: isAlone)
        guard second < group.endIndex else { return true }
        let rest = group[second...]
        guard rest.count < Self.longestHeading, pattern.takesTitle, isTitle(rest) else {
            try read(rest, isAlone: false)
            return true
        }
        if case .numbered(_, hasTitle: true) = pattern {
            // The title goes on in the next line: one heading.
            blocks[blocks.count - 1].range = Int(first.start)..<Int(rest[rest.endIndex - 1].end)
            blocks[blocks.count - 1].origins = []
            source.map.append(
                blocks[blocks.count - 1].range, at: Int(first.start), to: &blocks[blocks.count - 1].origins)
            extendTitle(by: title(rest), separator: " ")
        } else {
            extendTitle(by: title(rest))
            try add(.heading, rest, level: 1)
        }
        return true
    }

    /// Takes a short line behind a numbered heading for its title.
    mutating func readTitle(_ group: ArraySlice<TextLine>) throws(DocumentError) -> Bool {
        guard let last = candidates.last, last.block == blocks.count - 1, last.standsAlone, last.pattern.takesTitle,
            case .numbered(_, hasTitle: false) = last.pattern, group.count <= 2, isTitle(group)
        else { return false }
        extendTitle(by: title(group))
        try add(.heading, group, level: 1)
        return true
    }

    /// Returns a line as a title: without white space of its own and signs of emphasis.
    func title(_ line: TextLine) -> String {
        let words = text(line).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count > 2, let sign = words.first, sign == "_" || sign == "*", words.last == sign else {
            return words
        }
        return String(words.drop(while: { $0 == sign }).reversed().drop(while: { $0 == sign }).reversed())
    }

    /// Returns `false` if the first line of several is as long as the lines of a paragraph are.
    private func mayEndHeading(_ group: ArraySlice<TextLine>) -> Bool {
        guard layout.isWrapped, let first = group.first, let second = group.dropFirst().first else { return true }
        return layout.hasRoom(first, for: second, spare: 2)
    }

    private func title(_ lines: ArraySlice<TextLine>) -> String { lines.map { title($0) }.joined(separator: " ") }

    private func isTitle(_ lines: ArraySlice<TextLine>) -> Bool {
        guard let first = lines.first, let last = lines.last, !startsSmall(first),
            lines.allSatisfy({ Int($0.width) <= 60 }), !isBullet(first)
        else { return false }
        let text = text(last)
        guard let end = text.unicodeScalars.last else { return false }
        // A line of Chinese or Japanese breaks anywhere: what has a stop within is a sentence.
        if text.unicodeScalars.contains(where: { "\u{3001}\u{3002}\u{FF0C}".unicodeScalars.contains($0) }) {
            return false
        }
        if first.range == last.range, HeadingPattern.match(text[...]) == .capitals { return true }
        // A title may ask; it does not tell, nor speak.
        return !".,;:!\"\u{201D}\u{201C}\u{BB}\u{3002}\u{FF01}\u{300D}-\u{2014}".unicodeScalars.contains(end)
            && self.text(first).first.map { !"\"\u{201C}\u{AB}\u{201E}\u{300C}[(-\u{2014}".contains($0) } == true
    }
}

extension HeadingPattern {
    /// A heading by its words alone, wherever it stands.
    var suffices: Bool {
        switch self {
        case .numbered: true
        case .standalone, .capitals, .numeral: false
        }
    }

    /// A line behind it may be its title.
    var takesTitle: Bool { if case .numbered = self { true } else { false } }
}
