// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The text that is being read aloud: what the session answers, and what the listener does on its page.
extension PlayerState {
    func ask(_ request: TextPassageRequest, _ wish: TextWish) -> PlayerEffect {
        .send(.addressed(Address(owner: Self.owner), .text(request)), .text(wish))
    }

    mutating func take(_ passage: TextPassage, for wish: TextWish) -> [PlayerEffect] {
        // One of another item comes too late.
        guard (passage.recording?.uri ?? passage.uri) == session.status?.item?.uri, let passage = DisplayedText(passage)
        else { return [] }
        switch wish {
        case .window: reading.take(passage)
        case .search(let number):
            guard number == reading.search.number else { return [] }
            if let request = reading.search.look(in: passage) {
                return [ask(request, .search(reading.search.number))]
            }
            showMatch(in: passage)
        case .follow: break
        }
        return []
    }

    mutating func refusedText(_ wish: TextWish, _ error: SessionError) {
        switch wish {
        case .window: reading.fail(error.message)
        case .search(let number):
            guard number == reading.search.number else { return }
            reading.search.giveUp()
            message = Message(text: error.message, isFailure: true)
        case .follow: break
        }
    }

    // MARK: - The window

    var textColumns: Int { min(78, max(10, size.columns - 4)) }
    /// The rows of the page, without the tabs and the last row of the screen.
    private var textPageRows: Int { laidOut.rows - 3 }
    /// `true` if the last row of the page is not for the text.
    var hasTextFooter: Bool { reading.top != nil || reading.search.isTyping || reading.search.isActive }
    var textRows: Int { textPageRows - (hasTextFooter ? 1 : 0) }

    /// The first line of the window: the one that the listener has chosen, or one such that the voice is in the upper third.
    var firstTextLine: Int {
        let last = max(0, reading.lines.count - textRows)
        if let top = reading.top { return min(reading.line(at: top), last) }
        guard let heard = reading.voice?.lowerBound else { return 0 }
        return min(max(0, reading.line(at: heard) - textRows / 3), last)
    }

    /// Scrolls by rows; a million of them is to the beginning or to the end.
    mutating func scrollText(by rows: Int) {
        guard let passage = reading.passage, !reading.lines.isEmpty else { return }
        reading.awaited = nil
        switch rows {
        case ...(-1_000_000): reading.top = 0
        case 1_000_000...: reading.top = max(0, passage.size - 1)
        default:
            // Where the window does not follow the voice, there is a footer.
            let last = max(0, reading.lines.count - (textPageRows - 1))
            let line = min(max(0, firstTextLine + rows), last)
            reading.top = reading.lines[line].range.lowerBound
        }
    }

    /// The bytes that the window shows; `nil` if there is no text.
    private var textWindow: Range<Int64>? {
        guard !reading.lines.isEmpty else { return nil }
        let first = firstTextLine
        let last = min(reading.lines.count, first + textRows) - 1
        return reading.lines[first].range.lowerBound..<reading.lines[max(first, last)].range.upperBound + 1
    }

    // MARK: - Search

    mutating func handleTextSearch(_ key: TerminalKey) -> [PlayerEffect] {
        switch key {
        case .character(let character): reading.search.type(String(character))
        case .backspace: reading.search.eraseLast()
        case .enter:
            reading.search.endTyping()
            return findInText(from: textWindow?.lowerBound ?? 0)
        case .escape: reading.search.end()
        case .up: return endTyping(scrollingBy: -1)
        case .down: return endTyping(scrollingBy: 1)
        case .pageUp: return endTyping(scrollingBy: 8 - textRows)
        case .pageDown: return endTyping(scrollingBy: textRows - 8)
        default: break
        }
        return []
    }

    private mutating func endTyping(scrollingBy rows: Int) -> [PlayerEffect] {
        reading.search.end()
        return scroll(by: rows)
    }

    /// Finds the next place behind the last one, or in the window if there is none.
    mutating func findNextInText() -> [PlayerEffect] {
        findInText(from: reading.search.match.map { $0.lowerBound + 1 } ?? textWindow?.lowerBound ?? 0)
    }

    private mutating func findInText(from byte: Int64) -> [PlayerEffect] {
        if let request = reading.search.begin(from: byte, in: reading.passage) {
            return [ask(request, .search(reading.search.number))]
        }
        if let passage = reading.passage { showMatch(in: passage) }
        return []
    }

    /// Shows the place that was found, in the upper third of the window.
    private mutating func showMatch(in passage: DisplayedText) {
        guard let match = reading.search.match else { return }
        if passage != reading.passage { reading.take(passage) }
        reading.arrange(textColumns)
        guard !reading.lines.isEmpty else { return }
        reading.awaited = nil
        reading.top = reading.lines[max(0, reading.line(at: match.lowerBound) - textRows / 3)].range.lowerBound
    }

    // MARK: - Reading from a place

    /// Reads from the sentence of the match if the window shows one, or else from the first that begins in the window.
    mutating func readHere() -> [PlayerEffect] {
        guard let passage = reading.passage, let window = textWindow else { return [] }
        if let match = reading.search.match, window.contains(match.lowerBound) {
            return readSentence(at: match.lowerBound)
        }
        let first = passage.sentences.first { $0.lowerBound >= window.lowerBound }
        return readSentence(
            at: first.map { window.contains($0.lowerBound) ? $0.lowerBound : window.lowerBound }
                ?? window.lowerBound)
    }

    /// Reads from the sentence of the word in a column of a line, which is named by its first byte.
    mutating func readText(inLine byte: Int64, atColumn column: Int) -> [PlayerEffect] {
        let index = reading.line(at: byte)
        guard reading.lines.indices.contains(index) else { return [] }
        return readSentence(at: reading.lines[index].byte(atColumn: column))
    }

    private mutating func readSentence(at byte: Int64) -> [PlayerEffect] {
        guard let passage = reading.passage else { return [] }
        let start = passage.sentence(at: byte)?.lowerBound ?? passage.word(at: byte)
        reading.awaited = start
        if passage.isOfRecording {
            guard let time = passage.time(ofSentenceAt: start) else { return [] }
            return [concerning(.seek("\(Double(time) / 1000)"), .control)]
        }
        return [concerning(.seek("byte:\(start)"), .control)]
    }
}
