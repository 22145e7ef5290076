// SPDX-License-Identifier: Apache-2.0

/// The words of a sentence as they are said, with the marks between them, before it is cut into utterances.
struct SpokenWords {
    /// The fitness of the place behind a word as the end of an utterance.
    enum Cut: Int, Comparable {
        /// The next word stands for the same text.
        case never
        case space
        /// The place before a word such as "and" or "which".
        case conjunction
        case comma
        case colon
        /// It must end here: the language changes, or a line of verse ends.
        case line
        case language

        static func < (one: Cut, other: Cut) -> Bool { one.rawValue < other.rawValue }
    }

    struct Item {
        /// The spoken bytes: the marks before, the word, the marks behind.
        var lead: Int
        var word: Range<Int>
        var tail: Int
        /// The text for which the word stands, and where that text ends with its marks.
        var range: Range<Int>
        var start: Int
        var end: Int
        var weight: Int
        var hasSpace: Bool
        var cut: Cut = .space
        var phonemes: String?
        var language: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var items: [Item] = []
    /// The index of the language of the words that are added.
    var language = 0
    private var pendingLead: Int?
    private var pendingStart: Int?

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        pendingLead = nil
        pendingStart = nil
    }

    var isEmpty: Bool { items.isEmpty }

    /// Adds marks before the next word.
    mutating func addLead(_ marks: some Sequence<UInt8>, at start: Int) {
        if pendingLead == nil { pendingLead = bytes.count }
        if pendingStart == nil { pendingStart = start }
        bytes.append(contentsOf: marks)
    }

    /// Adds a word; its bytes are written by a closure.
    ///
    /// Nothing is added if it writes none.
    mutating func add(
        _ range: Range<Int>, hasSpace: Bool, phonemes: String? = nil, write: (inout [UInt8]) -> Void
    ) {
        let start = bytes.count
        write(&bytes)
        guard bytes.count > start else { return }
        items.append(
            Item(
                lead: pendingLead ?? start, word: start..<bytes.count, tail: bytes.count, range: range,
                start: min(pendingStart ?? range.lowerBound, range.lowerBound), end: range.upperBound, weight: 0,
                hasSpace: hasSpace, phonemes: phonemes, language: language))
        pendingLead = nil
        pendingStart = nil
        weigh()
    }

    /// Adds the words of a phrase, which all stand for the same text; marks at the end of a word stay behind it.
    mutating func add(phrase: String, for range: Range<Int>, hasSpace: Bool) {
        var isFirst = true
        for piece in phrase.utf8.split(separator: 0x20) {
            if !isFirst, let last = items.indices.last { items[last].cut = .never }
            var word = piece
            while let last = word.last, last == 0x2C || last == 0x3B || last == 0x2E { word = word.dropLast() }
            add(range, hasSpace: isFirst ? hasSpace : true) { $0.append(contentsOf: word) }
            if word.endIndex < piece.endIndex { addTail(piece[word.endIndex...], until: range.upperBound) }
            isFirst = false
        }
    }

    /// Adds marks behind the last word, or before the next if there is none yet.
    mutating func addTail(_ marks: some Sequence<UInt8>, until end: Int) {
        guard let last = items.indices.last, pendingLead == nil else {
            if pendingLead == nil { pendingLead = bytes.count }
            bytes.append(contentsOf: marks)
            return
        }
        bytes.append(contentsOf: marks)
        items[last].tail = bytes.count
        items[last].end = max(items[last].end, end)
        weigh()
    }

    /// Sets how well an utterance can end behind the last word.
    mutating func setCut(_ cut: Cut) {
        guard let last = items.indices.last, cut > items[last].cut else { return }
        items[last].cut = cut
    }

    private mutating func weigh() {
        guard let last = items.indices.last else { return }
        var weight = items[last].hasSpace ? 1 : 0
        for index in items[last].lead..<items[last].tail where bytes[index] & 0xC0 != 0x80 {
            // Bytes from 0xE3 to 0xED begin the scripts of East Asia, those from 0xF0 the rest of their characters.
            weight += bytes[index] >= 0xE3 && bytes[index] <= 0xED || bytes[index] == 0xF0 ? 3 : 1
        }
        items[last].weight = weight
    }
}
