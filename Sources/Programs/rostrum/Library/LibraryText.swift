// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

extension LibraryBook {
    /// The book as one line: `ID  LENGTH  Author: Title  (with text)  (2 of 3 files missing)`.
    var line: String {
        var line = "\(id)  \(clockText(durationMs))  \(heading)"
        if text != nil { line += "  (with text)" }
        if missing > 0 {
            line += files == 0 ? "  (not there)" : "  (\(missing) of \(files &+ missing) files missing)"
        }
        return line
    }

    fileprivate var heading: String { author.map { "\($0): \(title)" } ?? title }
}

extension LibraryPage {
    /// Prints a line per book.
    func show(json: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        for book in books {
            bytes += json ? try JSONLine.encode(book) : Array((book.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

extension LibraryBookDetail {
    var lines: [String] {
        var lines = [
            "\(book.id)  \(book.heading)", "where: \(book.uri)",
            "length: \(clockText(book.durationMs)) (\(book.durationConfidence))",
        ]
        if let text { lines.append("text: \(text)") }
        if let cover = book.cover { lines.append("cover: \(cover)") }
        lines.append("files: \(book.files)" + (book.missing > 0 ? ", and \(book.missing) missing" : ""))
        for track in tracks {
            let state = track.missing ? "  MISSING" : track.codec.map { "  \($0)" } ?? ""
            lines.append("  \(clockText(track.durationMs))\(state)  \(track.uri)")
        }
        if !chapters.isEmpty { lines.append("chapters: \(chapters.count)") }
        for chapter in chapters {
            lines.append("  \(chapter.index &+ 1)  \(clockText(chapter.startMs))  \(chapter.title ?? "")")
        }
        return lines
    }
}

extension LibraryImportSummary {
    var line: String {
        let counts: [(Int, String)] = [
            (added, "added"), (moved, "moved"), (updated, "updated"), (unchanged, "as they were"),
            (missing, "not there"), (failed, "left out"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return (words.isEmpty ? "no books found" : "books: " + words.joined(separator: ", "))
            + (cancelled ? " (ended early)" : "")
    }
}
