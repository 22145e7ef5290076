// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The pages that are lists.
extension PlayerState {
    /// The mark behind the title of a recording that has a text.
    private static let textMark = "text"

    func drawLibrary(_ frame: inout Frame, _ body: Range<Int>) {
        let books = lists.books
        var head = "\(books.shown.count) of \(books.all.count) books"
        if !books.isComplete { head = "One moment" }
        let keys = preferences.keys
        func key(_ action: PlayerAction) -> String { keys.name(of: action).map { " (\($0))" } ?? "" }
        head += "   by \(books.order.rawValue)\(key(.sort))   \(books.filter.rawValue)\(key(.filter))"
        var column = frame.screen.put(head, body.lowerBound, 2, .faint) + 3
        if books.isSearching || !books.search.isEmpty {
            column = frame.screen.put("search: ", body.lowerBound, column, .faint)
            frame.screen.put(books.search + (books.isSearching ? "_" : ""), body.lowerBound, column, .accent)
        } else {
            frame.screen.put("search\(key(.search))", body.lowerBound, column, .faint)
        }
        let rows = body.lowerBound + 2..<body.upperBound
        guard !books.shown.isEmpty else {
            if books.isComplete {
                let text =
                    books.all.isEmpty ? "The library is empty: `rostrum library add FOLDER` fills it." : "None matches."
                frame.paragraph(text, rows.lowerBound, 2..<max(12, frame.columns - 2), rows: 2)
            }
            return
        }
        let author = max(0, (frame.columns - 30) * 2 / 5)
        let title = frame.columns - 4 - author - 22
        let playing = session.status?.item?.uri
        for (line, index) in books.selection.window(of: books.shown.count, rows: rows.count).enumerated() {
            let book = books.shown[index]
            let row = rows.lowerBound + line
            let style = index == books.selection.index ? Style.selected : book.uri == playing ? .strong : .plain
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let mark = book.uri == playing ? glyphs.here : book.files == 0 ? "!" : " "
            let room = book.text == nil ? title : title - Self.textMark.count - 1
            frame.screen.put("\(mark) \(book.title)", row, 2, style, limit: room)
            if book.text != nil { frame.screen.put(Self.textMark, row, endingAt: 2 + title, style) }
            frame.screen.put(book.author ?? "", row, 2 + title + 1, style, limit: author)
            frame.screen.put(book.progressText, row, endingAt: frame.columns - 13, style)
            frame.screen.put(clockText(book.durationMs), row, endingAt: frame.columns - 2, style)
            frame.touch(row, 1..<frame.columns - 1, .book(index))
        }
    }

    func drawHistory(_ frame: inout Frame, _ body: Range<Int>) {
        let undo = preferences.keys.name(of: .undo) ?? "undo"
        frame.screen.put(
            "Jumps: Enter goes back to where one began, \(undo) undoes the newest.", body.lowerBound, 2, .faint)
        guard let history = lists.history else { return }
        let spans = min(history.listened.count, max(0, body.count / 3 - 2))
        let rows = body.lowerBound + 1..<body.upperBound - (spans > 0 ? spans + 2 : 0)
        for (line, index) in lists.jumps.window(of: history.jumps.count, rows: rows.count).enumerated() {
            let jump = history.jumps[index]
            let row = rows.lowerBound + line
            guard rows.contains(row) else { break }
            let style = index == lists.jumps.index ? Style.selected : jump.undone ? .faint : .plain
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let to = jump.from.uri == jump.to.uri ? "" : jump.to.title + " "
            let text =
                "\(LocalTime.date(jump.at))  \(jump.cause)  \(clockText(jump.from.ms)) to \(to)\(clockText(jump.to.ms))"
                + "  \(jump.from.title)" + (jump.undone ? "  (undone)" : "")
            frame.screen.put(text, row, 2, style, limit: frame.columns - 4)
            frame.touch(row, 1..<frame.columns - 1, .jump(index))
        }
        guard spans > 0 else { return }
        frame.screen.put("Listened:", rows.upperBound + 1, 2, .faint)
        for (line, span) in history.listened.prefix(spans).enumerated() {
            frame.screen.put(
                "\(LocalTime.date(span.began)) to \(LocalTime.clock(span.ended))  \(clockText(span.from.ms)) to "
                    + "\(clockText(span.to.ms))  \(span.from.title)", rows.upperBound + 2 + line, 2,
                limit: frame.columns - 4)
        }
    }

    func drawEngines(_ frame: inout Frame, _ body: Range<Int>) {
        frame.screen.put("Enter continues with an engine: the same item, or its last one.", body.lowerBound, 2, .faint)
        let rows = body.lowerBound + 2..<body.upperBound
        for (line, index) in lists.engine.window(of: lists.engines.count, rows: rows.count).enumerated() {
            let engine = lists.engines[index]
            let row = rows.lowerBound + line
            let isCurrent = engine.id == session.status?.engine
            let style = index == lists.engine.index ? Style.selected : engine.state == "available" ? .plain : .faint
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let kinds = engine.kinds.joined(separator: ", ")
            let state = engine.state == "available" ? "" : "  \(engine.state): \(engine.reason ?? "")"
            frame.screen.put(
                "\(isCurrent ? glyphs.here : " ") \(engine.id)  \(engine.name) \(engine.version)  (\(kinds))\(state)",
                row, 2,
                style, limit: frame.columns - 4)
            frame.touch(row, 1..<frame.columns - 1, .engine(index))
        }
    }

    func drawRecords(_ frame: inout Frame, _ body: Range<Int>) {
        frame.screen.put(
            "The newest events and decisions, with their causes. Enter reads them again.", body.lowerBound, 2, .faint)
        let rows = body.lowerBound + 1..<body.upperBound
        guard let records = lists.records else { return }
        if records.isEmpty { frame.screen.put("Nothing has happened yet.", rows.lowerBound, 2) }
        let end = records.count - min(lists.recordsBelow, records.count)
        for (line, text) in records[max(0, end - rows.count)..<end].enumerated() {
            frame.screen.put(text, rows.lowerBound + line, 1, limit: frame.columns - 2)
        }
    }
}

extension LibraryBook {
    /// The progress as text, such as `42 %`.
    fileprivate var progressText: String {
        if isFinished { return "finished" }
        guard let progress else { return positionMs == nil ? "" : "begun" }
        return "\(Int(progress * 100)) %"
    }
}
