// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The blocks of a LaTeX text.
///
/// One pass over the source, whose braces say nothing: a command's argument is read where the command is known to have one.
struct LaTeXBlocks {
    struct Environment {
        var name: String
        var kind: TextBlock.Kind
    }

    let source: SourceText
    var assembly: TextAssembly
    var scan: LaTeXScanner
    var environments: [Environment] = []
    var lists = 0
    /// Environments beyond the greatest depth, which are not noted.
    var ignored = 0
    /// The arguments of notes to say behind the block.
    var notes: [Range<Int>] = []
    var isNote = false
    /// Nothing ends a block: in a title, a caption, a formula.
    var inline = 0
    var formula = 0
    var title: Range<Int>?
    var author: Range<Int>?
    var language: String?
    /// The ends of environments that are not in the text; there is no use in looking for them again.
    var missing: Set<String> = []
    /// Places without a text that ends a formula, by that text, so that it is not looked for again.
    var absent: [String: Range<Int>] = [:]
    var namesFiles = false
    var isDone = false

    private var depth = 0

    init(_ source: SourceText, limits: ReadingLimits) {
        self.source = source
        assembly = TextAssembly(limits: limits)
        scan = LaTeXScanner(source.bytes, from: source.start)
        let preamble = LaTeXPreamble(scan)
        (title, author, language) = (preamble.title, preamble.author, preamble.language)
        scan.position = preamble.end
    }

    /// Reads the whole text.
    mutating func read() throws(DocumentError) {
        try read(scan.position..<scan.end)
        try close()
        assembly.numberLevels()
    }

    /// Returns an argument as plain words.
    func words(_ range: Range<Int>?) throws(DocumentError) -> String? {
        guard let range else { return nil }
        var reading = self
        reading.assembly = TextAssembly(limits: assembly.limits)
        reading.inline = 1
        reading.isDone = false
        reading.environments = []
        try reading.read(range)
        let words = String(decoding: reading.assembly.text, as: UTF8.self)
        return words.isEmpty ? nil : words
    }

    /// Reads a part of the source; below the greatest depth, its bytes as they are.
    mutating func read(_ range: Range<Int>) throws(DocumentError) {
        guard depth < min(assembly.limits.depth, 200) else { return try assembly.words(range, of: source) }
        depth += 1
        let outer = (scan.position, scan.end)
        (scan.position, scan.end) = (range.lowerBound, range.upperBound)
        while !scan.isAtEnd, !isDone {
            try assembly.step()
            try token()
        }
        (scan.position, scan.end) = outer
        depth -= 1
    }

    /// Reads a part of the source that is no block of its own.
    mutating func readInline(_ range: Range<Int>) throws(DocumentError) {
        inline += 1
        try read(range)
        inline -= 1
    }

    /// The kind of the open block.
    var kind: TextBlock.Kind {
        if isNote { return .note }
        return environments.last { $0.kind != .paragraph }?.kind ?? .paragraph
    }

    /// Ends a paragraph, unless it is the cell of a table.
    mutating func paragraph() throws(DocumentError) {
        if inline > 0 || kind == .table { return assembly.space() }
        try close()
    }

    /// Ends the open block.
    mutating func close() throws(DocumentError) {
        guard inline == 0 else { return assembly.space() }
        var kind = kind
        if kind == .paragraph, assembly.open.count <= 60,
            OrnamentLine.matches(String(decoding: assembly.open, as: UTF8.self))
        {
            kind = .sceneBreak
        }
        let isBack = environments.contains { $0.name == "thebibliography" }
        try assembly.close(kind, level: kind == .listItem ? max(lists, 1) : 0, matter: isBack ? .back : .body)
        try sayNotes()
    }

    /// Says the notes of the block that ended.
    mutating func sayNotes() throws(DocumentError) {
        guard !isNote, inline == 0, !notes.isEmpty else { return }
        isNote = true
        let outer = (environments, lists)
        (environments, lists) = ([], 0)
        var next = 0
        while next < notes.count {
            try read(notes[next])
            try assembly.close(.note)
            next += 1
        }
        notes = []
        (environments, lists) = outer
        isNote = false
    }
}
