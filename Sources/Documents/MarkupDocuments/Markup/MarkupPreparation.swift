// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2
internal import ReadingText

/// Makes a file ready for a parser, so that no parser sees what could harm it.
///
/// A document type goes, and with it every entity that a file declares. Tags beyond the depth become white space: a
/// parser's work may grow with the square of the depth, and the text stays.
struct MarkupPreparation {
    enum Kind { case html, xhtml, xml }

    private let kind: Kind
    private let limits: ReadingLimits
    private var source: MarkupSource
    private var output: [UInt8] = []
    private var map = OffsetMap()
    private var depth = 0
    private var steps = 0

    static func prepare(
        _ source: MarkupSource, as kind: Kind, limits: ReadingLimits
    ) throws(DocumentError) -> MarkupSource {
        var preparation = MarkupPreparation(source, kind, limits)
        try preparation.run()
        return preparation.source
    }

    private init(_ source: MarkupSource, _ kind: Kind, _ limits: ReadingLimits) {
        self.source = source
        self.kind = kind
        self.limits = limits
    }

    private mutating func run() throws(DocumentError) {
        let bytes = source.bytes
        output.reserveCapacity(bytes.count + bytes.count / 16)
        for token in MarkupScanner(bytes, isXML: kind != .html) {
            steps += 1
            if steps & 0xFFF == 0, limits.isInterrupted() {
                throw DocumentError(.interrupted, "the reading of the document was interrupted")
            }
            switch token.kind {
            case .doctype: drop(token.range)
            case .comment: if kind == .xml { drop(token.range) } else { copy(token.range, of: bytes) }
            case .instruction: drop(token.range)
            case .text:
                if kind == .xml {
                    references(token.range, isText: true, of: bytes)
                } else {
                    copy(token.range, of: bytes)
                }
            case .cdata: characters(token.range, of: bytes)
            case .start(let name, let words, let isClosed):
                start(token.range, name, isClosed, hasTooMany: words > Self.attributeLimit, of: bytes)
            case .end(let name): end(token.range, name, of: bytes)
            }
        }
        source.change(to: output, map)
    }

    private mutating func copy(_ range: Range<Int>, of bytes: [UInt8]) {
        output += bytes[range]
        map.copied(range.count)
    }

    private mutating func drop(_ range: Range<Int>) { map.replaced(output: 0, input: range.count) }

    private mutating func blank(_ range: Range<Int>) {
        output += repeatElement(0x20, count: range.count)
        map.replaced(output: range.count, input: range.count)
    }

    private mutating func insert(_ text: some Collection<UInt8>, for range: Range<Int>) {
        output += text
        map.replaced(output: text.count, input: range.count)
    }

    private mutating func start(
        _ range: Range<Int>, _ name: Range<Int>, _ isClosed: Bool, hasTooMany: Bool, of bytes: [UInt8]
    ) {
        if hasTooMany {
            // Parsers compare each attribute with all others.
            if counts(name, bytes), !isClosed { depth += 1 }
            if depth > limits.depth { return blank(range) }
            let end =
                isClosed && kind == .xml
                ? "/>" : isClosed ? "></" + String(decoding: bytes[name], as: UTF8.self) + ">" : ">"
            copy(range.lowerBound..<name.upperBound, of: bytes)
            return insert(end.utf8, for: name.upperBound..<range.upperBound)
        }
        let isVoid = kind != .xml && Self.voids.contains(Self.key(name, bytes))
        guard counts(name, bytes), !isClosed || kind == .html else {
            if isVoid || !isClosed || kind == .xml { return tag(range, of: bytes) }
            return closedTag(range, name, of: bytes)
        }
        depth += 1
        if depth > limits.depth { blank(range) } else { tag(range, of: bytes) }
    }

