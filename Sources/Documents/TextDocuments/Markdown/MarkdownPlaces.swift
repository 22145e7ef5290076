// SPDX-License-Identifier: Apache-2.0

/// Finds the bytes of a Markdown source from which parsed text comes.
///
/// The parser tells line and column of each piece, the latter not always rightly: what is not there is searched for behind the
/// piece before, and what is not found has no exact place.
struct MarkdownPlaces {
    /// A stretch of parsed text and its source; `isExact` if both are the same bytes.
    struct Piece: Equatable {
        var text: Range<Int>
        var source: Range<Int>
        var isExact: Bool
    }

    private let bytes: [UInt8]
    private let lines: [UInt32]
    private var cursor = 0
    private var limit = 0
    private var failures = 0

    /// The greatest distance at which a piece is searched, in bytes.
    private static let reach = 2048
    /// The number of failures in a block after which its pieces are not searched any more.
    private static let patience = 32

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        var lines = [UInt32(clamping: start)]
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index += 1 }
            if byte == 0x0A || byte == 0x0D { lines.append(UInt32(clamping: index)) }
        }
        lines.append(UInt32(clamping: bytes.count))
        self.lines = lines
    }

    /// Returns the bytes of a line, counted from 1, with its end.
    func line(_ number: Int) -> Range<Int>? {
        guard number >= 1, number < lines.count else { return nil }
        return Int(lines[number - 1])..<Int(lines[number])
    }

    /// Begins a block of text that stands in some lines.
    mutating func open(from first: Int, to last: Int) {
        let start = line(first)?.lowerBound ?? cursor
        cursor = start
        limit = max(start, line(max(first, last))?.upperBound ?? bytes.count)
        failures = 0
    }

    /// Returns the pieces of a parsed text that begins about a line and a column, both counted from 1.
    mutating func pieces(of text: [UInt8], line number: Int, column: Int) -> [Piece] {
        guard !text.isEmpty else { return [] }
        let line = line(number) ?? cursor..<limit
        let hint = line.lowerBound + max(0, min(column - 1, bytes.count - line.lowerBound))
        if hint >= cursor, let found = match(text, at: hint) { return take(found) }
        var place = max(cursor, min(line.lowerBound, limit))
        let end = min(limit, place + Self.reach)
        if failures < Self.patience {
            while place < end {
                if let found = match(text, at: place) { return take(found) }
                place += 1
            }
            failures += 1
        }
        let start = min(max(cursor, hint), limit)
        return [Piece(text: 0..<text.count, source: start..<min(limit, start + text.count), isExact: false)]
    }

    private mutating func take(_ pieces: [Piece]) -> [Piece] {
        cursor = pieces.last?.source.upperBound ?? cursor
        return pieces
    }

    /// Compares a text with the source, in which a backslash may stand before a sign, and an entity for a character.
    private func match(_ text: [UInt8], at place: Int) -> [Piece]? {
        var pieces: [Piece] = []
        var run = (text: 0, source: place)
        var index = 0
        var position = place
        func flush(_ pieces: inout [Piece]) {
            guard index > run.text else { return }
            pieces.append(Piece(text: run.text..<index, source: run.source..<position, isExact: true))
        }
        while index < text.count {
            guard position < limit else { return nil }
            let byte = bytes[position]
            if byte == 0x26, let entity = entity(at: position, for: text, index) {
                flush(&pieces)
                pieces.append(Piece(text: index..<index + entity.text, source: position..<entity.end, isExact: false))
                index += entity.text
                position = entity.end
                run = (index, position)
            } else if byte == text[index] {
                index += 1
                position += 1
            } else if byte == 0x5C || byte == 0 {
                flush(&pieces)
                position += 1
                if byte == 0 {
                    // The parser replaces a zero by U+FFFD.
                    guard text[index...].starts(with: UTF8Repair.replacement) else { return nil }
                    pieces.append(Piece(text: index..<index + 3, source: position - 1..<position, isExact: false))
                    index += 3
                }
                run = (index, position)
            } else {
                return nil
            }
        }
        flush(&pieces)
        return pieces
    }

    /// Returns the end of an entity, and how much text it stands for.
    private func entity(at place: Int, for text: [UInt8], _ index: Int) -> (end: Int, text: Int)? {
        let name = bytes[place..<min(limit, place + 40)]
        guard let stop = name.firstIndex(of: 0x3B), stop > place + 1 else { return nil }
        let source = bytes[place...stop]
        guard
            source.dropFirst().dropLast().allSatisfy({
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x23
            }), !text[index...].starts(with: source)
        else { return nil }
        let end = stop + 1
        for length in 1...8 where index + length <= text.count {
            let rest = text[(index + length)...]
            guard rest.isEmpty || rest.first.map({ $0 & 0xC0 != 0x80 }) == true else { continue }
            // What stands behind it tells its length, as far as it has no entity or escape itself.
            let source = bytes[end..<min(limit, end + 3)].prefix { $0 != 0x26 && $0 != 0x5C }
            let count = min(source.count, rest.count)
            if source.prefix(count).elementsEqual(rest.prefix(count)) { return (end, length) }
        }
        return nil
    }
}
