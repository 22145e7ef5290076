// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// What the terminal shows.
extension PlayerState {
    /// The smallest screen that is laid out; a smaller terminal shows the upper left part of it.
    private static let smallest = Screen.Size(rows: 20, columns: 60)

    /// Returns the screen at a time.
    public func frame(now: Int64) -> Frame {
        var frame = Frame(laidOut)
        draw(&frame, now)
        frame.screen = frame.screen.cut(to: size)
        return frame
    }

    var laidOut: Screen.Size {
        Screen.Size(rows: max(size.rows, Self.smallest.rows), columns: max(size.columns, Self.smallest.columns))
    }

    private func draw(_ frame: inout Frame, _ now: Int64) {
        if let clipScreen {
            var message = message
            if message == nil, case .absent(let reason) = session.connection {
                message = Message(text: reason, isFailure: true)
            }
            return clipScreen.draw(&frame, clipLayout, glyphs: glyphs, message: message, rows: size.rows)
        }
        if let sofa { return drawSofa(sofa, &frame, now) }
        drawTabs(&frame)
        let body = 2..<frame.rows - 1
        switch page {
        case .now: drawNow(&frame, body, now)
        case .library: drawLibrary(&frame, body)
        case .text: drawText(&frame, body)
        case .history: drawHistory(&frame, body)
        case .engines: drawEngines(&frame, body)
        case .why: drawRecords(&frame, body)
        case .clips: drawClips(&frame, body)
        case .documents: drawDocuments(&frame, body)
        }
        drawOverlay(&frame, body)
        drawLastRow(&frame, now)
    }

    private func drawTabs(_ frame: inout Frame) {
        // The tabs take what there is: in a narrow terminal, two of them share the space between them.
        let isNarrow = frame.columns < 100
        let gap = frame.columns < 88 ? -1 : isNarrow ? 0 : 1
        var column = frame.screen.put("Rostrum", 0, 1, .strong) + 1
        for page in Page.allCases {
            let name = "\(page.rawValue + 1) \(page.title)"
            let end = frame.screen.put(" \(name) ", 0, column, page == self.page ? .selected : .plain)
            frame.touch(0, column..<max(column, end), .page(page))
            column = end + gap
        }
        if let help = preferences.keys.name(of: .help) {
            let text = isNarrow ? help : "\(help) keys"
            frame.screen.put(text, 0, endingAt: frame.columns - 1, .faint)
            frame.touch(0, max(0, frame.columns - 1 - text.columns)..<frame.columns, .action(.help))
        }
        frame.screen.fill(1, 0..<frame.columns, glyphs.rule, .faint)
    }

    /// The message of the moment, or else what sounds on the other pages, or the most useful keys.
    private func drawLastRow(_ frame: inout Frame, _ now: Int64) {
        let row = max(0, min(frame.rows, size.rows) - 1)
        frame.screen.fill(row, 0..<frame.columns, " ")
        if let message {
            frame.screen.put(message.text, row, 1, message.isFailure ? .failure : .plain, limit: frame.columns - 2)
        } else if case .absent(let reason) = session.connection {
            frame.screen.put(reason, row, 1, .warning, limit: frame.columns - 2)
        } else if page != .now, let next {
            let key = preferences.keys.name(of: .next) ?? "Enter on page 1"
            frame.screen.put(next.text(now, key: key), row, 1, .accent, limit: frame.columns - 2)
        } else if page != .now, session.status?.item != nil {
            frame.screen.put(
                "\(stateText.sign) \(session.status?.item?.heading ?? "")", row, 1, .faint,
                limit: max(10, frame.columns - 24))
            frame.screen.put(
                "\(clockText(own.at(now))) / \(clockText(session.status?.duration.ms))", row,
                endingAt: frame.columns - 1, .faint)
        } else {
            drawHints(&frame, row)
        }
    }

    private func drawHints(_ frame: inout Frame, _ row: Int) {
        var column = 1
        let hints: [(PlayerAction, String)] = [
            (.pause, session.isPlaying || isHeldByCall ? "pause" : "play"), (.back, "back"), (.forward, "forward"),
            (.nextChapter, "chapter"), (.faster, "faster"), (.sleep, "sleep"), (.undo, "undo"),
            (.library, "library"), (.quit, "leave"),
        ]
        for (action, word) in hints {
            guard let key = preferences.keys.name(of: action), column + key.columns + word.columns + 2 < frame.columns
            else { continue }
            let start = column
            column = frame.screen.put(key, row, column, .accent) + 1
            column = frame.screen.put(word, row, column, .faint)
            frame.touch(row, start..<column, .action(action))
            column += 2
        }
    }

