// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

extension ClipInfo {
    var endMs: Int64? { startMs.flatMap { start in durationMs.map { start &+ $0 } } }

    /// The place in the book: its times, or the track and the time in it.
    fileprivate var place: String {
        if quote != nil { return "byte \(start.units)–\(end.units)" }
        if let startMs { return "\(clockText(startMs))–\(clockText(endMs))" }
        let seconds = Double(start.units) / max(start.unitsPerSecond, 0.1)
        return "file \(start.track &+ 1), \(clockText(Int64(seconds * 1000)))"
    }

    /// The clip as one line: `ID  0:01:02–0:01:22  Title  note  [tags]`.
    var line: String {
        var parts = [id, place, author.map { "\($0): \(title)" } ?? title]
        if let quote { parts.append("“\(quote.oneLine(atMost: 80))”") }
        if let first = note.split(whereSeparator: \.isNewline).first { parts.append(String(first)) }
        if !tags.isEmpty { parts.append("[\(tags.joined(separator: ", "))]") }
        if !sourceThere { parts.append("(the book is gone)") }
        return parts.joined(separator: "  ")
    }

    var lines: [String] {
        var lines = [
            "\(id)  \(author.map { "\($0): \(title)" } ?? title)",
            "where: \(place)\(sourceThere ? "" : " (the book is gone)")",
            "source: \(uri)",
        ]
        if let durationMs { lines.append("length: \(Double(durationMs / 100) / 10) s") }
        if let chapter { lines.append("chapter: \(chapter)") }
        if !tags.isEmpty { lines.append("tags: \(tags.joined(separator: ", "))") }
        lines.append("made: \(HistoryText.time(createdAt))")
        if changedAt != createdAt { lines.append("changed: \(HistoryText.time(changedAt))") }
        if let quote {
            lines += quote.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "> \($0)" }
        } else {
            lines.append("file: \(file?.path ?? "not made yet")")
        }
        lines += note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).filter { _ in !note.isEmpty }
            .map { "  \($0)" }
        return lines
    }
}

extension String {
    /// Returns the beginning in one line.
    fileprivate func oneLine(atMost count: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > count ? line.prefix(count - 1) + "…" : line
    }
}

extension ClipPage {
    /// Prints a line per clip.
    func show(json: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        for clip in clips {
            bytes += json ? try JSONLine.encode(clip) : Array((clip.line.printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
    }
}

/// Clips as a list in Markdown: a heading for each book, an entry for each clip.
struct ClipMarkdown {
    let text: String

    init(_ clips: [ClipInfo]) {
        var lines: [String] = []
        var last: String?
        for clip in clips {
            if clip.uri != last {
                if last != nil { lines.append("") }
                let heading = [clip.title, clip.author].compactMap(\.self).map(Self.plain).joined(separator: ", ")
                lines += ["## \(heading)", ""]
                last = clip.uri
            }
            var entry = "- **\(Self.plain(clip.place))**"
            if let chapter = clip.chapter { entry += " *\(Self.plain(chapter))*" }
            if !clip.tags.isEmpty {
                entry += " " + clip.tags.map { "`\($0.printable.filter { $0 != "`" })`" }.joined(separator: " ")
            }
            lines.append(entry)
            for line in (clip.quote ?? "").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            where clip.quote != nil {
                lines.append("  > " + Self.plain(String(line)))
            }
            for line in clip.note.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            where !clip.note.isEmpty {
                lines.append("  " + Self.plain(String(line)))
            }
        }
        text = lines.map { $0 + "\n" }.joined()
    }

    /// Escapes what Markdown would take for markup.
    private static func plain(_ text: String) -> String {
        text.printable.reduce(into: "") { result, character in
            if "\\`*_{}[]<>#|".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
