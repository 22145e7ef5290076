// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// The page of what plays: title, bars, and chapters.
extension PlayerState {
    /// The cells for the cover; `nil` if the page has no room for one.
    var pictureRoom: (columns: Int, rows: Int)? {
        guard sofa == nil, page == .now, size.columns >= 70, size.rows >= 20 else { return nil }
        let rows = size.rows >= 34 ? 15 : 8
        return (2 * rows, rows)
    }

    func drawNow(_ frame: inout Frame, _ body: Range<Int>, _ now: Int64) {
        guard let status = session.status, let item = status.item else { return drawNothing(&frame, body) }
        var left = 2
        let right = frame.columns - 2
        var below = body.lowerBound + 8
        if let room = pictureRoom, let picture, !picture.cells.isEmpty {
            frame.screen.put(picture.cells, body.lowerBound, left)
            left += room.columns + 2
            below = max(below, body.lowerBound + room.rows)
        }
        var row = body.lowerBound
        row = frame.paragraph(item.shownTitle, row, left..<right, .strong, rows: 2)
        if let author = item.author { frame.screen.put(author, row, left, limit: right - left) }
        drawState(status, &frame, row + 2, left..<right, now)
        drawReasons(status, &frame, row + 4, left..<right, until: below)
        drawBars(status, &frame, below + 1, now)
        drawChapters(&frame, below + 5..<body.upperBound, now)
    }

    private func drawNothing(_ frame: inout Frame, _ body: Range<Int>) {
        let library = preferences.keys.name(of: .library) ?? "2"
        let pause = preferences.keys.name(of: .pause) ?? "pause"
        let text =
            switch session.connection {
            case .coming: "One moment."
            case .present where session.status == nil: "One moment."
            case .present:
                "Nothing is loaded. \(pause) resumes what was heard last, \(library) shows the library; "
                    + "`rostrum play FILE` plays what is not in it."
            case .absent(let reason): reason
            }
        frame.paragraph(text, body.lowerBound + 1, 2..<max(12, frame.columns - 2), rows: 3)
    }

    private func drawState(_ status: Status, _ frame: inout Frame, _ row: Int, _ columns: Range<Int>, _ now: Int64) {
        let state = stateText
        var parts = ["\(state.sign) \(state.words)", rateText(session.wantedRate ?? status.rate)]
        let volume = session.wantedVolume ?? status.volume
        if volume != 1 { parts.append("volume \(percentText(volume))") }
        if let sleep = status.sleep { parts.append(sleepText(sleep, now)) }
        let end = frame.screen.put(
            parts.joined(separator: "   "), row, columns.lowerBound, .accent, limit: columns.count)
        frame.touch(row, columns.lowerBound..<max(columns.lowerBound + 1, end), .action(.pause))
        let sources = [status.engine, "owner \(status.owner)", status.session.route, status.sound.map(\.shortText)]
            .compactMap { $0 }
        frame.screen.put(sources.joined(separator: " · "), row + 1, columns.lowerBound, .faint, limit: columns.count)
    }

    private func sleepText(_ sleep: Status.Sleep, _ now: Int64) -> String {
        switch sleep.end {
        case "over": "asleep"
        case "book": "sleep after the book"
        default:
            session.sleepRemaining(now).map {
                ($0 >= 60_000 ? "sleep in \(($0 + 59_999) / 60_000) min" : "sleep in \($0 / 1000) s")
            } ?? "sleep set"
        }
    }

    /// Draws why it is held, and what is wrong.
    private func drawReasons(
        _ status: Status, _ frame: inout Frame, _ row: Int, _ columns: Range<Int>, until end: Int
    ) {
        var row = row
        if let holdText, row < end { row = frame.paragraph(holdText, row, columns, .warning, rows: min(2, end - row)) }
        if let error = status.error, status.status == "error", row < end {
            row = frame.paragraph(error.message, row, columns, .failure, rows: min(2, end - row))
        }
        if let warning = status.warning, row < end {
            frame.paragraph(warning, row, columns, .warning, rows: min(2, end - row))
        }
    }

