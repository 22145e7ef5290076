// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// A part of a text, and the lines into which a width breaks it.
struct DisplayedText: Sendable, Hashable {
    var uri: String
    /// The offset of its beginning in the document, in bytes of UTF-8.
    var offset: Int64
    var bytes: [UInt8]
    /// The size of the document in bytes.
    var size: Int64
    /// The bytes of its sentences in the document, in order and apart; empty if they are not known.
    var sentences: [Range<Int64>]
    /// The times at which the sentences are said, in milliseconds of the recording that plays; empty if the text is read.
    var times: [Int64] = []

    /// The byte of the document up to which its sentences are known; `nil` if those of this part all are.
    var known: Int64?

    /// - Parameter size: the size of the document; `nil` if it ends here.
    init(uri: String, offset: Int64, bytes: [UInt8], size: Int64? = nil, sentences: [Range<Int64>] = []) {
        self.uri = uri
        self.offset = offset
        self.bytes = bytes
        self.size = size ?? offset + Int64(bytes.count)
        self.sentences = sentences
    }

    /// The most bytes of a part that is shown.
    private static let mostBytes = 1 << 18

    /// Takes what a session has sent; `nil` if no session would send that.
    init?(_ passage: TextPassage) {
        let bytes = Array(passage.text.utf8)
        guard bytes.count <= Self.mostBytes, (0...(1 << 50)).contains(passage.offset) else { return nil }
        var sentences: [Range<Int64>] = []
        var times: [Int64] = []
        for sentence in passage.sentences.prefix(TextPassage.mostSentences)
        where sentence.start >= sentences.last?.upperBound ?? 0 && sentence.end > sentence.start {
            sentences.append(sentence.start..<sentence.end)
            if let time = sentence.atMs { times.append(time) }
        }
        self.init(
            uri: passage.uri, offset: passage.offset, bytes: bytes,
            size: max(passage.offset + Int64(bytes.count), passage.size.bounded), sentences: sentences)
        known = passage.known.map { min(max(0, $0), end) }
        if passage.recording != nil, times.count == sentences.count { self.times = times }
    }

    var end: Int64 { offset + Int64(bytes.count) }

    /// Returns the sentence in which a byte lies, or else the next one.
    func sentence(at byte: Int64) -> Range<Int64>? {
        let index = sentences.firstIndex { $0.upperBound > byte }
        return index.map { sentences[$0] }
    }

    /// `true` if it is the text of a recording that plays.
    var isOfRecording: Bool { !times.isEmpty && times.count == sentences.count }

    /// Returns whether the recording says this part at a time; the last sentence may be a long one.
    func covers(atMs time: Int64) -> Bool {
        guard let first = times.first, let last = times.last else { return false }
        return (time >= first || offset == 0) && (time < last || end >= size)
    }

    /// Returns the sentence that the recording says at a time, or else the last one before; `nil` if none is known.
    func sentence(atMs time: Int64) -> Range<Int64>? {
        guard times.count == sentences.count, let index = times.lastIndex(where: { $0 <= time }) else { return nil }
        return sentences[index]
    }

    /// Returns the time at which the sentence of a byte is said; `nil` if the text itself is read.
    func time(ofSentenceAt byte: Int64) -> Int64? {
        guard times.count == sentences.count else { return nil }
        return sentences.firstIndex { $0.upperBound > byte }.map { times[$0] }
    }

    /// Returns the beginning of the word in which a byte lies.
    func word(at byte: Int64) -> Int64 {
        var index = Int(clamping: min(max(0, byte - offset), Int64(bytes.count)))
        while index > 0, !Self.isSpace(bytes[index - 1]) { index -= 1 }
        return offset + Int64(index)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

    /// One row of the text.
    struct Line: Hashable {
        var text: String
        /// Its bytes in the document.
        var range: Range<Int64>
    }

    /// Returns the text in lines of at most `columns`, broken between words where there are any.
    func lines(columns: Int) -> [Line] {
        let columns = max(10, columns)
        var lines: [Line] = []
        var start = offset
        for paragraph in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let next = start + Int64(paragraph.count) + 1
            lines += Self.lines(of: String(decoding: paragraph, as: UTF8.self), from: start, columns)
            start = next
        }
        return lines
    }

    private static func lines(of paragraph: String, from offset: Int64, _ columns: Int) -> [Line] {
        var lines: [Line] = []
        var start = offset
        var line = ""
        var width = 0
        /// The end of the last word in `line`, in characters.
        var lastBreak: String.Index?
        func finish(_ text: String) {
            let bytes = Int64(text.utf8.count)
            lines.append(Line(text: text, range: start..<start + bytes))
            start += bytes
        }
        for character in paragraph where character != "\r" {
            let next = character.printedColumns
            if width + next > columns, !line.isEmpty {
                let cut = lastBreak ?? line.endIndex
                let rest = String(line[cut...])
                finish(String(line[..<cut]))
                line = rest
                width = line.reduce(0) { $0 + $1.printedColumns }
                lastBreak = nil
            }
            line.append(character)
            width += next
            if character == " " || character == "-" { lastBreak = line.endIndex }
        }
        finish(line)
        return lines
    }
}

extension DisplayedText.Line {
    /// The columns that the characters before a byte of the document take.
    func columns(before offset: Int64) -> Int {
        let bytes = Int(clamping: min(max(0, offset - range.lowerBound), Int64(text.utf8.count)))
        return String(decoding: text.utf8.prefix(bytes), as: UTF8.self).reduce(0) { $0 + $1.printedColumns }
    }

    /// The byte of the document whose character is drawn in a column.
    func byte(atColumn column: Int) -> Int64 {
        var byte = range.lowerBound
        var end = 0
        for character in text {
            end += character.printedColumns
            if end > column { break }
            byte += Int64(character.utf8.count)
        }
        return byte
    }

    /// The range without the spaces at its end.
    var inked: Range<Int64> {
        let spaces = text.utf8.reversed().prefix { $0 == UInt8(ascii: " ") }.count
        return range.lowerBound..<range.lowerBound + Int64(text.utf8.count - spaces)
    }
}

extension Character {
    /// The columns that it takes on the screen, where a control character is a space.
    var printedColumns: Int {
        if let ascii = asciiValue { return ascii < 128 ? 1 : 0 }
        return String(self).printable.columns
    }
}
