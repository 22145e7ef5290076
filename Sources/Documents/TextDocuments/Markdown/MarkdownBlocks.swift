// SPDX-License-Identifier: Apache-2.0

internal import CCmark
internal import ReadingText

/// The blocks of a parsed Markdown text.
struct MarkdownBlocks {
    private(set) var assembly: TextAssembly

    private let source: SourceText
    private var places: MarkdownPlaces
    private var lists = 0
    private var quotes = 0
    private var isNote = false
    private var isTable = false
    /// A cell of the row has words.
    private var isRowStarted = false
    /// The notes by their number, from 0; `nil` where one was said.
    private var notes: [MarkdownNode?] = []
    /// The numbers of notes to say behind the block.
    private var pending: [Int] = []
    private var depth = 0

    init(_ source: SourceText, from start: Int, limits: ReadingLimits) {
        self.source = source
        assembly = TextAssembly(limits: limits)
        places = MarkdownPlaces(source.bytes, from: start)
    }

    /// Reads a whole tree.
    mutating func read(_ tree: borrowing MarkdownTree) throws(DocumentError) {
        var child = tree.root.firstChild
        while let node = child {
            if node.type == CMARK_NODE_FOOTNOTE_DEFINITION { notes.append(node) }
            child = node.next
        }
        try walk(tree.root)
        // Notes to which only what is not read refers.
        pending = Array(notes.indices)
        try sayNotes()
    }

    private mutating func walk(_ root: MarkdownNode) throws(DocumentError) {
        guard let iterator = cmark_iter_new(root.pointer) else {
            throw DocumentError(.tooLarge, "the Markdown takes more memory than there is; split it")
        }
        defer { cmark_iter_free(iterator) }
        while true {
            try assembly.step()
            switch cmark_iter_next(iterator) {
            case CMARK_EVENT_ENTER:
                guard let node = cmark_iter_get_node(iterator).map({ MarkdownNode(pointer: $0) }) else { return }
                if node != root, node.type == CMARK_NODE_FOOTNOTE_DEFINITION {
                    cmark_iter_reset(iterator, node.pointer, CMARK_EVENT_EXIT)
                } else {
                    try enter(node)
                }
            case CMARK_EVENT_EXIT:
                guard let node = cmark_iter_get_node(iterator).map({ MarkdownNode(pointer: $0) }) else { return }
                try leave(node)
            default: return
            }
        }
    }

    private mutating func enter(_ node: MarkdownNode) throws(DocumentError) {
        switch node.type {
        case CMARK_NODE_BLOCK_QUOTE:
            try deepen()
            quotes += 1
        case CMARK_NODE_LIST:
            try deepen()
            lists += 1
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING:
            places.open(from: node.startLine, to: node.endLine)
        case CMARK_NODE_CODE_BLOCK: try code(node)
        case CMARK_NODE_THEMATIC_BREAK: try assembly.sceneBreak()
        case CMARK_NODE_TEXT, CMARK_NODE_CODE: try append(node)
        case CMARK_NODE_SOFTBREAK: assembly.space()
        case CMARK_NODE_LINEBREAK: assembly.line()
        case CMARK_NODE_HTML_INLINE: if node.literal.starts(with: "<br".utf8) { assembly.line() }
        case CMARK_NODE_FOOTNOTE_REFERENCE:
            if let number = Int(String(decoding: node.literal, as: UTF8.self)), notes.indices.contains(number - 1) {
                pending.append(number - 1)
            }
        default: try enterTable(node)
        }
    }

    private mutating func leave(_ node: MarkdownNode) throws(DocumentError) {
        switch node.type {
        case CMARK_NODE_BLOCK_QUOTE: (quotes, depth) = (quotes - 1, depth - 1)
        case CMARK_NODE_LIST: (lists, depth) = (lists - 1, depth - 1)
        case CMARK_NODE_PARAGRAPH:
            try close(isPicture(node) ? .caption : .paragraph)
        case CMARK_NODE_HEADING:
            let level = Int(cmark_node_get_heading_level(node.pointer))
            if lists > 0 || quotes > 0 || isNote {
                try close(.paragraph)
            } else if let block = try assembly.close(.heading, level: level) {
                assembly.section(block, level: level)
                try sayNotes()
            }
        default:
            guard isTable, node.typeName == "table" else { return }
            isTable = false
            try close(.table)
        }
    }