    /// The state in a sign and in words.
    var stateText: (sign: String, words: String) {
        guard let status = session.status else { return ("", session.isPresent ? "" : "no session") }
        if case .absent = session.connection { return (glyphs.paused, "no session") }
        if isHeld { return (glyphs.held, "held") }
        return (status.status == "playing" ? glyphs.playing : glyphs.paused, status.status)
    }

    var isHeld: Bool {
        guard let status = session.status, let suppression = status.suppression else { return false }
        return status.intent == "play" || suppression == "owner"
    }

    private var isHeldByCall: Bool { isHeld && session.status?.suppression == "interruption" }

    /// The reason why the sound is held, and what ends that; `nil` if it is not.
    var holdText: String? {
        guard isHeld, let suppression = session.status?.suppression else { return nil }
        let pause = sofa != nil ? "Enter" : preferences.keys.name(of: .pause) ?? "pause"
        switch suppression {
        case "interruption":
            return "Held: a call or another program has the sound. It goes on by itself afterwards."
        case "routeLost" where session.status?.session.lost == true:
            return "Held: the sound server is gone. It goes on by itself when that is back."
        case "routeLost":
            return "Held: the headphones or the device went away. \(pause) plays on through what is there now."
        case "owner":
            return "Held: \(session.holder ?? "another player") has the sound. It goes on when that ends; "
                + "\(pause) takes it back."
        case "sleep" where sofa != nil: return "Held: the sleep timer has ended. Enter goes on from here."
        case "sleep":
            let undo = preferences.keys.name(of: .undo) ?? "undo"
            return "Held: the sleep timer has ended. \(undo) goes back to where it was set, \(pause) goes on from here."
        default: return "Held: \(suppression)."
        }
    }

    // MARK: - Overlays

    private func drawOverlay(_ frame: inout Frame, _ body: Range<Int>) {
        switch overlay {
        case .help?: drawHelp(&frame, body)
        case .sleep(let selection)?: drawSleep(&frame, body, selection)
        case .delete(_, let name)?:
            let box = drawBox(&frame, body, rows: 2, columns: 60, "Delete")
            frame.screen.put("“\(name)”", box.row, box.columns.lowerBound, limit: box.columns.count)
            frame.screen.put(
                "y deletes it; its place is kept. Any other key keeps it.", box.row + 1, box.columns.lowerBound, .faint,
                limit: box.columns.count)
        case .go(let text)?:
            let box = drawBox(&frame, body, rows: 1, columns: 60, "Go to")
            frame.screen.put(
                text + "_", box.row,
                frame.screen.put("12:34, 50%, ch:3, +90: ", box.row, box.columns.lowerBound, .faint))
        case nil: break
        }
    }

    /// Draws an empty box in the middle of the page, and returns where it can be written.
    private func drawBox(
        _ frame: inout Frame, _ body: Range<Int>, rows: Int, columns: Int, _ title: String
    ) -> (row: Int, columns: Range<Int>, rows: Int) {
        let width = min(columns, frame.columns - 4)
        let height = min(rows + 2, body.count)
        let left = max(0, (frame.columns - width) / 2)
        let top = body.lowerBound + max(0, (body.count - height) / 2)
        for row in top..<top + height { frame.screen.fill(row, left..<left + width, " ") }
        frame.screen.fill(top, left..<left + width, glyphs.rule, .accent)
        frame.screen.fill(top + height - 1, left..<left + width, glyphs.rule, .accent)
        frame.screen.put(" \(title) ", top, left + 2, .accent)
        return (top + 1, left + 1..<max(left + 2, left + width - 1), max(0, height - 2))
    }

    private func drawHelp(_ frame: inout Frame, _ body: Range<Int>) {
        let actions = PlayerAction.allCases
        let half = (actions.count + 1) / 2
        let box = drawBox(&frame, body, rows: half, columns: 76, "Keys")
        for (index, action) in actions.enumerated() where index % half < box.rows {
            let column = box.columns.lowerBound + (index < half ? 0 : box.columns.count / 2)
            let row = box.row + index % half
            frame.screen.put(preferences.keys.names(of: action), row, column, .accent, limit: 10)
            frame.screen.put(action.meaning, row, column + 11, limit: box.columns.count / 2 - 12)
        }
    }

    private func drawSleep(_ frame: inout Frame, _ body: Range<Int>, _ selection: Selection) {
        let rows = sleepRows
        let box = drawBox(&frame, body, rows: min(rows.count, 14), columns: 60, "Stop playing")
        for (line, index) in selection.window(of: rows.count, rows: box.rows).enumerated() {
            let style = index == selection.index ? Style.selected : .plain
            frame.screen.fill(box.row + line, box.columns, " ", style)
            frame.screen.put(
                rows[index].text, box.row + line, box.columns.lowerBound + 1, style, limit: box.columns.count - 2)
            frame.touch(box.row + line, box.columns, .sleep(index))
        }
    }
}
