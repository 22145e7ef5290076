// SPDX-License-Identifier: Apache-2.0

/// A line of a text, by offsets in it.
struct TextLine {
    /// The visible part: without white space at either end.
    var start: UInt32
    var end: UInt32
    /// The offset of the next line.
    var next: UInt32
    /// The number of characters of white space before the visible part; a tab counts for 8.
    var indent: UInt32
    /// The number of characters of the visible part.
    var width: UInt32
    /// The number of characters up to the first place where the visible part could be wrapped.
    var firstWord: UInt32
    /// A form feed ends the line.
    var endsPage: Bool

    var isBlank: Bool { start == end }
    var range: Range<Int> { Int(start)..<Int(end) }
}

/// The lines of a text, which end with a line feed, a carriage return, both, a form feed, or Unicode's separators.
struct TextLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position: Int
    private let limit: Int

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        limit = Swift.min(range.upperBound, bytes.count)
    }

    mutating func next() -> TextLine? {
        guard position < limit else { return nil }
        var line = LineScan(start: position)
        var index = position
        scan: while index < limit {
            let byte = bytes[index]
            if byte > 0x20, byte < 0x80 {
                line.visible(1, at: index)
                index += 1
                continue
            }
            switch byte {
            case 0x0A, 0x0B:
                index += 1
                break scan
            case 0x0C:
                index += 1
                line.endsPage = true
                break scan
            case 0x0D:
                index += index + 1 < limit && bytes[index + 1] == 0x0A ? 2 : 1
                break scan
            case 0...0x20:
                line.space(byte == 0x09 ? 8 : 1, at: index)
                index += 1
            default:
                let space = UnicodeSpace(bytes, at: index)
                switch space.kind {
                case .separator:
                    index += space.length
                    break scan
                case .space: line.space(1, at: index)
                case .wide: line.wide(space.length, at: index)
                case .none: line.visible(space.length, at: index)
                }
                index += space.length
            }
        }
        index = Swift.min(index, limit)
        position = index
        return line.line(next: index)
    }
}

/// The measures of a line while it is scanned.
private struct LineScan {
    var endsPage = false
    private var start: Int
    private var end: Int
    private var indent = 0
    private var width = 0
    private var pending = 0
    private var firstWord: Int?

    init(start: Int) {
        self.start = start
        end = start
    }

    mutating func visible(_ length: Int, at index: Int) {
        if width == 0 { start = index }
        width += pending + 1
        pending = 0
        end = index + length
    }

    /// Adds a character that may be followed by a line break.
    mutating func wide(_ length: Int, at index: Int) {
        visible(length, at: index)
        if firstWord == nil { firstWord = width }
    }

    mutating func space(_ columns: Int, at index: Int) {
        if width == 0 {
            indent += columns
        } else {
            pending += 1
            if firstWord == nil { firstWord = width }
        }
    }

    func line(next: Int) -> TextLine {
        TextLine(
            start: UInt32(clamping: start), end: UInt32(clamping: width == 0 ? start : end),
            next: UInt32(clamping: next), indent: UInt32(clamping: indent), width: UInt32(clamping: width),
            firstWord: UInt32(clamping: firstWord ?? width), endsPage: endsPage)
    }
}

/// The role of a character beyond ASCII in the layout of a text.
struct UnicodeSpace {
    enum Kind { case none, space, separator, wide }

    var kind: Kind
    /// The number of bytes of the character, as far as they are there.
    var length: Int

    init(_ bytes: [UInt8], at index: Int) {
        let lead = bytes[index]
        let second = index + 1 < bytes.count ? bytes[index + 1] : 0
        let third = index + 2 < bytes.count ? bytes[index + 2] : 0
        length = min(lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1, bytes.count - index)
        kind =
            switch (lead, second, third) {
            case (0xC2, 0x85, _), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9): .separator
            case (0xC2, 0xA0, _), (0xE2, 0x80, 0x80...0x8B), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F): .space
            case (0xE1, 0x9A, 0x80), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF): .space
            case (0xE3...0xE9, _, _), (0xEF, 0xBC...0xBD, _): .wide
            default: .none
            }
    }
}