    /// Rows are lines, and cells stand behind commas; empty ones say nothing.
    private mutating func enterTable(_ node: MarkdownNode) throws(DocumentError) {
        switch node.typeName {
        case "table": isTable = true
        case "table_header", "table_row":
            assembly.line()
            isRowStarted = false
        case "table_cell":
            places.open(from: node.startLine, to: node.endLine)
            guard node.firstChild != nil else { return }
            if isRowStarted {
                try assembly.decoded(",".utf8, from: nil, of: source)
                assembly.space()
            }
            isRowStarted = true
        default: break
        }
    }

    private mutating func deepen() throws(DocumentError) {
        depth += 1
        guard depth <= assembly.limits.depth else {
            throw DocumentError(
                .tooLarge, "the Markdown has more than \(assembly.limits.depth) quotes or lists within one another")
        }
    }

    private mutating func append(_ node: MarkdownNode) throws(DocumentError) {
        let text = node.literal
        for piece in places.pieces(of: text, line: node.startLine, column: node.startColumn) {
            if piece.isExact {
                try assembly.words(piece.source, of: source)
            } else {
                try assembly.decoded(text[piece.text], from: piece.source, of: source)
            }
        }
    }

    /// Appends a block of code line by line.
    private mutating func code(_ node: MarkdownNode) throws(DocumentError) {
        var number = node.startLine
        if node.isFenced { number += 1 }
        let info = cmark_node_get_fence_info(node.pointer).map { String(cString: $0) } ?? ""
        for line in node.literal.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if let place = places.line(number) {
                let end = place.upperBound - source.bytes[place].reversed().prefix { $0 == 0x0A || $0 == 0x0D }.count
                let start = end - line.count
                let isExact = start >= place.lowerBound && source.bytes[start..<end].elementsEqual(line)
                try assembly.decoded(line, from: isExact ? start..<end : place.lowerBound..<end, of: source)
            } else {
                try assembly.decoded(line, from: nil, of: source)
            }
            assembly.line()
            number += 1
        }
        try close(info == "math" ? .formula : .code)
    }

    private mutating func close(_ kind: TextBlock.Kind) throws(DocumentError) {
        if isTable, kind != .table { return }
        if isNote {
            try assembly.close(.note)
        } else if kind != .paragraph {
            try assembly.close(kind)
        } else if lists > 0 {
            try assembly.close(.listItem, level: lists)
        } else {
            try assembly.close(quotes > 0 ? .quote : .paragraph)
        }
        try sayNotes()
    }

    /// Says the notes to which the block refers, each once.
    private mutating func sayNotes() throws(DocumentError) {
        guard !isNote, !pending.isEmpty else { return }
        isNote = true
        let outer = (lists, quotes)
        (lists, quotes) = (0, 0)
        var next = 0
        while next < pending.count {
            if let note = notes[pending[next]] {
                notes[pending[next]] = nil
                try walk(note)
                try assembly.close(.note)
            }
            next += 1
        }
        pending = []
        (lists, quotes) = outer
        isNote = false
    }

    /// Returns `true` for a paragraph of pictures alone.
    private func isPicture(_ node: MarkdownNode) -> Bool {
        var child = node.firstChild
        guard child != nil else { return false }
        while let part = child {
            switch part.type {
            case CMARK_NODE_IMAGE, CMARK_NODE_SOFTBREAK, CMARK_NODE_LINEBREAK, CMARK_NODE_HTML_INLINE: break
            case CMARK_NODE_LINK:
                guard let only = part.firstChild, only.type == CMARK_NODE_IMAGE, only.next == nil else { return false }
            default: return false
            }
            child = part.next
        }
        return true
    }
}
