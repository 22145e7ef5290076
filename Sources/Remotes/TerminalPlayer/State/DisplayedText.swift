// SPDX-License-Identifier: Apache-2.0

/// A part of a text, and the lines into which a width breaks it.
public struct DisplayedText: Sendable, Hashable {
    public var uri: String
    /// The offset of its beginning in the document, in bytes of UTF-8.
    public var offset: Int64
    public var bytes: [UInt8]
    /// `true` if it reaches to the end of the document.
    public var isWhole: Bool

    public init(uri: String, offset: Int64, bytes: [UInt8], isWhole: Bool) {
        self.uri = uri
        self.offset = offset
        self.bytes = bytes
        self.isWhole = isWhole
    }

    var end: Int64 { offset + Int64(bytes.count) }

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

extension Character {
    /// The columns that it takes on the screen, where a control character is a space.
    var printedColumns: Int {
        if let ascii = asciiValue { return ascii < 128 ? 1 : 0 }
        return String(self).printable.columns
    }
}
