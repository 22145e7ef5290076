// SPDX-License-Identifier: Apache-2.0

internal import ReadingText

/// The reading text of a document, put together block by block.
///
/// Text goes into the open block, which opens by itself. White space becomes one space, and none at the ends of a block.
struct MarkupAssembly {
    /// The gap before the next word; the larger one wins.
    enum Gap: Int { case none, space, comma, line }

    /// A place that is known once there is text behind it.
    struct Place: Hashable { fileprivate var index: Int }

    let limits: ReadingLimits
    private(set) var text: [UInt8] = []
    var blocks: [TextBlock] = []
    /// The file whose text is read now.
    private(set) var member = 0
    private var source: MarkupSource?

    private var start: Int?
    private var origins: [TextOrigin] = []
    private var pronunciations: [Pronunciation] = []
    /// The bytes of formulas in the open block.
    private var formulaLength = 0
    private var gap = Gap.none
    private var places: [Int] = []
    private var pendingPlaces = 0
    private var steps = 0

    init(limits: ReadingLimits) { self.limits = limits }

    mutating func begin(member: Int, source: MarkupSource) {
        self.member = member
        self.source = source
    }

    /// The open block has text.
    var hasText: Bool { start != nil }
    /// The number of bytes, lines and the like of the open block are asked by its text.
    var openText: ArraySlice<UInt8> { text[(start ?? text.count)...] }
    /// A new line has begun in the open block.
    var isAtLine: Bool { start != nil && gap == .line }
    /// The place where the next text will stand at the earliest.
    var end: Int { text.count }

    /// Counts work, and throws if reading must end.
    mutating func step(_ cost: Int = 1) throws(DocumentError) {
        steps += cost
        guard steps >= 1 << 14 else { return }
        steps = 0
        if limits.isInterrupted() {
            throw DocumentError(.interrupted, "the reading of the document was interrupted")
        }
    }

    // MARK: Places

    /// Marks the place at which the next text will stand.
    mutating func mark() -> Place {
        places.append(-1)
        return Place(index: places.count - 1)
    }

    /// The place, or the end of the text if no text has come since.
    func offset(_ place: Place) -> Int { places[place.index] < 0 ? text.count : places[place.index] }

    private mutating func settlePlaces(at offset: Int) {
        while pendingPlaces < places.count {
            places[pendingPlaces] = offset
            pendingPlaces += 1
        }
    }

    // MARK: Text

    /// Appends text with its white space collapsed; its lines stay if they are to.
    ///
    /// - Parameter stretch: The bytes of the parsed file that are this text, if they are known.
    mutating func append(_ bytes: ArraySlice<UInt8>, from stretch: Range<Int>?, keepsLines: Bool) throws(DocumentError)
    {
        let isExact = stretch?.count == bytes.count
        // A text that cannot be aligned may have very many pieces, so they are looked up once, not for each of its words.
        let whole = isExact ? nil : stretch.flatMap { source?.origin(of: $0) }
        var run = bytes.startIndex
        var index = bytes.startIndex
        func exact(_ range: Range<Int>) -> Range<Int>? {
            guard let stretch, isExact else { return nil }
            let shift = stretch.lowerBound - bytes.startIndex
            return range.lowerBound + shift..<range.upperBound + shift
        }
        while index < bytes.endIndex {
            let space = Space(bytes, at: index)
            guard space.width > 0 else {
                index += 1
                continue
            }
            let next = index + space.width
            // One space between words stays within the run.
            if bytes[index] == 0x20, index > run, next < bytes.endIndex, Space(bytes, at: next).width == 0 {
                index = next
                continue
            }
            try word(bytes[run..<index], exact(run..<index), whole)
            switch space.kind {
            case .none: break
            case .space: widen(.space)
            case .line: widen(keepsLines ? .line : .space)
            }
            index = next
            run = next
        }
        try word(bytes[run..<bytes.endIndex], exact(run..<bytes.endIndex), whole)
    }

    /// Appends text that stands nowhere in the source.
    mutating func append(_ text: String) throws(DocumentError) {
        try append(Array(text.utf8)[...], from: nil, keepsLines: false)
    }

    /// Appends a formula, which stands nowhere in the source as it is read.
    mutating func appendFormula(_ text: String) throws(DocumentError) {
        try append(text)
        formulaLength += text.utf8.count
    }