    private func drawBars(_ status: Status, _ frame: inout Frame, _ row: Int, _ now: Int64) {
        let position = own.at(now)
        let columns = 2..<max(12, frame.columns - 2)
        // While the listener moves, the session has not said yet in which chapter that ends.
        let chapter = chapter(at: position) ?? status.chapter
        if let chapter {
            let title = chapter.title.map { "  \($0)" } ?? ""
            let page = status.page.map { "page \($0.label)" } ?? ""
            frame.screen.put(page, row, endingAt: columns.upperBound)
            frame.screen.put(
                "Chapter \(chapter.index + 1) of \(chapter.count)\(title)", row, 2,
                limit: max(0, columns.count - (page.isEmpty ? 0 : page.columns + 2)))
            if let start = chapter.startMs {
                let times = "\(clockText(position.map { $0 - start })) / \(clockText(chapter.endMs.map { $0 - start }))"
                frame.bar(row + 1, columns, position, from: start, to: chapter.endMs, times: times, glyphs)
            }
        } else if let track = status.track, track.count > 1 {
            frame.screen.put("File \(track.index + 1) of \(track.count)", row, 2)
        }
        let confidence = status.duration.confidence == "estimated" ? "~" : ""
        let percent = status.duration.ms.flatMap { end in
            position.map { end > 0 ? "  \(min(100, $0 * 100 / end)) %" : "" }
        }
        let times = "\(clockText(position)) / \(confidence)\(clockText(status.duration.ms))\(percent ?? "")"
        frame.bar(row + 3, columns, position, from: 0, to: status.duration.ms, times: times, glyphs)
        frame.screen.put("Book", row + 2, 2)
        if let left = status.duration.ms.flatMap({ end in position.map { end - $0 } }), status.rate > 0.01 {
            let real = Int64((Double(left) / status.rate).rounded())
            frame.screen.put("\(clockText(real)) left", row + 2, endingAt: frame.columns - 2, .faint)
        }
    }

    /// The chapter of a position, by the chapters that are known.
    private func chapter(at position: Int64?) -> Status.Chapter? {
        guard let chapters = session.contents?.chapters, let position,
            let index = chapters.lastIndex(where: { ($0.startMs ?? .max) <= position })
        else { return nil }
        let chapter = chapters[index]
        return Status.Chapter(
            index: index, count: chapters.count, title: chapter.title, startMs: chapter.startMs, endMs: chapter.endMs)
    }

    private func drawChapters(_ frame: inout Frame, _ rows: Range<Int>, _ now: Int64) {
        guard rows.count > 0 else { return }
        var rows = rows
        if let next {
            let name = preferences.keys.name(of: .next)
            let key = [next.isSelected ? "Enter" : nil, name].compactMap { $0 }.joined(separator: " or ")
            frame.screen.put(next.text(now, key: key), rows.lowerBound, 2, .accent, limit: frame.columns - 4)
            frame.touch(rows.lowerBound, 2..<frame.columns, .action(.next))
            rows = rows.lowerBound + 1..<rows.upperBound
        }
        let chapters = session.contents?.chapters ?? []
        let current = session.status?.chapter?.index
        let digits = "\(chapters.count)".count
        for (line, index) in lists.chapters.window(of: chapters.count, rows: rows.count).enumerated() {
            let row = rows.lowerBound + line
            guard rows.contains(row) else { break }
            let isSelected = index == lists.chapters.index && overlay == nil
            let style = isSelected ? Style.selected : index == current ? .strong : .plain
            frame.screen.fill(row, 1..<frame.columns - 1, " ", style)
            let mark = index == current ? glyphs.here : " "
            let number = String(repeating: " ", count: digits - "\(index + 1)".count) + "\(index + 1)"
            frame.screen.put(
                "\(mark) \(number)  \(chapters[index].title ?? "")", row, 2, style, limit: frame.columns - 14)
            frame.screen.put(clockText(chapters[index].startMs), row, endingAt: frame.columns - 2, style)
            frame.touch(row, 1..<frame.columns - 1, .chapter(index))
        }
    }
}

extension Status.Sound {
    fileprivate var shortText: String {
        [
            mono ? "mono" : nil, balance == 0 ? nil : "balance \(balance)", loudness == nil ? nil : "even loudness",
            silence == nil ? nil : "silences shortened",
        ].compactMap { $0 }.joined(separator: ", ")
    }
}
