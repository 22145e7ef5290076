// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The way in which the author of a text laid out its lines.
struct LineLayout {
    /// The lines of a paragraph are broken where the next word would exceed the width.
    var isWrapped = false
    /// The width at which lines are broken, in characters.
    var width = 0
    /// A paragraph begins with an indented line.
    var indentsFirstLines = false

    /// The lines longer than this are no lines of a wrapped text.
    static let widest = 132

    /// The bytes between two questions whether to go on.
    static let stride = 1 << 18

    init() {}

    /// The bytes of a text whose lines are measured: more than any book has.
    private static let measured = 8 << 20

    /// Measures the lines.
    init(_ bytes: [UInt8], in range: Range<Int>, limits: ReadingLimits) throws(DocumentError) {
        let range = range.lowerBound..<min(range.upperBound, range.lowerBound + Self.measured)
        width = try Self.width(bytes, range, limits)
        guard width <= Self.widest else { return }
        var breaks = 0
        var full = 0
        var indented = 0
        var hanging = 0
        var before: TextLine?
        var beforeThat: TextLine?
        var count = 0
        for line in TextLines(bytes, in: range) {
            count += Int(line.next - line.start) + 1
            if count >= Self.stride {
                count = 0
                try limits.check()
            }
            guard !line.isBlank else {
                (beforeThat, before) = (nil, nil)
                continue
            }
            if let before {
                breaks += 1
                if !hasRoom(before, for: line) { full += 1 }
                if before.indent >= line.indent + 2, before.indent < line.indent + 17 {
                    if let beforeThat, beforeThat.indent >= before.indent { hanging += 1 } else { indented += 1 }
                }
            }
            (beforeThat, before) = (before, line)
        }
        isWrapped = breaks >= 3 && full * 2 > breaks
        // Half of the breaks of verse are behind a long line by chance; those of prose nearly all are.
        indentsFirstLines = isWrapped && indented > 2 && indented * 12 > breaks && indented > 2 * hanging
    }

    /// Returns `true` if the first word of the next line would have stood on a line.
    func hasRoom(_ line: TextLine, for next: TextLine, spare: Int = 0) -> Bool {
        Int(line.indent) + Int(line.width) + 1 + Int(next.firstWord) + spare <= width
    }

    /// Returns the width that 97 % of the lines keep to.
    private static func width(
        _ bytes: [UInt8], _ range: Range<Int>, _ limits: ReadingLimits
    ) throws(DocumentError) -> Int {
        var counts = [Int](repeating: 0, count: widest + 2)
        var total = 0
        var count = 0
        for line in TextLines(bytes, in: range) where !line.isBlank {
            counts[min(Int(line.indent) + Int(line.width), widest + 1)] += 1
            total += 1
            count += Int(line.next - line.start) + 1
            if count >= stride {
                count = 0
                try limits.check()
            }
        }
        var sum = 0
        for (width, count) in counts.enumerated() {
            sum += count
            if sum * 100 >= total * 97 { return width }
        }
        return widest + 1
    }
}
