// SPDX-License-Identifier: Apache-2.0

/// Divides markup into tags and what stands between them.
struct MarkupScanner: Sequence, IteratorProtocol {
    struct Token {
        enum Kind {
            case text, comment, instruction, doctype, cdata
            /// `words` is at least the number of attributes.
            case start(name: Range<Int>, words: Int, isClosed: Bool)
            case end(name: Range<Int>)
        }
        var kind: Kind
        var range: Range<Int>
    }

    private let bytes: [UInt8]
    private let isXML: Bool
    private var place = 0
    /// The element whose text is not markup, up to its end tag.
    private var rawEnd: [UInt8]?
    /// The marks that are nowhere in the rest, so that many beginnings do not each look for their end up to that of the file.
    private var missing: Set<String> = []

    /// - Parameter isXML: No element has text that is not markup.
    init(_ bytes: [UInt8], isXML: Bool) {
        self.bytes = bytes
        self.isXML = isXML
    }

    mutating func next() -> Token? {
        let start = place
        guard start < bytes.count else { return nil }
        if let rawEnd {
            self.rawEnd = nil
            place = end(ofRaw: rawEnd, from: start)
            if place > start { return Token(kind: .text, range: start..<place) }
        }
        guard bytes[start] == UInt8(ascii: "<"), let kind = tag(at: start) else {
            place = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
            return Token(kind: .text, range: start..<place)
        }
        return Token(kind: kind, range: start..<place)
    }

    /// Reads what begins with `<`, or returns `nil` if it is no markup.
    private mutating func tag(at start: Int) -> Token.Kind? {
        let rest = bytes[start...]
        if rest.starts(with: "<!--".utf8) {
            // HTML ends `<!-->` at once.
            place = skip(to: "-->", from: Swift.min(bytes.count, start + (isXML ? 4 : 2)))
            return .comment
        }
        if rest.starts(with: "<![CDATA[".utf8) {
            place = skip(to: "]]>", from: start + 9)
            return .cdata
        }
        if rest.starts(with: "<?".utf8) {
            place = skip(to: isXML ? "?>" : ">", from: start + 2)
            return .instruction
        }
        if rest.starts(with: "<!".utf8) {
            place = endOfDoctype(from: start + 2)
            return .doctype
        }
        let isEnd = rest.starts(with: "</".utf8)
        var index = start + (isEnd ? 2 : 1)
        let name = index
        guard index < bytes.count, Self.begins(bytes[index]) else { return nil }
        while index < bytes.count, bytes[index] > 0x20, bytes[index] != UInt8(ascii: ">"),
            bytes[index] != UInt8(ascii: "/")
        {
            index += 1
        }
        let names = name..<index
        var quote: UInt8?
        var isValue = false
        var words = 0
        while index < bytes.count {
            let byte = bytes[index]
            if quote == nil, byte > 0x20,
                bytes[index - 1] <= 0x20 || bytes[index - 1] == UInt8(ascii: "/") || isQuote(bytes[index - 1])
            {
                words += 1
            }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                break
            } else if isValue, isQuote(byte) {
                quote = byte
                isValue = false
            } else if byte == UInt8(ascii: "=") {
                isValue = true
            } else if byte > 0x20 {
                isValue = false
            }
            index += 1
        }
        guard index < bytes.count else {
            place = bytes.count
            return .comment
        }
        place = index + 1
        if isEnd { return .end(name: names) }
        let isClosed = bytes[index - 1] == UInt8(ascii: "/")
        if !isXML, !isClosed {
            let lowered = bytes[names].map(Self.lower)
            if Self.raw.contains(where: { lowered.elementsEqual($0.utf8) }) { rawEnd = lowered }
        }
        return .start(name: names, words: words, isClosed: isClosed)
    }

    private func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    private static let raw = ["script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"]

    private static func begins(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private mutating func skip(to mark: String, from start: Int) -> Int {
        if !missing.contains(mark) {
            let mark = Array(mark.utf8)
            var index = start
            while index + mark.count <= bytes.count {
                guard let next = bytes[index...].firstIndex(of: mark[0]) else { break }
                if bytes[next...].starts(with: mark) { return next + mark.count }
                index = next + 1
            }
            missing.insert(String(decoding: mark, as: UTF8.self))
        }
        // In XML the rest of a damaged file is worth more than the mark.
        guard isXML, let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return bytes.count }
        return end + 1
    }

    /// A document type may declare entities, between brackets.
    private mutating func endOfDoctype(from start: Int) -> Int {
        let key = "<!"
        // If one has no end, another that has is none of a sound file.
        var (index, isInside) = (missing.contains(key) ? bytes.count : start, false)
        var quote: UInt8?
        while index < bytes.count {
            let byte = bytes[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                isInside = true
            } else if byte == UInt8(ascii: "]") {
                isInside = false
            } else if byte == UInt8(ascii: ">"), !isInside {
                return index + 1
            }
            index += 1
        }
        missing.insert(key)
        // A quote without its end is an apostrophe.
        return (bytes[start...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count - 1) + 1
    }

    private func end(ofRaw name: [UInt8], from start: Int) -> Int {
        var index = start
        while let next = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            let tail = bytes[next...].dropFirst(2).prefix(name.count)
            if bytes[next...].dropFirst().first == UInt8(ascii: "/"), tail.lazy.map(Self.lower).elementsEqual(name) {
                return next
            }
            index = next + 1
        }
        return bytes.count
    }
}