    /// Appends a run without white space to collapse.
    ///
    /// - Parameters:
    ///   - stretch: The bytes of the parsed file that it has.
    ///   - whole: Otherwise the bytes of the file among which it is.
    private mutating func word(
        _ bytes: ArraySlice<UInt8>, _ stretch: Range<Int>?, _ whole: Range<Int>?
    ) throws(DocumentError) {
        guard !bytes.isEmpty else { return }
        try open(bytes.count)
        let place = text.count
        text += bytes
        guard let source else { return }
        if let whole { return add(place..<text.count, whole, of: source) }
        guard let stretch else { return }
        for piece in source.origins(of: stretch) {
            let isPart = piece.bytes.count < stretch.count
            let range =
                isPart
                ? place + piece.bytes.lowerBound - stretch.lowerBound..<place + piece.bytes.upperBound
                    - stretch.lowerBound
                : place..<text.count
            add(range, piece.original, of: source)
            if !isPart { break }
        }
    }

    /// Adds an origin.
    ///
    /// Equal lengths say that the bytes are the same, so others must differ in length.
    private mutating func add(_ range: Range<Int>, _ original: Range<Int>, of source: MarkupSource) {
        var original = original
        guard !range.isEmpty, !original.isEmpty, original.upperBound <= source.original.count else { return }
        if original.count == range.count {
            if !source.original[original].elementsEqual(text[range]) {
                original = original.lowerBound..<original.upperBound - 1
                if original.isEmpty { return }
            } else if let last = origins.last, last.range.upperBound == range.lowerBound,
                last.source.upperBound == original.lowerBound, last.range.count == last.source.count,
                last.member == member
            {
                origins[origins.count - 1].range = last.range.lowerBound..<range.upperBound
                origins[origins.count - 1].source = last.source.lowerBound..<original.upperBound
                return
            }
        }
        origins.append(TextOrigin(range, member: member, source: original))
    }

    mutating func widen(_ new: Gap) {
        if new.rawValue > gap.rawValue { gap = new }
    }

    private mutating func open(_ length: Int) throws(DocumentError) {
        guard text.count + length + 2 <= limits.textSize else {
            throw DocumentError(
                .tooLarge, "the text is longer than the \(limits.textSize) bytes that are read; split it")
        }
        try step(16 + length / 64)
        if start == nil {
            if !text.isEmpty { text += [0x0A, 0x0A] }
            start = text.count
        } else {
            switch gap {
            case .none: break
            case .space: text.append(0x20)
            case .comma: text += [0x2C, 0x20]
            case .line: text.append(0x0A)
            }
        }
        gap = .none
        settlePlaces(at: text.count)
    }

    // MARK: Blocks

    /// Says how a stretch of the open block is spoken.
    mutating func pronounce(_ range: Range<Int>, _ speech: Pronunciation.Speech) {
        guard let start, range.lowerBound >= start, !range.isEmpty else { return }
        pronunciations.append(Pronunciation(range, speech))
    }

    /// Ends the open block.
    ///
    /// Returns its index, or `nil` if it has no text.
    @discardableResult
    mutating func close(
        _ kind: TextBlock.Kind, level: Int = 0, matter: TextBlock.Matter = .body, language: String? = nil
    ) throws(DocumentError) -> Int? {
        gap = .none
        guard let start else { return nil }
        var kind = kind != .code && Ornament.isAll(text[start...]) ? TextBlock.Kind.sceneBreak : kind
        // A block of a formula and its full stop.
        if formulaLength > 0, text.count - start <= formulaLength + 3, kind != .note, kind != .heading {
            kind = .formula
        }
        formulaLength = 0
        let spoken = pronunciations.sorted {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        let block = TextBlock(
            kind, start..<text.count, level: kind == .heading || kind == .listItem ? level : 0, matter: matter,
            language: language, origins: origins,
            pronunciations: spoken)
        self.start = nil
        origins = []
        pronunciations = []
        if kind == .sceneBreak, let last = blocks.last, last.kind == .sceneBreak, last.matter == matter,
            !last.range.isEmpty
        {
            // Lines of one ornament.
            blocks[blocks.count - 1].range = last.range.lowerBound..<text.count
            blocks[blocks.count - 1].origins += block.origins
            return blocks.count - 1
        }
        return try add(block)
    }

    /// Adds a block without text.
    mutating func addEmpty(_ kind: TextBlock.Kind, pause: Int? = nil, matter: TextBlock.Matter) throws(DocumentError) {
        if kind == .sceneBreak, blocks.isEmpty || blocks.last?.kind == .sceneBreak { return }
        _ = try add(TextBlock(kind, text.count..<text.count, matter: matter, pause: pause))
    }

    private mutating func add(_ block: TextBlock) throws(DocumentError) -> Int {
        guard blocks.count < limits.blocks else {
            throw DocumentError(.tooLarge, "the text has more than \(limits.blocks) paragraphs; split it")
        }
        blocks.append(block)
        return blocks.count - 1
    }
}
