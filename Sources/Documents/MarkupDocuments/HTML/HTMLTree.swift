// SPDX-License-Identifier: Apache-2.0

internal import CGumbo
internal import Glibc
internal import ReadingText

/// Makes a tree of HTML, however faulty, as a browser does.
enum HTMLTree {
    /// No page and no chapter is longer, in bytes.
    static let limit = 64 << 20
    /// The most that the tree of a page may take, in bytes: an ordinary page takes 20 for each of its own.
    private static let memoryLimit = 1 << 30
    /// The longest value of an attribute; longer ones are pictures.
    private static let valueLimit = 16_384

    /// Parses a file.
    ///
    /// XHTML comes here as well. It gives the same tree, each text has its place, and a broken chapter is read as a
    /// sound one is.
    static func parse(
        _ source: MarkupSource, isXHTML: Bool, limits: ReadingLimits
    ) throws(DocumentError) -> MarkupTree {
        let source = try MarkupPreparation.prepare(source, as: isXHTML ? .xhtml : .html, limits: limits)
        guard source.bytes.count <= limit else {
            throw DocumentError(.tooLarge, "the page is longer than \(limit >> 20) MB; split it")
        }
        var tree = MarkupTree(source: source)
        let result = source.bytes.withUnsafeBytes { bytes -> cgumbo_result in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return CGUMBO_OK }
            var page: OpaquePointer?
            let question = Question(limits.isInterrupted)
            let memory = min(memoryLimit, (64 << 20) + 128 * bytes.count)
            let result = cgumbo_parse(
                base, bytes.count, memory,
                { context in
                    guard let context else { return false }
                    return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().ask()
                }, Unmanaged.passUnretained(question).toOpaque(), &page)
            defer { cgumbo_free(page) }
            if let page, let document = cgumbo_document(page) {
                build(&tree, document, UnsafeRawPointer(base), bytes.count)
            }
            return result
        }
        switch result {
        case CGUMBO_MEMORY:
            throw DocumentError(
                .tooLarge, "the page is too tangled: its elements take too much memory; save it anew from a browser")
        case CGUMBO_STOPPED:
            throw DocumentError(.interrupted, "the reading of the page was interrupted")
        default:
            tree.finish()
            return tree
        }
    }

    private final class Question {
        let ask: @Sendable () -> Bool
        init(_ ask: @escaping @Sendable () -> Bool) { self.ask = ask }
    }

    private static func build(
        _ tree: inout MarkupTree, _ document: UnsafePointer<GumboNode>, _ base: UnsafeRawPointer, _ count: Int
    ) {
        struct Level {
            var children: GumboVector
            var next: UInt32
        }
        var levels = [Level(children: document.pointee.v.document.children, next: 0)]
        while let last = levels.indices.last {
            let level = levels[last]
            guard level.next < level.children.length else {
                levels.removeLast()
                tree.end()
                continue
            }
            levels[last].next += 1
            guard let node = level.children.data?[Int(level.next)]?.assumingMemoryBound(to: GumboNode.self) else {
                continue
            }
            switch node.pointee.type {
            case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
                let element = node.pointee.v.element
                tree.begin(name(element), attributes: attributes(element.attributes))
                levels.append(Level(children: element.children, next: 0))
            case GUMBO_NODE_TEXT, GUMBO_NODE_CDATA, GUMBO_NODE_WHITESPACE:
                let text = node.pointee.v.text
                guard let characters = text.text else { continue }
                var start = 0
                var length = 0
                if let data = text.original_text.data {
                    start = UnsafeRawPointer(data) - base
                    length = text.original_text.length
                }
                if start < 0 || start + length > count { (start, length) = (0, 0) }
                let bytes = UnsafeRawBufferPointer(start: characters, count: Int(strlen(characters)))
                tree.text(bytes, source: start..<start + length)
            default: continue
            }
        }
    }

    private static func name(_ element: GumboElement) -> String {
        if element.tag != GUMBO_TAG_UNKNOWN { return String(cString: gumbo_normalized_tagname(element.tag)) }
        var piece = element.original_tag
        gumbo_tag_from_original_text(&piece)
        guard let data = piece.data else { return "unknown" }
        let bytes = UnsafeRawBufferPointer(start: data, count: piece.length).prefix(64)
        return String(decoding: bytes.map(MarkupScanner.lower), as: UTF8.self)
    }

    private static func attributes(_ vector: GumboVector) -> [MarkupTree.Attribute] {
        guard vector.length > 0 else { return [] }
        var result: [MarkupTree.Attribute] = []
        for index in 0..<Int(vector.length) {
            guard let each = vector.data?[index]?.assumingMemoryBound(to: GumboAttribute.self),
                let name = each.pointee.name, let value = each.pointee.value
            else { continue }
            let length = each.pointee.original_value.length
            let isForeign = each.pointee.attr_namespace == GUMBO_ATTR_NAMESPACE_XML
            let isLink = each.pointee.attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK
            let prefix = isForeign ? "xml:" : isLink ? "xlink:" : ""
            result.append(
                MarkupTree.Attribute(
                    name: prefix + String(cString: name), value: length > valueLimit ? "" : String(cString: value)))
        }
        return result
    }
}
