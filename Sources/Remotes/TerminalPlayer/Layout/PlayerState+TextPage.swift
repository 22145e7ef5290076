// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The page of the text that is being read aloud.
extension PlayerState {
    func drawText(_ frame: inout Frame, _ body: Range<Int>) {
        guard let passage = reading.passage, !passage.bytes.isEmpty else {
            let words =
                session.status?.item == nil
                ? "Nothing is being read. `rostrum read FILE` reads a text aloud." : reading.fault ?? "One moment."
            frame.paragraph(words, body.lowerBound + 1, 2..<max(12, frame.columns - 2), rows: 3)
            return
        }
        let left = max(2, (frame.columns - textColumns) / 2)
        let top = firstTextLine
        for (line, content) in reading.lines[top..<min(reading.lines.count, top + textRows)].enumerated() {
            let row = body.lowerBound + line
            let end = frame.screen.put(content.text, row, left)
            frame.touch(row, left..<max(left, end), .text(content.range.lowerBound, left: left))
            for (range, style) in marks(in: passage) where content.inked.overlaps(range) {
                let from = content.columns(before: range.lowerBound)
                let to = content.columns(before: min(range.upperBound, content.inked.upperBound))
                frame.screen.mark(row, left + from..<left + max(from, to), style)
            }
        }
        if hasTextFooter { drawTextFooter(&frame, body.upperBound - 1) }
    }

    /// Returns what is marked, and how; the last one is on top.
    private func marks(in passage: DisplayedText) -> [(range: Range<Int64>, style: Style)] {
        var marks: [(range: Range<Int64>, style: Style)] = []
        let voice = reading.voice
        if let voice, let sentence = passage.sentence(at: voice.lowerBound), sentence.contains(voice.lowerBound) {
            marks.append((sentence, .sentence))
        }
        if let match = reading.search.match { marks.append((match, .found)) }
        // Of a recording, nobody knows the word.
        if let voice, !passage.isOfRecording { marks.append((voice, .spoken)) }
        return marks
    }

    /// Says what the keys do on a page that does not follow the voice, and how far a search is.
    private func drawTextFooter(_ frame: inout Frame, _ row: Int) {
        let search = reading.search
        var right = frame.columns - 1
        if reading.top != nil {
            let here = preferences.keys.name(of: .readHere) ?? "a click"
            let follow = preferences.keys.name(of: .follow) ?? "Enter"
            let words = "\(here) reads from here   \(follow) follows the voice"
            right = max(1, right - words.columns)
            frame.screen.put(words, row, right, .accent)
        }
        let room = max(0, right - 4)
        if search.isTyping {
            frame.screen.put(
                "search: " + (search.words + "_").tail(columns: max(4, room - 8)), row, 2, .accent, limit: room)
        } else if let progress = search.progress {
            frame.screen.put("searching, \(percentText(progress)): \(search.words)", row, 2, .accent, limit: room)
        } else if search.isInVain {
            frame.screen.put("not in this text: \(search.words)", row, 2, .warning, limit: room)
        } else if search.match != nil {
            let key = preferences.keys.name(of: .next).map { "\($0) next: " } ?? ""
            frame.screen.put(key + search.words, row, 2, .accent, limit: room)
        }
    }
}
