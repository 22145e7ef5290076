// SPDX-License-Identifier: Apache-2.0

/// A feed as the process that parses it hands it over: lines of a key and a value.
///
/// It comes from a process that parses foreign files, so it is read without trust.
public enum FeedMessage {
    /// A line feed within a value.
    private static let lineEnd = "\u{2028}"

    public static func encode(_ feed: PodcastFeed) -> [UInt8] {
        var lines = Lines()
        lines.add("title", feed.title)
        lines.add("author", feed.author)
        lines.add("summary", feed.summary)
        lines.add("image", feed.image)
        lines.add("language", feed.language)
        lines.add("link", feed.link)
        lines.add("moved", feed.newAddress)
        lines.add("next", feed.nextPage)
        if feed.isSerial { lines.add("serial", "") }
        lines.add("explicit", feed.isExplicit.map { "\($0)" })
        for warning in feed.warnings { lines.add("warning", warning) }
        for episode in feed.episodes { encode(episode, &lines) }
        return lines.bytes
    }

    private static func encode(_ episode: PodcastEpisode, _ lines: inout Lines) {
        lines.add("episode", episode.guid)
        lines.add("url", episode.enclosure.url)
        lines.add("type", episode.enclosure.type)
        lines.add("length", episode.enclosure.length.map { String($0) })
        lines.add("title", episode.title)
        lines.add("author", episode.author)
        if lines.bytes.count < FeedLimits.message / 2 { lines.add("summary", episode.summary) }
        lines.add("published", episode.published.map { String($0) })
        lines.add("duration", episode.duration.map { String($0) })
        lines.add("image", episode.image)
        lines.add("link", episode.link)
        lines.add("season", episode.season.map { String($0) })
        lines.add("number", episode.number.map { String($0) })
        if episode.kind != .full { lines.add("kind", episode.kind.rawValue) }
        lines.add("explicit", episode.isExplicit.map { "\($0)" })
        for chapter in episode.chapters { lines.add("chapter", "\(chapter.start) \(chapter.title ?? "")") }
        if let document = episode.chapterDocument { lines.add("chapters", words(document)) }
        for document in episode.transcripts { lines.add("transcript", words(document)) }
    }

    private static func words(_ document: PodcastDocument) -> String {
        "\(document.type ?? "-") \(document.language ?? "-") \(document.url)"
    }

    private struct Lines {
        var bytes: [UInt8] = []

        mutating func add(_ key: String, _ value: String?) {
            guard let value else { return }
            bytes += key.utf8
            bytes.append(0x20)
            for byte in value.utf8 {
                switch byte {
                case 0x0A: bytes += FeedMessage.lineEnd.utf8
                case ..<0x20, 0x7F: bytes.append(0x20)
                default: bytes.append(byte)
                }
            }
            bytes.append(0x0A)
        }
    }

    /// Returns the feed in a message; `nil` if the message is too long, or is none.
    public static func decode(_ bytes: [UInt8]) -> PodcastFeed? {
        guard bytes.count <= FeedLimits.message else { return nil }
        var decoding = Decoding()
        for line in bytes.split(separator: 0x0A) {
            let key = line.prefix { $0 != 0x20 }
            guard key.count <= 12, key.count < line.count else { return nil }
            let value = String(decoding: line.dropFirst(key.count + 1), as: UTF8.self)
            guard decoding.take(String(decoding: key, as: UTF8.self), value) else { return nil }
        }
        return decoding.finished()
    }

    private struct Decoding {
        var feed = PodcastFeed()
        var guids: Set<String> = []
        var episode: PodcastEpisode?
        var chapters = 0

        mutating func finished() -> PodcastFeed? {
            guard closeEpisode() else { return nil }
            return feed
        }

        private mutating func closeEpisode() -> Bool {
            guard let done = episode else { return true }
            episode = nil
            guard !done.enclosure.url.isEmpty, feed.episodes.count < FeedLimits.episodes,
                guids.insert(done.guid).inserted
            else { return false }
            feed.episodes.append(done)
            return true
        }

