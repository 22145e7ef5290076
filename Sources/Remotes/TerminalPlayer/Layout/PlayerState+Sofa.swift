// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The big mode.
extension PlayerState {
    func drawSofa(_ sofa: SofaMode, _ frame: inout Frame, _ now: Int64) {
        switch sofa.shelf {
        case .controls: drawSofaControls(sofa, &frame, now)
        case .books: drawSofaBooks(&frame)
        case .sleep(let index): drawSofaSleep(index, &frame)
        }
        if let message {
            frame.screen.put(
                message.text, frame.rows - 1, 1, message.isFailure ? .failure : .plain, limit: frame.columns - 2)
        }
    }

    private func drawSofaControls(_ sofa: SofaMode, _ frame: inout Frame, _ now: Int64) {
        let isRoomy = frame.rows >= 34 && frame.columns >= 100
        let title = next.map { "Next: \($0.book.title)" } ?? session.status?.item?.shownTitle ?? "Nothing is loaded"
        var row = 1
        if isHeld {
            row = big("Held", &frame, row, isRoomy ? .large : smallScale, lines: 1, .warning)
            row = frame.paragraph(holdText ?? "", row, 2..<frame.columns - 2, .warning, rows: 2) + 1
            if isRoomy {
                row = big(title, &frame, row, smallScale, lines: 1, .strong)
            } else {
                frame.screen.put(title, row, 2, .strong, limit: frame.columns - 4)
            }
        } else if let words = spokenWords(isRoomy ? 40 : 2 * (frame.columns - 3) / smallScale.columns) {
            frame.screen.put(title, row, 2, .strong, limit: frame.columns - 4)
            row = big(words, &frame, row + 1, isRoomy ? .large : smallScale, lines: 2, .accent)
        } else {
            row = big(title, &frame, row, isRoomy ? .large : smallScale, lines: 2, .strong)
        }
        let position = own.at(now)
        let time = big(clockText(position), &frame, max(row + 1, frame.rows - 16), .large, lines: 1, .accent)
        let columns = 2..<max(12, frame.columns - 2)
        let end = session.status?.duration.ms
        frame.bar(time + 1, columns, position, from: 0, to: end, times: clockText(end), glyphs)
        drawSofaState(&frame, time + 2, now)
        drawButtons(sofa, &frame, frame.rows - 6)
        big(label(of: sofa.button), &frame, frame.rows - 4, smallScale, lines: 1, .accent)
    }

    private func drawSofaState(_ frame: inout Frame, _ row: Int, _ now: Int64) {
        if case .absent(let reason) = session.connection {
            frame.screen.put(reason, row, 2, .warning, limit: frame.columns - 4)
        } else if let next, let seconds = next.countdown(now) {
            frame.screen.put("starts in \(seconds) s", row, 2, .accent)
        } else if let status = session.status, status.item != nil {
            let chapter = status.chapter.map { "   chapter \($0.heading)" } ?? ""
            frame.screen.put(
                "\(stateText.sign) \(stateText.words)   \(rateText(status.rate))\(chapter)", row, 2,
                limit: frame.columns - 4)
        }
    }

    /// The words of a text from the one that is spoken on; `nil` if nothing is read, or the text is not at hand.
    private func spokenWords(_ letters: Int) -> String? {
        guard let voice = reading.voice?.lowerBound, let passage = reading.passage, voice >= passage.offset,
            voice < passage.end
        else { return nil }
        let rest = passage.bytes.dropFirst(Int(voice - passage.offset)).prefix(4 * letters)
        return String(decoding: rest, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func drawButtons(_ sofa: SofaMode, _ frame: inout Frame, _ row: Int) {
        let labels = SofaMode.Button.allCases.map { ($0, " \(label(of: $0)) ") }
        let gaps = max(1, (frame.columns - labels.reduce(0) { $0 + $1.1.columns } - 2) / max(1, labels.count - 1))
        var column = 1
        for (button, label) in labels {
            let end = frame.screen.put(label, row, column, button == sofa.button ? .selected : .plain)
            frame.touch(row, column..<max(column + 1, end), .button(button))
            column = end + min(gaps, 4)
        }
    }

    private func label(of button: SofaMode.Button) -> String {
        switch button {
        case .back: "-\(preferences.skipBack / 1000) s"
        case .pause: next != nil ? "Play" : session.isPlaying ? "Pause" : "Play"
        case .forward: "+\(preferences.skipForward / 1000) s"
        case .previousChapter: "Chapter -"
        case .nextChapter: "Chapter +"
        case .books: "Books"
        case .sleep: "Sleep"
        case .leave: "Leave"
        }
    }

    private func drawSofaBooks(_ frame: inout Frame) {
        let books = lists.books
        guard let selected = books.selected else {
            big("No books", &frame, 2, smallScale, lines: 1, .strong)
            return
        }
        let index = books.selection.index
        let middle = max(4, frame.rows / 2 - 4)
        if index > 0 { frame.screen.put(books.shown[index - 1].title, middle - 3, 2, .faint, limit: frame.columns - 4) }
        var row = big(selected.title, &frame, middle, smallScale, lines: 2, .strong)
        if let author = selected.author {
            frame.screen.put(author, row, 2, limit: frame.columns - 4)
            row += 1
        }
        frame.screen.put("\(index + 1) of \(books.shown.count)", row, 2, .faint)
        if index + 1 < books.shown.count {
            frame.screen.put(books.shown[index + 1].title, row + 2, 2, .faint, limit: frame.columns - 4)
        }
        frame.screen.put("↑ ↓ choose   Enter plays   ← back", frame.rows - 2, 2, .accent)
    }

    private func drawSofaSleep(_ index: Int, _ frame: inout Frame) {
        let choices = SofaMode.sleepMinutes.map { $0 == 0 ? "Off" : "\($0) min" }
        let rows = smallScale.rows + 1
        for (line, choice) in choices.enumerated() {
            big(choice, &frame, 2 + line * rows, smallScale, lines: 1, line == index ? .accent : .faint)
        }
        frame.screen.put("↑ ↓ choose   Enter sets the timer   ← back", frame.rows - 2, 2, .accent)
    }

    private var smallScale: BigLetters.Scale { glyphs == .ascii ? .medium : .small }

    /// Writes big letters, or ordinary ones where there are none for the text, and returns the row after them.
    @discardableResult
    private func big(
        _ text: String, _ frame: inout Frame, _ row: Int, _ scale: BigLetters.Scale, lines most: Int, _ style: Style
    ) -> Int {
        var row = row
        for line in BigLetters.lines(text, letters: max(1, (frame.columns - 3) / scale.columns), most: most) {
            guard let rows = BigLetters.rows(line, scale, block: glyphs.block) else {
                frame.screen.put(line, row, 2, style, limit: frame.columns - 4)
                row += 2
                continue
            }
            for dots in rows {
                frame.screen.put(dots, row, 2, style)
                row += 1
            }
            row += scale == .large ? 1 : 0
        }
        return row
    }
}
