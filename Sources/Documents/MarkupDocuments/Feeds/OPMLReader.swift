// SPDX-License-Identifier: Apache-2.0

public import PodcastFeeds
public import ReadingText

/// Reads the feeds of an OPML file, whatever outlines they lie in.
public enum OPMLReader {
    public static func read(
        _ file: [UInt8], charset: String? = nil, limits: ReadingLimits = ReadingLimits()
    ) throws(DocumentError) -> SubscriptionList {
        var limits = limits
        limits.fileSize = min(limits.fileSize, FeedLimits.document)
        let builder = Builder()
        let isSound = try FeedEvents.read(file, charset: charset, limits: limits, to: builder)
        guard builder.isOPML else {
            throw DocumentError(.format, "it is no OPML file; export the podcasts of another player as OPML")
        }
        var list = builder.list
        if builder.isFull { list.warnings.append("only the first \(FeedLimits.subscriptions) feeds are read") }
        if !isSound { list.warnings.append("the file is damaged; it was read as far as it makes sense") }
        if builder.refused > 0 { list.warnings.append("\(builder.refused) feeds have no http or https address") }
        return list
    }

    private final class Builder: FeedEventTaking {
        var list = SubscriptionList()
        var isOPML = false
        var isOver = false
        var isFull = false
        var refused = 0
        private var isFirst = true
        private var known: Set<String> = []

        func begin(_ element: FeedElement) -> Bool {
            if isFirst {
                isFirst = false
                isOPML = element.name == "opml" || element.name == "outline"
                isOver = !isOPML
            }
            guard element.name == "outline", let text = element["xmlurl"] ?? feed(element) else { return false }
            guard let url = FeedAddress.web(PlainSummary.references(Array(text.utf8)[...])) else {
                refused += 1
                return false
            }
            guard known.insert(url).inserted else { return false }
            guard list.entries.count < FeedLimits.subscriptions else {
                (isFull, isOver) = (true, true)
                return false
            }
            let title = (element["text"] ?? "").isEmpty ? element["title"] : element["text"]
            list.entries.append(
                SubscriptionList.Entry(
                    url: url,
                    title: title.flatMap { PlainSummary.references(Array($0.utf8)[...]).line(to: FeedLimits.title) }))
            return false
        }

        /// Returns the address of an outline that says `url` for a feed.
        private func feed(_ element: FeedElement) -> String? {
            element["type"]?.lowercased() == "rss" ? element["url"] : nil
        }

        func end(_ text: [UInt8]?) {}
    }
}
