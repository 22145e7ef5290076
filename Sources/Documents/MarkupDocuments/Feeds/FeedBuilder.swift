// SPDX-License-Identifier: Apache-2.0

internal import CLibXML2
internal import Glibc
internal import PodcastFeeds

/// Makes a feed of the elements of its document.
final class FeedBuilder: FeedEventTaking {
    private(set) var isFeed = false
    private(set) var isOver = false
    private var feed = PodcastFeed()
    /// The names of the elements that are open.
    private var path: [String] = []
    private var item: ItemDraft?
    /// The depth at which the children of the item, or of the channel, are.
    private var itemDepth = 0
    private var chapters = 0
    private var unplayable = 0
    private var isAuthor = false
    private var summaryRank = 0
    private let base: String?

    init(base: String?) { self.base = base }

    private static let texts: Set<String> = [
        "title", "itunes:title", "atom:title", "description", "itunes:summary", "itunes:subtitle", "atom:summary",
        "atom:content", "content:encoded", "atom:subtitle", "itunes:author", "dc:creator", "author", "atom:name",
        "language",
        "dc:language", "guid", "atom:id", "pubdate", "dc:date", "atom:published", "atom:updated", "itunes:duration",
        "itunes:season", "podcast:season", "itunes:episode", "podcast:episode", "itunes:episodetype", "itunes:type",
        "itunes:explicit", "itunes:new-feed-url", "link", "url", "summary", "subtitle",
    ]

    func begin(_ element: FeedElement) -> Bool {
        let parent = path.last
        var name = element.name
        // The elements of Atom may have no prefix.
        if path.isEmpty {
            isFeed = ["rss", "rdf:rdf", "atom:feed", "feed", "channel"].contains(name)
            if !isFeed {
                isOver = true
                return false
            }
        }
        if path.first == "feed", !name.contains(":"), name != "?" { name = "atom:" + name }
        path.append(name)
        if item == nil, name == "item" || name == "atom:entry" {
            item = ItemDraft()
            itemDepth = path.count
            return false
        }
        if item != nil {
            beginInItem(name, element, parent)
        } else {
            beginInChannel(name, element, parent)
        }
        guard Self.texts.contains(name) else { return false }
        // Whatever stands deeper belongs to something else: the title of an image, the author of a source.
        if item != nil { return path.count == itemDepth + 1 || name == "atom:name" && path.count == itemDepth + 2 }
        return path.count <= 3 || name == "atom:name" || name == "url" && parent == "image"
    }

    private func beginInItem(_ name: String, _ element: FeedElement, _ parent: String?) {
        switch name {
        case "enclosure": offer(element["url"], element["type"], element["length"], rank: 0)
        case "media:content":
            // Beside the recording, pictures and small versions of it are listed.
            let medium = element["medium"]?.lowercased()
            guard medium != "image", medium != "document" else { break }
            offer(element["url"], element["type"] ?? medium.map { $0 + "/*" }, element["filesize"], rank: 10)
        case "atom:link":
            switch element["rel"]?.lowercased() ?? "alternate" {
            case "enclosure": offer(element["href"], element["type"], element["length"], rank: 0)
            case "alternate": if item?.link == nil { item?.link = address(element["href"]) }
            default: break
            }
        case "itunes:image": if let image = address(element["href"] ?? element["url"]) { item?.image = image }
        case "media:thumbnail": if item?.image == nil { item?.image = address(element["url"]) }
        case "podcast:chapters":
            if item?.chapterDocument == nil, let url = address(element["url"]) {
                item?.chapterDocument = PodcastDocument(url: url, type: word(element["type"]))
            }
        case "podcast:transcript":
            guard let url = address(element["url"]), item?.transcripts.count ?? 0 < FeedLimits.transcripts else {
                break
            }
            item?.transcripts.append(
                PodcastDocument(url: url, type: word(element["type"]), language: word(element["language"])))
        case "psc:chapter":
            guard let start = element["start"].flatMap(FeedDuration.milliseconds),
                item?.chapters.count ?? 0 < FeedLimits.chapters, chapters < FeedLimits.allChapters
            else { break }
            chapters += 1
            item?.chapters.append(PodcastChapter(start: start, title: element["title"]?.line(to: FeedLimits.title)))
        default: break
        }
    }

    private func beginInChannel(_ name: String, _ element: FeedElement, _ parent: String?) {
        switch name {
        case "itunes:image": feed.image = address(element["href"] ?? element["url"]) ?? feed.image
        case "atom:link":
            guard let url = address(element["href"]) else { break }
            switch element["rel"]?.lowercased() ?? "alternate" {
            case "next": feed.nextPage = url
            case "alternate": feed.link = feed.link ?? url
            default: break
            }
        case "atom:feed", "feed":
            if let language = element["lang"] { feed.language = language.line(to: FeedLimits.word) }
        default: break
        }
    }

    func end(_ text: [UInt8]?) {
        let name = path.popLast() ?? ""
        let parent = path.last
        if let draft = item, path.count == itemDepth - 1 {
            item = nil
            keep(draft)
            return
        }
        guard let text else { return }
        if item != nil { take(name, text, parent) } else { takeOfChannel(name, text, parent) }
    }

