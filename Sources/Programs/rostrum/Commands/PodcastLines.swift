// SPDX-License-Identifier: Apache-2.0

import SessionProtocol
import TerminalPlayer

/// A day as lists show it.
enum DayText {
    /// Returns the date here, as in 2026-11-28, of milliseconds since 1970.
    static func of(_ milliseconds: Int64) -> String { HistoryText.time(milliseconds, as: "%Y-%m-%d") }
}

/// A request about podcasts.
enum PodcastQuery {
    static func send(_ action: PodcastAction, seconds: Int32 = 60) throws(SessionError) -> PodcastPage {
        let command = SessionCommand.podcasts(action)
        try command.validate()
        return try decoded(
            try Session.runningOrStarted().call(.command(command), seconds: seconds), as: PodcastPage.self)
    }
}

extension String {
    /// The ID in `podcast:ID`, or the text itself.
    var withoutPodcastPrefix: String {
        hasPrefix(PodcastName.prefix) ? String(dropFirst(PodcastName.prefix.count)) : self
    }
}

extension PodcastPage {
    func show(json: Bool, namesPodcasts: Bool = false) throws(SessionError) {
        var bytes: [UInt8] = []
        for podcast in podcasts {
            bytes += json ? try JSONLine.encode(podcast) : Array((podcast.line.printable + "\n").utf8)
        }
        for episode in episodes {
            bytes += json ? try JSONLine.encode(episode) : Array((episode.line(namesPodcasts).printable + "\n").utf8)
        }
        try StandardOutput.write(bytes)
        for problem in problems { StandardError.write(warning: problem) }
    }

    /// Fails if nothing but problems came of a refresh.
    func fail() throws(SessionError) {
        guard episodes.isEmpty, let problem = problems.first else { return }
        throw SessionError(.unavailable, "podcast refresh: \(problem); try again later")
    }
}

extension PodcastInfo {
    var name: String { title ?? address }

    /// One line: the ID, how many episodes were not played, the name, what is wrong.
    fileprivate var line: String {
        let counts = "\(unplayed)/\(episodes)" + (new > 0 ? " \(new) new" : "")
        let trouble = isGone ? "  (gone)" : fault.map { "  (\($0))" } ?? ""
        return "\(id)  \(counts)  \(name)" + trouble
    }

    var rule: String {
        let kept =
            switch keepNewest {
            case nil: "nothing is kept here by itself"
            case 1?: "the newest episode is kept here"
            case let number?: "the newest \(number) episodes are kept here"
            }
        return kept + (deletesPlayed ? ", and one that was heard to its end is deleted" : "")
    }

    fileprivate var detail: String {
        var lines = ["\(id)  \(name)"]
        if let author { lines.append("by \(author)") }
        lines.append("feed      \(address)")
        if let link { lines.append("page      \(link)") }
        if let language { lines.append("language  \(language)") }
        lines.append("episodes  \(episodes), \(unplayed) not played, \(new) new")
        lines.append("keeps     \(rule)")
        if let fetchedAt { lines.append("fetched   \(DayText.of(fetchedAt))") }
        if let fault { lines.append("fault     \(fault)") }
        if let summary { lines += ["", summary] }
        return lines.flatMap {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        }
        .joined(separator: "\n") + "\n"
    }
}

extension EpisodeInfo {
    /// One line: the ID, the day, the state, the length and the title.
    fileprivate func line(_ namesPodcast: Bool) -> String {
        let day = publishedAt.map(DayText.of) ?? "          "
        let mark = state == "unplayed" ? "" : "  (\(state))"
        let length = durationMs.map { "  \(max(1, $0 / 60_000)) min" } ?? ""
        let name = title ?? "untitled"
        return "\(id)  \(day)  \(namesPodcast ? (podcast.map { $0 + ": " } ?? "") : "")\(name)\(length)\(mark)"
    }

    fileprivate var detail: String {
        var lines = ["\(id)  \(title ?? "untitled")"]
        if let podcast { lines.append("podcast    \(podcast)") }
        if let author { lines.append("by         \(author)") }
        if let publishedAt { lines.append("published  \(DayText.of(publishedAt))") }
        if let durationMs { lines.append("length     \(max(1, durationMs / 60_000)) min") }
        let place = [season.map { "season \($0)" }, number.map { "episode \($0)" }].compactMap(\.self)
        if !place.isEmpty { lines.append("number     " + place.joined(separator: ", ")) }
        lines.append("state      \(state)" + (isListed ? "" : ", no longer in the feed"))
        if hasChapters { lines.append("chapters   yes") }
        if hasTranscript { lines.append("transcript yes: rostrum read podcast:\(id)") }
        if let link { lines.append("page       \(link)") }
        if let summary { lines += ["", summary] }
        return lines.flatMap {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
        }
        .joined(separator: "\n") + "\n"
    }
}
