// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The page of the text that is being read aloud.
extension PlayerState {
    var textColumns: Int { min(78, max(10, size.columns - 4)) }

    func drawText(_ frame: inout Frame, _ body: Range<Int>) {
        guard let text = session.status?.text, let passage = reading.passage, !reading.isUnreadable,
            !passage.bytes.isEmpty
        else {
            let words =
                reading.isUnreadable
                ? "This text cannot be shown: it came through a pipe, or is not UTF-8."
                : "Nothing is being read. `rostrum read FILE` reads a text aloud."
            frame.paragraph(words, body.lowerBound + 1, 2..<max(12, frame.columns - 2), rows: 2)
            return
        }
        let lines = reading.lines
        let spoken = text.offset..<text.offset + max(0, min(text.length, 1 << 20))
        let left = max(2, (frame.columns - textColumns) / 2)
        let top = firstLine(of: lines, spoken, rows: body.count)
        for (line, content) in lines[top..<min(lines.count, top + body.count)].enumerated() {
            let row = body.lowerBound + line
            frame.screen.put(content.text, row, left)
            guard content.range.overlaps(spoken) else { continue }
            let from = content.columns(before: spoken.lowerBound)
            let to = content.columns(before: spoken.upperBound)
            frame.screen.mark(row, left + from..<left + max(from, to), .spoken)
        }
        if reading.top != nil {
            let key = preferences.keys.name(of: .follow) ?? "Enter"
            frame.screen.put(" \(key) follows the voice ", body.upperBound - 1, endingAt: frame.columns - 1, .accent)
        }
    }

    /// The first line of the window: the one that the listener has chosen, or one such that the voice is in the upper third.
    private func firstLine(of lines: [DisplayedText.Line], _ spoken: Range<Int64>, rows: Int) -> Int {
        let last = max(0, lines.count - rows)
        if let top = reading.top { return min(max(0, top), last) }
        let current = lines.lastIndex { $0.range.lowerBound <= spoken.lowerBound } ?? 0
        return min(max(0, current - rows / 3), last)
    }

    mutating func scrollText(by rows: Int) {
        guard let text = session.status?.text, !reading.lines.isEmpty else { return }
        let lines = reading.lines
        let height = max(1, size.rows - 3)
        let top = firstLine(of: lines, text.offset..<text.offset + 1, rows: height)
        reading.top = min(max(0, top + rows), max(0, lines.count - height))
    }
}

extension DisplayedText.Line {
    /// The columns that the characters before a byte of the document take.
    func columns(before offset: Int64) -> Int {
        let bytes = Int(clamping: min(max(0, offset - range.lowerBound), Int64(text.utf8.count)))
        return String(decoding: text.utf8.prefix(bytes), as: UTF8.self).reduce(0) { $0 + $1.printedColumns }
    }
}
