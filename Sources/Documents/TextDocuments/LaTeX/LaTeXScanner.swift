// SPDX-License-Identifier: Apache-2.0

/// A place in a LaTeX source, and the parts that stand there.
struct LaTeXScanner {
    let bytes: [UInt8]
    let braces: BraceTable
    var position: Int
    var end: Int

    /// The longest optional argument, in bytes.
    private static let longestOption = 1000

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        braces = BraceTable(bytes, from: start)
        position = start
        end = bytes.count
    }

    var isAtEnd: Bool { position >= end }
    var byte: UInt8 { position < end ? bytes[position] : 0 }

    func starts(with text: String) -> Bool { bytes[min(position, end)..<end].starts(with: text.utf8) }

    /// Reads the name of a command; the position is behind its backslash.
    ///
    /// A sign is a name by itself.
    mutating func name() -> String {
        let start = position
        while position < end, Self.isLetter(bytes[position]) || bytes[position] == 0x40 { position += 1 }
        if position == start {
            guard position < end else { return "" }
            position += 1
            // The other bytes of a character.
            while position < end, bytes[position] & 0xC0 == 0x80 { position += 1 }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Skips white space, but not a blank line.
    mutating func skipSpace() {
        var index = position
        var lines = 0
        while index < end, bytes[index] <= 0x20 {
            if bytes[index] == 0x0A { lines += 1 }
            if lines > 1 { return }
            index += 1
        }
        position = index
    }

    /// Takes an argument in braces.
    mutating func argument() -> Range<Int>? {
        let start = position
        skipSpace()
        guard byte == 0x7B, let inside = braces.inside(position), inside.upperBound < end else {
            position = start
            return nil
        }
        position = inside.upperBound + 1
        return inside
    }

    /// Takes an argument in brackets.
    mutating func option() -> Range<Int>? {
        let start = position
        skipSpace()
        guard byte == 0x5B else {
            position = start
            return nil
        }
        var index = position + 1
        let limit = min(end, index + Self.longestOption)
        while index < limit {
            switch bytes[index] {
            case 0x5D:
                let inside = position + 1..<index
                position = index + 1
                return inside
            case 0x7B: index = braces.inside(index).map { $0.upperBound + 1 } ?? index + 1
            case 0x5C: index += 2
            case 0x0A where index + 1 < limit && bytes[index + 1] == 0x0A: index = limit
            default: index += 1
            }
        }
        position = start
        return nil
    }

    mutating func skipOptions() {
        if byte == 0x2A { position += 1 }
        while option() != nil {}
    }

    /// Skips arguments of an environment whose braces are not known, as its text is no LaTeX.
    mutating func skipVerbatimArgument() {
        guard byte == 0x7B else { return }
        let line = bytes[position..<min(end, position + 200)].prefix { $0 != 0x0A }
        if let close = line.firstIndex(of: 0x7D) { position = close + 1 }
    }

    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }

    /// Returns the offset of a text, or `nil`.
    static func find(_ text: String, in bytes: [UInt8], from start: Int, to end: Int? = nil) -> Int? {
        let pattern = Array(text.utf8)
        guard let first = pattern.first else { return nil }
        var index = start
        let limit = (end ?? bytes.count) - pattern.count
        while index <= limit {
            guard let found = bytes[index...limit].firstIndex(of: first) else { return nil }
            if bytes[found...].starts(with: pattern) { return found }
            index = found + 1
        }
        return nil
    }
}
