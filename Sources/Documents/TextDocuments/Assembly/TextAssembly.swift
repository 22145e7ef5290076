// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The reading text of a document, put together block by block.
///
/// Text goes into the open block, which opens by itself. White space becomes one space, and none at the ends of a block.
struct TextAssembly {
    /// The gap before the next word.
    private enum Gap: Int { case none, space, line }

    let limits: ReadingLimits
    private(set) var text: [UInt8] = []
    private(set) var blocks: [TextBlock] = []
    private(set) var sections: [TextSection] = []

    private var start: Int?
    private var origins: [TextOrigin] = []
    private var gap = Gap.none
    private var work = 0
    /// The steps between two questions whether to go on.
    private static let stride = 1 << 16

    init(limits: ReadingLimits) { self.limits = limits }

    /// The open block has text.
    var hasText: Bool { start != nil }
    /// The text of the open block.
    var open: ArraySlice<UInt8> { text[(start ?? text.count)...] }

    /// Counts work, and throws if reading must end.
    mutating func step(_ cost: Int = 1) throws(DocumentError) {
        work += cost
        guard work >= Self.stride else { return }
        work = 0
        try limits.check()
    }

    /// Appends words of the source.
    mutating func words(_ range: Range<Int>, of source: SourceText) throws(DocumentError) {
        var run = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            guard source.bytes[index] <= 0x20 else {
                index += 1
                continue
            }
            let isPlain = source.bytes[index] == 0x20 && index > run
            let next = index + 1
            if isPlain, next < range.upperBound, source.bytes[next] > 0x20 {
                index = next
                continue
            }
            try verbatim(run..<index, of: source)
            space()
            index = next
            run = next
        }
        try verbatim(run..<range.upperBound, of: source)
    }

    /// Appends bytes of the source as they are.
    mutating func verbatim(_ range: Range<Int>, of source: SourceText) throws(DocumentError) {
        guard !range.isEmpty else { return }
        try begin(range.count)
        source.map.append(range, at: text.count, to: &origins)
        text += source.bytes[range]
    }

    /// Appends text that stands for other bytes of the source, or for none.
    mutating func decoded(
        _ bytes: some Collection<UInt8>, from range: Range<Int>?, of source: SourceText
    ) throws(DocumentError) {
        guard !bytes.isEmpty else { return }
        let isSame = range.map { source.bytes[$0].elementsEqual(bytes) } ?? false
        if isSame, let range { return try verbatim(range, of: source) }
        try begin(bytes.count)
        let place = text.count
        text += bytes
        guard let range, !range.isEmpty else { return }
        var origin = source.map.source(of: range)
        // The same length would say that the bytes are the same.
        if origin.count == bytes.count { origin = origin.lowerBound..<origin.upperBound - 1 }
        if !origin.isEmpty { DecodingMap.append(TextOrigin(place..<text.count, source: origin), to: &origins) }
    }

    /// Appends bytes of a member of the source as they are.
    mutating func exact(_ bytes: ArraySlice<UInt8>, member: Int, source: Int) throws(DocumentError) {
        guard !bytes.isEmpty else { return }
        try begin(bytes.count)
        let range = text.count..<text.count + bytes.count
        text += bytes
        DecodingMap.append(TextOrigin(range, member: member, source: source..<source + bytes.count), to: &origins)
    }

    /// Appends text that stands for bytes of a member of another length.
    mutating func decoded(
        _ bytes: some Collection<UInt8>, member: Int, source: Range<Int>
    ) throws(DocumentError) {
        guard !bytes.isEmpty else { return }
        try begin(bytes.count)
        let place = text.count
        text += bytes
        guard bytes.count != source.count else { return }
        origins.append(TextOrigin(place..<text.count, member: member, source: source))
    }

    /// Separates words.
    mutating func space() { if gap == .none { gap = .space } }
    /// Takes a space back.
    mutating func join() { if gap == .space { gap = .none } }
    /// Begins a line within the block.
    mutating func line() { gap = .line }

    /// Ends the open block.
    ///
    /// Returns its index, or `nil` if it has no text.
    @discardableResult
    mutating func close(
        _ kind: TextBlock.Kind, level: Int = 0, matter: TextBlock.Matter = .body, language: String? = nil
    ) throws(DocumentError) -> Int? {
        gap = .none
        guard let start else { return nil }
        self.start = nil
        let block = TextBlock(
            kind, start..<text.count, level: level, matter: matter, language: language, origins: origins)
        origins = []
        return try add(block)
    }

    /// Adds a break between scenes, which has no text.
    mutating func sceneBreak() throws(DocumentError) {
        if blocks.last?.kind == .sceneBreak { return }
        _ = try add(TextBlock(.sceneBreak, text.count..<text.count))
    }

    /// Makes a block the beginning of a section.
    mutating func section(_ block: Int, level: Int, title: String? = nil) {
        let words = String(decoding: text[blocks[block].range], as: UTF8.self)
        sections.append(
            TextSection(
                title: title ?? words.split(whereSeparator: \.isWhitespace).joined(separator: " "), level: level,
                start: blocks[block].range.lowerBound))
    }

    mutating func setLevel(_ level: Int, of block: Int) { blocks[block].level = level }

    /// Gives the levels that there are the numbers from 1 on.
    mutating func numberLevels() {
        let headings = blocks.lazy.filter { $0.kind == .heading && $0.level > 0 }.map(\.level)
        let levels = Set(headings).union(sections.map(\.level)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($1, $0 + 1) })
        for index in blocks.indices where blocks[index].kind == .heading {
            blocks[index].level = numbers[blocks[index].level] ?? 1
        }
        for index in sections.indices { sections[index].level = numbers[sections[index].level] ?? 1 }
    }

    private mutating func add(_ block: TextBlock) throws(DocumentError) -> Int {
        guard blocks.count < limits.blocks else {
            throw DocumentError(.tooLarge, "the text has more than \(limits.blocks) paragraphs; split it")
        }
        blocks.append(block)
        try step(16)
        return blocks.count - 1
    }

    private mutating func begin(_ length: Int) throws(DocumentError) {
        guard text.count + length <= limits.textSize else {
            throw DocumentError(
                .tooLarge, "the text is longer than the \(limits.textSize) bytes that are read; split it")
        }
        try step(length)
        if start == nil {
            if !text.isEmpty { text += [0x0A, 0x0A] }
            start = text.count
        } else if gap != .none {
            text.append(gap == .line ? 0x0A : 0x20)
        }
        gap = .none
    }
}