        /// Takes a line; returns `false` for one that no honest process sends.
        mutating func take(_ key: String, _ value: String) -> Bool {
            if key == "episode" {
                guard closeEpisode(), let guid = value.line(to: FeedLimits.guid) else { return false }
                episode = PodcastEpisode(guid: guid, enclosure: PodcastEnclosure(url: ""))
                return true
            }
            return episode == nil ? takeOfFeed(key, value) : takeOfEpisode(key, value)
        }

        private mutating func takeOfFeed(_ key: String, _ value: String) -> Bool {
            switch key {
            case "title": feed.title = value.line(to: FeedLimits.title)
            case "author": feed.author = value.line(to: FeedLimits.title)
            case "summary": feed.summary = FeedMessage.text(value)
            case "image": feed.image = FeedAddress.web(value)
            case "language": feed.language = value.line(to: FeedLimits.word)
            case "link": feed.link = FeedAddress.web(value)
            case "moved": feed.newAddress = FeedAddress.web(value)
            case "next": feed.nextPage = FeedAddress.web(value)
            case "serial": feed.isSerial = true
            case "explicit": feed.isExplicit = Bool(value)
            case "warning":
                guard feed.warnings.count < FeedLimits.warnings, let line = value.line(to: FeedLimits.title) else {
                    return false
                }
                feed.warnings.append(line)
            default: return false
            }
            return true
        }

        private mutating func takeOfEpisode(_ key: String, _ value: String) -> Bool {
            guard var episode else { return false }
            // The only reference, so that a list grows in place.
            self.episode = nil
            defer { self.episode = episode }
            switch key {
            case "url":
                guard let url = FeedAddress.web(value) else { return false }
                episode.enclosure.url = url
            case "type": episode.enclosure.type = value.line(to: FeedLimits.word)
            case "length": episode.enclosure.length = FeedMessage.number(value, in: 0...Int64(1) << 50)
            case "title": episode.title = value.line(to: FeedLimits.title)
            case "author": episode.author = value.line(to: FeedLimits.title)
            case "summary": episode.summary = FeedMessage.text(value)
            case "published": episode.published = FeedMessage.number(value, in: -Int64(1) << 42...Int64(1) << 45)
            case "duration": episode.duration = FeedMessage.number(value, in: 0...FeedLimits.duration)
            case "image": episode.image = FeedAddress.web(value)
            case "link": episode.link = FeedAddress.web(value)
            case "season": episode.season = FeedMessage.number(value, in: 0...1_000_000).map { Int($0) }
            case "number": episode.number = FeedMessage.number(value, in: 0...1_000_000).map { Int($0) }
            case "kind": episode.kind = PodcastEpisode.Kind(rawValue: value) ?? .full
            case "explicit": episode.isExplicit = Bool(value)
            case "chapter":
                chapters += 1
                let start = value.prefix { $0 != " " }
                guard episode.chapters.count < FeedLimits.chapters, chapters <= FeedLimits.allChapters,
                    let start = FeedMessage.number(String(start), in: 0...FeedLimits.duration),
                    start >= episode.chapters.last?.start ?? 0
                else { return false }
                let title = value.drop { $0 != " " }
                episode.chapters.append(
                    PodcastChapter(start: start, title: String(title).line(to: FeedLimits.title)))
            case "chapters":
                guard let document = FeedMessage.document(value) else { return false }
                episode.chapterDocument = document
            case "transcript":
                guard episode.transcripts.count < FeedLimits.transcripts, let document = FeedMessage.document(value)
                else { return false }
                episode.transcripts.append(document)
            default: return false
            }
            return true
        }
    }

    private static func document(_ value: String) -> PodcastDocument? {
        let words = value.split(separator: " ")
        guard words.count == 3, let url = FeedAddress.web(String(words[2])) else { return nil }
        func word(_ index: Int) -> String? {
            words[index] == "-" ? nil : String(words[index]).line(to: FeedLimits.word)
        }
        return PodcastDocument(url: url, type: word(0), language: word(1))
    }

    private static func number(_ value: String, in range: ClosedRange<Int64>) -> Int64? {
        Int64(value).flatMap { range.contains($0) ? $0 : nil }
    }

    private static func text(_ value: String) -> String? {
        let text = value.split(separator: "\u{2028}", omittingEmptySubsequences: false).joined(separator: "\n")
        return text.isEmpty ? nil : text.cut(to: FeedLimits.summary)
    }
}
