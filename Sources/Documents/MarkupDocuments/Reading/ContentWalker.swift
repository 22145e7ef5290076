// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// Walks through a part of a tree and puts its text together.
struct ContentWalker {
    /// The state that holds within an element.
    struct Frame {
        var end: Int
        var node: Int
        var role: ElementRole
        /// The kind of the blocks within.
        var kind: TextBlock.Kind
        var level = 0
        var lists = 0
        var sections = 0
        var matter: TextBlock.Matter
        var language: String?
        /// Blocks within are lines or words of the block around them.
        var isFlat = false
        /// And each is a line.
        var isLines = false
        var keepsLines = false
        /// The block is closed at the end.
        var closes = false
        var start: MarkupAssembly.Place?
        var isPhrase = false
    }

    var assembly: MarkupAssembly
    let vocabulary: any MarkupVocabulary
    /// The places of identified elements of the current file, and their ends.
    private(set) var anchors: [String: (start: MarkupAssembly.Place, end: Int)] = [:]
    /// The headings: block, level.
    var headings: [(block: Int, level: Int)] = []
    /// Nodes that are left out.
    var dropped: Set<Int> = []
    /// The marks of pages: what the document says of each, and where it is.
    private var pageMarks: [(label: String, place: MarkupAssembly.Place)] = []
    var notes = NoteIndex()
    /// Pictures' descriptions are read.
    var readsPictures = true
    /// A heading with nothing behind it but what is left out is left out, too.
    var dropsEmptyHeadings = false
    /// Work that stands behind the current block.
    private var pendingNotes: [NoteIndex.Target] = []
    private(set) var isInNote = false

    private(set) var tree: MarkupTree
    private(set) var frames: [Frame] = []
    private var roles: [ElementRole] = []
    var base: Frame

    init(_ assembly: MarkupAssembly, vocabulary: any MarkupVocabulary, tree: MarkupTree) {
        self.assembly = assembly
        self.vocabulary = vocabulary
        self.tree = tree
        base = Frame(end: .max, node: -1, role: .container, kind: .paragraph, matter: .body)
        roles = tree.names.map(vocabulary.role)
    }

    /// Goes on with another file.
    mutating func begin(_ tree: MarkupTree, member: Int, matter: TextBlock.Matter = .body, language: String? = nil) {
        self.tree = tree
        roles = tree.names.map(vocabulary.role)
        anchors = [:]
        dropped = []
        assembly.begin(member: member, source: tree.source)
        base = Frame(end: .max, node: -1, role: .container, kind: .paragraph, matter: matter, language: language)
    }

    var top: Frame { frames.last ?? base }

    func role(_ index: Int) -> ElementRole { roles[tree.nodes[index].name] }

    /// Reads a range of the tree.
    mutating func walk(_ range: Range<Int>) throws(DocumentError) {
        var index = range.lowerBound
        let outer = frames.count
        while index < range.upperBound {
            try assembly.step()
            while frames.count > outer, top.end <= index { try leave() }
            let node = tree.nodes[index]
            if node.isText {
                try text(node)
                index += 1
            } else if try enter(index) {
                index += 1
            } else {
                index = node.end
            }
        }
        while frames.count > outer { try leave() }
        try close()
    }

    private mutating func text(_ node: MarkupTree.Node) throws(DocumentError) {
        let bytes = tree.characters[node.text]
        // The mark in front of links back from a note.
        if isInNote, !assembly.hasText, bytes.count < 8,
            ["^", "↑"].contains(OneLine.make(String(decoding: bytes, as: UTF8.self)))
        {
            return
        }
        let source = tree.source.bytes[node.source]
        for run in TextAlignment.runs(bytes, source) {
            try assembly.append(
                bytes[run.text], from: run.source.isEmpty ? nil : run.source, keepsLines: top.keepsLines)
        }
    }

    // MARK: Blocks

    /// Ends the block and reads the notes to which it refers.
    mutating func close() throws(DocumentError) {
        let frame = top
        let kind = isInNote ? .note : frame.kind == .paragraph && isVerse ? .verse : frame.kind
        let isHeading = !isInNote && frame.kind == .heading
        if isHeading, assembly.hasText, let last = assembly.blocks.last, last.kind == .sceneBreak, last.range.isEmpty {
            assembly.blocks.removeLast()
        }
        let level = kind == .heading || kind == .listItem ? max(1, frame.level) : 0
        let block = try assembly.close(kind, level: level, matter: frame.matter, language: frame.language)
        if let block, isHeading, assembly.blocks[block].kind == .heading { headings.append((block, frame.level)) }
        guard !isInNote, !pendingNotes.isEmpty else { return }
        try readNotes()
    }

