// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The elements and texts of a document in document order.
///
/// The nodes within an element follow it, up to its `end`. So a walk needs no recursion, and a part of the tree is a
/// range.
struct MarkupTree: Sendable {
    struct Node: Sendable {
        /// The index of the element around it; -1 for the first.
        var parent: Int
        /// The index behind the last node within it.
        var end: Int
        /// An index into the names; -1 for a text.
        var name: Int
        /// The attributes of an element.
        var attributes: Range<Int>
        /// The decoded text, in `characters`.
        var text: Range<Int>
        /// The stretch of the source's bytes in which a text stands.
        var source: Range<Int>
        var isText: Bool { name < 0 }
    }

    struct Attribute: Sendable {
        var name: String
        var value: String
    }

    let source: MarkupSource
    private(set) var nodes: [Node] = []
    private(set) var names: [String] = []
    private(set) var attributes: [Attribute] = []
    private(set) var characters: [UInt8] = []

    private var open: [Int] = []
    private var nameIndexes: [String: Int] = [:]

    init(source: MarkupSource) { self.source = source }

    // MARK: Building

    mutating func begin(_ name: String, attributes new: [Attribute]) {
        let index = nameIndexes[name] ?? names.count
        if index == names.count {
            names.append(name)
            nameIndexes[name] = index
        }
        let first = attributes.count
        attributes += new
        nodes.append(
            Node(
                parent: open.last ?? -1, end: nodes.count + 1, name: index, attributes: first..<attributes.count,
                text: 0..<0, source: 0..<0))
        open.append(nodes.count - 1)
    }

    mutating func end() {
        guard let element = open.popLast() else { return }
        nodes[element].end = nodes.count
    }

    mutating func text(_ bytes: some Collection<UInt8>, source: Range<Int>) {
        let start = characters.count
        characters += bytes
        nodes.append(
            Node(
                parent: open.last ?? -1, end: nodes.count + 1, name: -1, attributes: 0..<0,
                text: start..<characters.count, source: source))
    }

    mutating func finish() {
        while !open.isEmpty { end() }
    }

    // MARK: Asking

    var range: Range<Int> { 0..<nodes.count }

    func name(_ index: Int) -> String { nodes[index].name < 0 ? "" : names[nodes[index].name] }
    func isElement(_ index: Int) -> Bool { nodes[index].name >= 0 }

    /// The value of an attribute.
    func attribute(_ name: String, of index: Int) -> String? {
        for attribute in attributes[nodes[index].attributes] where attribute.name == name { return attribute.value }
        return nil
    }

    /// The first element of a name within a range.
    func first(_ name: String, in range: Range<Int>) -> Int? {
        guard let wanted = nameIndexes[name] else { return nil }
        return range.first { nodes[$0].name == wanted }
    }

    func all(_ name: String, in range: Range<Int>) -> [Int] {
        guard let wanted = nameIndexes[name] else { return [] }
        return range.filter { nodes[$0].name == wanted }
    }

    /// The nodes within an element, and itself.
    func subtree(_ index: Int) -> Range<Int> { index..<nodes[index].end }
    func inside(_ index: Int) -> Range<Int> { index + 1..<nodes[index].end }

    func children(_ index: Int) -> [Int] {
        var result: [Int] = []
        var child = index + 1
        while child < nodes[index].end {
            result.append(child)
            child = nodes[child].end
        }
        return result
    }

    func elements(_ name: String, of index: Int) -> [Int] { children(index).filter { self.name($0) == name } }

    /// The element and those around it, innermost first.
    func path(_ index: Int) -> [Int] {
        var result: [Int] = []
        var each = index
        while each >= 0 {
            result.append(each)
            each = nodes[each].parent
        }
        return result
    }

    /// All text within an element, in one line of at most `limit` bytes.
    func plainText(_ range: Range<Int>, limit: Int = 4096) -> String {
        var bytes: [UInt8] = []
        for index in range where nodes[index].isText {
            bytes += characters[nodes[index].text].prefix(limit)
            if bytes.count >= limit { break }
        }
        return OneLine.make(String(decoding: bytes.prefix(limit), as: UTF8.self))
    }

    /// The bytes of text within an element; the limit if there are more, or very many nodes.
    func textSize(_ index: Int, limit: Int) -> Int {
        guard nodes[index].end - index <= limit else { return limit }
        var size = 0
        for node in inside(index) where size < limit { size += nodes[node].text.count }
        return min(size, limit)
    }

    func plainText(_ index: Int, limit: Int = 4096) -> String { plainText(subtree(index), limit: limit) }
}

/// White space as one space, none at the ends, and no control characters.
enum OneLine {
    static func make(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var gap = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                gap = true
            } else if scalar.value >= 0x20, !(0x7F...0x9F).contains(scalar.value), scalar.value != 0xAD,
                scalar.value != 0xFEFF
            {
                if gap, !result.isEmpty { result.append(" ") }
                gap = false
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The line, or `nil` if there is none.
    static func some(_ text: String?) -> String? {
        guard let text else { return nil }
        let line = make(text)
        return line.isEmpty ? nil : line
    }
}
