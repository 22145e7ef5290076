// SPDX-License-Identifier: Apache-2.0

import Glibc
import SessionProtocol
import TerminalPlayer

extension BrowsePage {
    /// The age from which it is told, in milliseconds.
    private static let old: Int64 = 3_600_000

    /// Prints a line per entry, and what there is to say of the page.
    func write(json: Bool, isFirst: Bool) throws(SessionError) {
        if json { return try writeJSON(isFirst: isFirst) }
        if isFirst, let remark { StandardError.write(warning: remark) }
        var lines = libraries.map(\.line) + items.map { $0.line } + episodes.map(\.line) + groups.map(\.line)
        if items.count == 1, total == 1, let item = items.first, item.description != nil || item.cover != nil {
            lines = item.lines
        } else if let episode = episodes.first, total == 1, episode.description != nil {
            lines = episode.lines
        }
        if lines.isEmpty, isFirst, offset == 0 { lines = [isRefreshing ? "nothing is known yet" : "nothing fits"] }
        try StandardOutput.write(lines.map { $0.printable + "\n" }.joined())
    }

    /// Says how old the entries are and why, where that matters.
    private var remark: String? {
        var parts: [String] = []
        if let refreshedAt {
            let age = Int64(time(nil)) * 1000 - refreshedAt
            if fault != nil || age > Self.old { parts.append("as of \(Self.text(age: age)) ago") }
        } else if isRefreshing {
            parts.append("not all is known yet; the server is being asked")
        }
        if let fault { parts.append(fault) }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    static func text(age: Int64) -> String {
        let minutes = max(0, age) / 60_000
        switch minutes {
        case 0: return "less than a minute"
        case 1..<120: return "\(minutes) min"
        case 120..<2880: return "\(minutes / 60) h"
        default: return "\(minutes / 1440) days"
        }
    }

    private func writeJSON(isFirst: Bool) throws(SessionError) {
        var bytes: [UInt8] = []
        func add(_ type: String, _ object: [UInt8]) {
            bytes += Array("{\"type\":\"\(type)\",".utf8) + object.dropFirst() + [JSONLine.newline]
        }
        if isFirst {
            var page = self
            (page.libraries, page.items, page.episodes, page.groups) = ([], [], [], [])
            add("page", try JSONLine.text(page))
        }
        for library in libraries { add("library", try JSONLine.text(library)) }
        for item in items { add("item", try JSONLine.text(item)) }
        for episode in episodes { add("episode", try JSONLine.text(episode)) }
        for group in groups { add("group", try JSONLine.text(group)) }
        try StandardOutput.write(bytes)
    }
}

/// Returns the beginning of an ID that a person types.
private func short(_ id: String) -> String { id.utf8.count > 12 ? String(id.prefix(8)) : id }

/// Returns a number with what it counts.
private func count(_ number: some BinaryInteger, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
}

/// Returns how far an item is: `42%`, or `finished`.
private func share(_ position: Int64?, _ duration: Int64?, isFinished: Bool) -> String? {
    if isFinished { return "finished" }
    guard let position, position > 0, let duration, duration > 0 else { return nil }
    return "\(min(99, max(1, Int(Double(position) / Double(duration) * 100))))%"
}

extension BrowseLibrary {
    fileprivate var line: String { "\(name)  \(count(items, kind == "book" ? "book" : "podcast"))  \(server)" }
}

extension BrowseItem {
    fileprivate var heading: String { author.map { "\($0): \(title)" } ?? title }

    /// The item as one line: `ID  LENGTH  Author: Title  (Series #2)  42%`.
    fileprivate var line: String {
        let size = kind == "podcast" ? count(episodes ?? 0, "episode") : clockText(durationMs)
        var parts = [short(id), size, sequence.map { "\($0). \(heading)" } ?? heading]
        if sequence == nil, let series { parts.append("(\(series))") }
        if let share = share(positionMs, durationMs, isFinished: isFinished) { parts.append(share) }
        if isMissing { parts.append("(not there)") }
        return parts.joined(separator: "  ")
    }

    fileprivate var lines: [String] {
        var lines = ["\(short(id))  \(heading)", "uri: \(uri)"]
        if let subtitle { lines.append("subtitle: \(subtitle)") }
        if let narrator { lines.append("read by: \(narrator)") }
        if let series { lines.append("series: \(series)") }
        if kind == "podcast" {
            lines.append("episodes: \(episodes ?? 0)")
        } else {
            lines.append("length: \(clockText(durationMs))")
        }
        if let share = share(positionMs, durationMs, isFinished: isFinished) { lines.append("heard: \(share)") }
        if let year { lines.append("year: \(year)") }
        if !genres.isEmpty { lines.append("genres: \(genres.joined(separator: ", "))") }
        if !tags.isEmpty { lines.append("tags: \(tags.joined(separator: ", "))") }
        if let cover { lines.append("cover: \(cover)") }
        if let description { lines.append("  " + MarkupText.plain(description)) }
        return lines
    }
}

extension BrowseEpisode {
    fileprivate var line: String {
        var parts = [short(id)]
        if let publishedAt { parts.append(HistoryText.time(publishedAt, as: "%Y-%m-%d")) }
        parts += [clockText(durationMs), podcast.map { "\($0): \(title)" } ?? title]
        if let share = share(positionMs, durationMs, isFinished: isFinished) { parts.append(share) }
        return parts.joined(separator: "  ")
    }

    fileprivate var lines: [String] {
        var lines = ["\(short(id))  \(title)", "uri: \(uri)"]
        if let podcast { lines.append("podcast: \(podcast)") }
        if let publishedAt { lines.append("published: \(HistoryText.time(publishedAt))") }
        lines.append("length: \(clockText(durationMs))")
        if let share = share(positionMs, durationMs, isFinished: isFinished) { lines.append("heard: \(share)") }
        if let description { lines.append("  " + MarkupText.plain(description)) }
        return lines
    }
}

extension BrowseGroup {
    fileprivate var line: String { "\(short(id))  \(count(items, "book"))  \(name)" }
}

/// The words of a description that may be HTML.
enum MarkupText {
    /// Returns the text without tags and with the usual entities replaced, in one line.
    static func plain(_ text: String) -> String {
        var result = ""
        var isTag = false
        for character in text {
            switch character {
            case "<": isTag = true
            case ">" where isTag:
                isTag = false
                result += " "
            default: if !isTag { result.append(character) }
            }
        }
        // A single "<" is no tag.
        if isTag { result = text }
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&apos;", "'"), ("&nbsp;", " "),
            ("&amp;", "&"),
        ] { result = result.split(separator: entity, omittingEmptySubsequences: false).joined(separator: character) }
        return result.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