    private func take(_ name: String, _ text: [UInt8], _ parent: String?) {
        switch name {
        case "itunes:title": item?.title.offer(line(text), rank: 1)
        case "title", "atom:title": item?.title.offer(line(text), rank: 0)
        case "atom:name" where parent == "atom:author": item?.author.offer(line(text), rank: 1)
        case "itunes:author": item?.author.offer(line(text), rank: 0)
        case "dc:creator", "author": item?.author.offer(line(text), rank: 2)
        case "description", "atom:summary": item?.summary.offer(PlainSummary.text(text), rank: 1)
        case "content:encoded", "atom:content": item?.summary.offer(PlainSummary.text(text), rank: 0)
        case "itunes:summary", "summary": item?.summary.offer(PlainSummary.text(text), rank: 2)
        case "itunes:subtitle", "subtitle": item?.summary.offer(PlainSummary.text(text), rank: 3)
        case "guid", "atom:id": if let guid = line(text, FeedLimits.guid) { item?.guid = guid }
        case "pubdate", "atom:published": item?.published.offer(date(text), rank: 0)
        case "dc:date": item?.published.offer(date(text), rank: 1)
        case "atom:updated": item?.published.offer(date(text), rank: 2)
        case "itunes:duration": if let time = line(text).flatMap(FeedDuration.milliseconds) { item?.duration = time }
        case "itunes:season", "podcast:season": if let season = number(text) { item?.season = season }
        case "itunes:episode", "podcast:episode": if let number = number(text) { item?.number = number }
        case "itunes:episodetype":
            item?.kind = PodcastEpisode.Kind(rawValue: line(text)?.lowercased() ?? "") ?? .full
        case "itunes:explicit": item?.isExplicit = flag(text)
        case "link": if item?.link == nil { item?.link = address(line(text, FeedLimits.url)) }
        default: break
        }
    }

    private func takeOfChannel(_ name: String, _ text: [UInt8], _ parent: String?) {
        switch name {
        case "title", "atom:title": feed.title = feed.title ?? line(text)
        case "itunes:author": feed.author = line(text) ?? feed.author
        case "atom:name" where parent == "atom:author": feed.author = feed.author ?? line(text)
        case "dc:creator": feed.author = feed.author ?? line(text)
        case "description", "atom:subtitle": summarize(text, rank: 3)
        case "itunes:summary": summarize(text, rank: 2)
        case "itunes:subtitle": summarize(text, rank: 1)
        case "language", "dc:language": feed.language = line(text, FeedLimits.word) ?? feed.language
        case "url" where parent == "image": feed.image = feed.image ?? address(line(text, FeedLimits.url))
        case "itunes:type": feed.isSerial = line(text)?.lowercased() == "serial"
        case "itunes:explicit": feed.isExplicit = flag(text)
        case "itunes:new-feed-url": feed.newAddress = address(line(text, FeedLimits.url)) ?? feed.newAddress
        case "link": feed.link = feed.link ?? address(line(text, FeedLimits.url))
        default: break
        }
    }

    private func summarize(_ text: [UInt8], rank: Int) {
        guard rank > summaryRank, let summary = PlainSummary.text(text) else { return }
        (feed.summary, summaryRank) = (summary, rank)
    }

    /// Offers a recording: of several, one to hear goes before one to see, and that before what nobody says anything about.
    private func offer(_ url: String?, _ type: String?, _ length: String?, rank: Int) {
        guard let url = address(url) else { return }
        let type = word(type)
        let kind: Int
        switch type?.prefix(6) {
        case "audio/": kind = 0
        case "video/": kind = 1
        case "image/": return
        case "text/h", "text/p", "text/v": return
        default: kind = type == nil || type == "application/octet-stream" ? 2 : 3
        }
        let bytes = length.flatMap { Int64($0.filter { $0 != "," && $0 != " " }) }
        item?.enclosure.offer(
            PodcastEnclosure(
                url: url, type: type, length: bytes.flatMap { (1...Int64(1) << 50).contains($0) ? $0 : nil }),
            rank: rank + kind)
    }

    private func keep(_ draft: ItemDraft) {
        guard let enclosure = draft.enclosure.value else {
            unplayable += 1
            return
        }
        feed.episodes.append(draft.episode(enclosure))
        if feed.episodes.count >= FeedLimits.episodes { isOver = true }
    }

    func finished(isSound: Bool) -> PodcastFeed {
        if isOver { feed.warnings.append("only the first \(FeedLimits.episodes) episodes are kept") }
        if !isSound { feed.warnings.append("the feed is damaged; it was read as far as it makes sense") }
        if unplayable > 0 { feed.warnings.append("\(unplayable) entries have no recording") }
        EpisodeIdentities.settle(&feed)
        return feed
    }

    // MARK: Values

    private func line(_ text: [UInt8], _ limit: Int = FeedLimits.title) -> String? {
        // Titles are escaped twice where a site's software does not know what it writes.
        PlainSummary.references(text.prefix(limit * 2)).line(to: limit)
    }

    private func date(_ text: [UInt8]) -> Int64? { line(text).flatMap(FeedDate.milliseconds) }

    private func word(_ text: String?) -> String? {
        guard let word = text?.lowercased().prefix(while: { $0 != ";" }), !word.isEmpty, word != "-" else { return nil }
        let isWord = word.utf8.count <= FeedLimits.word && word.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isWord ? String(word) : nil
    }

    private func number(_ text: [UInt8]) -> Int? {
        let value = line(text).flatMap { Double($0) }
        guard let value, value >= 0, value <= 1_000_000 else { return nil }
        return Int(value)
    }

    private func flag(_ text: [UInt8]) -> Bool? {
        switch line(text)?.lowercased() {
        case "yes", "true", "explicit", "1": true
        case "no", "false", "clean", "0": false
        default: nil
        }
    }

    private func address(_ text: String?) -> String? {
        guard let text = text.map({ PlainSummary.references(Array($0.utf8)[...]) }), text.utf8.count <= FeedLimits.url
        else { return nil }
        if let url = FeedAddress.web(text) { return url }
        guard let base, let reference = text.line(to: FeedLimits.url),
            let resolved = cxml_resolve(reference, base)
        else { return nil }
        defer { free(resolved) }
        return FeedAddress.web(String(cString: resolved))
    }
}