    /// Many short lines are verse.
    private var isVerse: Bool {
        let text = assembly.openText
        let lines = text.count { $0 == 0x0A } + 1
        return lines >= 4 && text.count < lines * 60
    }

    private mutating func readNotes() throws(DocumentError) {
        isInNote = true
        defer { isInNote = false }
        var frame = top
        frame.isFlat = false
        frame.keepsLines = false
        while !pendingNotes.isEmpty {
            let target = pendingNotes.removeFirst()
            guard notes.speak(target) else { continue }
            let here = (tree, roles, anchors, assembly.member, frames, dropped)
            let path = notes.path
            if let other = target.tree {
                tree = other
                notes.path = target.path
                roles = tree.names.map(vocabulary.role)
                dropped = []
                assembly.begin(member: target.member, source: tree.source)
            }
            frames = []
            let outer = base
            base = Frame(
                end: .max, node: -1, role: .note, kind: .note, matter: frame.matter,
                language: ElementHints.language(of: tree, target.node) ?? frame.language)
            let result = Result { () throws(DocumentError) in try walk(tree.inside(target.node)) }
            base = outer
            frames = here.4
            if target.tree != nil {
                (tree, roles, anchors, dropped) = (here.0, here.1, here.2, here.5)
                notes.path = path
                assembly.begin(member: here.3, source: tree.source)
            }
            try result.get()
        }
    }

    mutating func push(_ frame: Frame) { frames.append(frame) }

    /// Remembers a note to be read behind the block.
    mutating func refer(to target: NoteIndex.Target) {
        guard !isInNote, pendingNotes.count < 64 else { return }
        pendingNotes.append(target)
    }

    mutating func mark(_ id: String) {
        if anchors[id] == nil { anchors[id] = (assembly.mark(), -1) }
    }

    /// Keeps the mark of a page, whose number is not read.
    ///
    /// Pages in a note are not where the note is read.
    mutating func notePage(_ index: Int) {
        for node in tree.subtree(index).prefix(Self.mostMarkNodes) where tree.isElement(node) {
            if let id = tree.attribute("id", of: node) { mark(id) }
            if tree.name(node) == "a", let name = tree.attribute("name", of: node) { mark(name) }
        }
        guard !isInNote, tree.name(index) != "linenum", pageMarks.count < TextPage.most else { return }
        let words = [
            tree.plainText(index, limit: 64), tree.attribute("title", of: index) ?? "",
            tree.attribute("aria-label", of: index) ?? "",
        ]
        guard let label = words.lazy.compactMap(TextPage.label).first else { return }
        pageMarks.append((label, assembly.mark()))
    }

    /// The most nodes of the mark of a page that are looked at.
    private static let mostMarkNodes = 16

    /// The pages by their marks in the text.
    var markedPages: [TextPage] {
        TextPage.ordered(
            pageMarks.map { TextPage(label: $0.label, start: assembly.offset($0.place)) }, size: assembly.end)
    }

    mutating func setEnd(of id: String) { anchors[id]?.end = assembly.end }

    private mutating func leave() throws(DocumentError) {
        let frame = top
        switch frame.role {
        case .row: assembly.widen(.line)
        case .cell where frame.isFlat: assembly.widen(.comma)
        case .verseLine where frame.isFlat: assembly.widen(.line)
        default: break
        }
        if frame.closes { try close() } else if frame.isFlat, frame.role != .inline { assembly.widen(.space) }
        if frame.isPhrase { endPhrase(frame) }
        frames.removeLast()
        if frame.node >= 0, let id = tree.attribute("id", of: frame.node) { setEnd(of: id) }
    }

    /// The text since a frame's beginning, in the open block.
    func range(of frame: Frame) -> Range<Int> {
        guard assembly.hasText, let start = frame.start.map(assembly.offset) else { return 0..<0 }
        return start < assembly.end ? start..<assembly.end : 0..<0
    }
}
