// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The characters that mean something to LaTeX.
extension LaTeXBlocks {
    private static let special: Set<UInt8> = Set("\\{}%$&~`'-\"#\n".utf8)

    /// Reads the next piece of the text.
    mutating func token() throws(DocumentError) {
        let start = scan.position
        switch scan.byte {
        case 0x5C: try command()
        case 0x7B: scan.position += 1
        case 0x7D:
            scan.position += 1
            // The arguments of an unknown command are words apart.
            if formula == 0, scan.byte == 0x7B { assembly.space() }
        case 0x25: comment()
        case 0x0A: try newline()
        case 0x24: try dollar()
        case 0x26:
            scan.position += 1
            if kind == .table, formula == 0, assembly.hasText {
                assembly.join()
                try assembly.decoded(",".utf8, from: nil, of: source)
            }
            assembly.space()
        case 0x7E:
            scan.position += 1
            assembly.space()
        case 0x60, 0x27: try quote()
        case 0x2D: try dash()
        case 0x22: try shorthand()
        case 0x23:
            scan.position += 1
            if (0x30...0x39).contains(scan.byte) {
                scan.position += 1
            } else {
                try assembly.words(start..<scan.position, of: source)
            }
        default:
            var index = start
            while index < scan.end, !Self.special.contains(scan.bytes[index]) { index += 1 }
            scan.position = index
            try assembly.words(start..<index, of: source)
        }
    }

    /// Puts a character in the place of `length` bytes.
    mutating func replace(_ length: Int, by text: String) throws(DocumentError) {
        let start = scan.position
        scan.position += length
        try assembly.decoded(Array(text.utf8), from: start..<scan.position, of: source)
    }

    /// A comment takes the end of its line and the indent of the next with it.
    private mutating func comment() {
        let end = scan.bytes[scan.position..<scan.end].firstIndex(of: 0x0A) ?? scan.end
        scan.position = min(end + 1, scan.end)
        while scan.byte == 0x20 || scan.byte == 0x09 { scan.position += 1 }
    }

    private mutating func newline() throws(DocumentError) {
        var lines = 0
        while !scan.isAtEnd, scan.byte <= 0x20 {
            if scan.byte == 0x0A { lines += 1 }
            scan.position += 1
        }
        if lines > 1 { try paragraph() } else { assembly.space() }
    }

    private mutating func quote() throws(DocumentError) {
        let isOpen = scan.byte == 0x60
        if formula > 0 { return try replace(1, by: isOpen ? "`" : "\u{2032}") }
        if scan.starts(with: isOpen ? "``" : "''") {
            try replace(2, by: isOpen ? "\u{201C}" : "\u{201D}")
        } else {
            try replace(1, by: isOpen ? "\u{2018}" : "\u{2019}")
        }
    }

    private mutating func dash() throws(DocumentError) {
        if formula == 0, scan.starts(with: "---") { return try replace(3, by: "\u{2014}") }
        if formula == 0, scan.starts(with: "--") { return try replace(2, by: "\u{2013}") }
        scan.position += 1
        try assembly.words(scan.position - 1..<scan.position, of: source)
    }

    /// Reads what German writes with a quote: umlauts and quotes.
    private mutating func shorthand() throws(DocumentError) {
        let german = [
            "a": "ä", "o": "ö", "u": "ü", "A": "Ä", "O": "Ö", "U": "Ü", "s": "ß", "z": "ß", "`": "„", "'": "“",
            "<": "«",
            ">": "»", "-": "", "=": "-", "~": "-", "|": "",
        ]
        if language?.hasPrefix("de") == true, scan.position + 1 < scan.end {
            let next = String(decoding: scan.bytes[scan.position + 1...scan.position + 1], as: UTF8.self)
            if let text = german[next] { return try replace(2, by: text) }
        }
        scan.position += 1
        try assembly.words(scan.position - 1..<scan.position, of: source)
    }

    /// Reads `$…$` and `$$…$$`.
    private mutating func dollar() throws(DocumentError) {
        if scan.starts(with: "$$") {
            let start = scan.position + 2
            scan.position = start
            guard let end = find("$$", within: 20_000) else { return }
            scan.position = end + 2
            return try display(start..<end)
        }
        scan.position += 1
        let start = scan.position
        let limit = min(scan.end, start + 2000)
        var index = start
        while index < limit, scan.bytes[index] != 0x24 {
            if scan.bytes[index] == 0x0A, index + 1 < limit, scan.bytes[index + 1] == 0x0A { return }
            index += scan.bytes[index] == 0x5C ? 2 : 1
        }
        guard index < limit else { return }
        scan.position = index + 1
        try formula(start..<index)
    }

    /// Returns where a text is next, if it is near.
    mutating func find(_ text: String, within reach: Int) -> Int? {
        let end = min(scan.end, scan.position + reach)
        let known = absent[text].flatMap { $0.contains(scan.position) ? $0 : nil }
        let start = known?.upperBound ?? scan.position
        if start < end, let found = LaTeXScanner.find(text, in: scan.bytes, from: start, to: end) { return found }
        let last = max(start, end - text.utf8.count + 1)
        absent[text] = (known?.lowerBound ?? scan.position)..<last
        return nil
    }

    /// Reads a formula within a line.
    mutating func formula(_ range: Range<Int>) throws(DocumentError) {
        formula += 1
        try readInline(range)
        formula -= 1
    }

    /// Reads a formula that stands by itself.
    mutating func display(_ range: Range<Int>) throws(DocumentError) {
        guard inline == 0, kind != .table else {
            assembly.space()
            try formula(range)
            return assembly.space()
        }
        try close()
        try formula(range)
        try assembly.close(isNote ? .note : .formula)
    }
}