    /// HTML knows no `<a/>`: the element would go on to the end of the file.
    private mutating func closedTag(_ range: Range<Int>, _ name: Range<Int>, of bytes: [UInt8]) {
        guard depth < limits.depth else { return blank(range) }
        let slash = range.upperBound - 2
        copy(range.lowerBound..<slash, of: bytes)
        insert(
            [UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "/")] + bytes[name] + [UInt8(ascii: ">")],
            for: slash..<range.upperBound)
    }

    private mutating func end(_ range: Range<Int>, _ name: Range<Int>, of bytes: [UInt8]) {
        guard counts(name, bytes) else { return copy(range, of: bytes) }
        if depth > limits.depth { blank(range) } else { copy(range, of: bytes) }
        depth = max(0, depth - 1)
    }

    private mutating func tag(_ range: Range<Int>, of bytes: [UInt8]) {
        if kind == .xml { references(range, isText: false, of: bytes) } else { copy(range, of: bytes) }
    }

    /// Returns `true` if an element is one within which others are.
    ///
    /// In HTML many elements end by themselves, and files leave their ends out.
    private func counts(_ name: Range<Int>, _ bytes: [UInt8]) -> Bool {
        switch kind {
        case .xml: true
        case .xhtml: !Self.voids.contains(Self.key(name, bytes))
        case .html: !Self.unpaired.contains(Self.key(name, bytes))
        }
    }

    /// The name of an element as a number, in lower case; 0 for a name of more than eight bytes, as none below has.
    private static func key(_ name: Range<Int>, _ bytes: [UInt8]) -> UInt64 {
        guard name.count <= 8 else { return 0 }
        var key: UInt64 = 0
        for index in name { key = key << 8 | UInt64(MarkupScanner.lower(bytes[index])) }
        return key
    }

    private static func keys(_ names: [String]) -> Set<UInt64> {
        Set(names.map { key(0..<$0.utf8.count, Array($0.utf8)) })
    }

    private static let attributeLimit = 512
    private static let voids = keys([
        "br", "img", "hr", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr", "param",
        "keygen", "frame", "basefont", "bgsound",
    ])
    /// These, and those whose ends files leave out.
    private static let unpaired = voids.union(
        keys([
            "p", "li", "td", "tr", "th", "a", "dt", "dd", "option", "optgroup", "tbody", "thead", "tfoot", "colgroup",
            "rt",
            "rp",
            "html", "head", "body",
        ]))

    /// Text that is not markup becomes text in which nothing is.
    private mutating func characters(_ range: Range<Int>, of bytes: [UInt8]) {
        let isComplete = range.count >= 12 && bytes[range].suffix(3).elementsEqual("]]>".utf8)
        let inside = min(range.lowerBound + 9, range.upperBound)..<range.upperBound - (isComplete ? 3 : 0)
        drop(range.lowerBound..<inside.lowerBound)
        var start = inside.lowerBound
        for index in inside {
            guard let text = Self.escapes[bytes[index]] else { continue }
            copy(start..<index, of: bytes)
            insert(text.utf8, for: index..<index + 1)
            start = index + 1
        }
        copy(start..<inside.upperBound, of: bytes)
        drop(inside.upperBound..<range.upperBound)
    }

    private static let escapes: [UInt8: String] = [
        UInt8(ascii: "<"): "&lt;", UInt8(ascii: "&"): "&amp;", UInt8(ascii: ">"): "&gt;",
    ]

    /// Gives XML the characters that HTML has names for, and mends an ampersand that begins no reference.
    private mutating func references(_ range: Range<Int>, isText: Bool, of bytes: [UInt8]) {
        var start = range.lowerBound
        var index = start
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<"), isText {
                copy(start..<index, of: bytes)
                insert("&lt;".utf8, for: index..<index + 1)
                start = index + 1
            } else if byte == UInt8(ascii: "&") {
                let end =
                    bytes[(index + 1)..<range.upperBound].prefix(34).firstIndex { !Self.isNamed($0) }
                    ?? range.upperBound
                let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
                let ends = end < range.upperBound && bytes[end] == UInt8(ascii: ";")
                if !ends || name.isEmpty {
                    copy(start..<index, of: bytes)
                    insert("&amp;".utf8, for: index..<index + 1)
                    start = index + 1
                } else if !name.hasPrefix("#"), !["amp", "lt", "gt", "quot", "apos"].contains(name) {
                    copy(start..<index, of: bytes)
                    let found = Unicode.Scalar(cxml_named_character(name)).flatMap { $0.value == 0 ? nil : $0 }
                    insert((found.map { String($0) } ?? "&amp;\(name);").utf8, for: index..<end + 1)
                    start = end + 1
                    index = end
                }
            }
            index += 1
        }
        copy(start..<range.upperBound, of: bytes)
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "#")
    }
}
