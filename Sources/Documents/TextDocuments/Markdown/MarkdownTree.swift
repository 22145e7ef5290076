// SPDX-License-Identifier: Apache-2.0

internal import CCmark
internal import ReadingText

/// The parsed form of a Markdown text, with GitHub's extensions.
struct MarkdownTree: ~Copyable {
    let root: MarkdownNode

    /// The greatest text, in bytes: its tree takes many times as much.
    static let longest = 8 << 20
    /// A table with more columns costs the parser the square of their number; it is read as text.
    private static let mostColumns = 2000
    private static let extensions = ["table", "strikethrough", "autolink", "tagfilter", "tasklist"]

    /// Parses the source from the byte `start` on.
    init(_ source: SourceText, from start: Int, limits: ReadingLimits) throws(DocumentError) {
        guard source.bytes.count - start <= Self.longest else {
            throw DocumentError(
                .tooLarge,
                "the Markdown has \(source.bytes.count - start) bytes, more than the \(Self.longest) that are read; split it"
            )
        }
        let isWide = try Self.hasWideLine(source.bytes, from: start, limits: limits)
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(CMARK_OPT_FOOTNOTES) else { throw Self.memory }
        defer { cmark_parser_free(parser) }
        for name in Self.extensions where name != "table" || !isWide {
            if let found = cmark_find_syntax_extension(name) { _ = cmark_parser_attach_syntax_extension(parser, found) }
        }
        var position = start
        while position < source.bytes.count {
            try limits.check()
            let end = min(position + (64 << 10), source.bytes.count)
            source.bytes[position..<end].withUnsafeBytes {
                cmark_parser_feed(parser, $0.bindMemory(to: CChar.self).baseAddress, $0.count)
            }
            position = end
        }
        try limits.check()
        guard let root = cmark_parser_finish(parser) else { throw Self.memory }
        self.root = MarkdownNode(pointer: root)
    }

    deinit { cmark_node_free(root.pointer) }

    private static var memory: DocumentError {
        DocumentError(.tooLarge, "the Markdown takes more memory than there is; split it")
    }

    /// Refuses quotes and lists that one line opens within one another, as each costs the parser time on every line.
    ///
    /// Returns `true` if a line has too many columns of a table.
    private static func hasWideLine(
        _ bytes: [UInt8], from start: Int, limits: ReadingLimits
    ) throws(DocumentError) -> Bool {
        var count = 0
        var isWide = false
        for line in TextLines(bytes, in: start..<bytes.count) {
            count += 1
            if count % 10_000 == 0 { try limits.check() }
            if line.width > mostColumns, bytes[line.range].count(where: { $0 == 0x7C }) > mostColumns { isWide = true }
            var depth = 0
            scan: for byte in bytes[line.range] {
                switch byte {
                case 0x3E, 0x2A, 0x2B, 0x2D: depth += 1
                case 0x20, 0x09, 0x29, 0x2E, 0x30...0x39: break
                default: break scan
                }
            }
            // A line of dashes alone is a break or an underline.
            guard depth > limits.depth, !OrnamentLine.isUniform(bytes[line.range]) else { continue }
            throw DocumentError(
                .tooLarge, "the Markdown has more than \(limits.depth) quotes or lists within one another")
        }
        return isWide
    }
}
