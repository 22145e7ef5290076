// SPDX-License-Identifier: Apache-2.0

import DocumentBridge
import MediaPlayback
import PodcastFeeds
import Testing

/// Feeds through the real process that parses them, and through one that only claims to.
@Suite(.timeLimit(.minutes(2))) struct FeedParserTests {
    private let parser = FeedParser(program: DocumentReaderTests.program)

    @Test func `a feed and a list of subscriptions come through the confined process`() async throws {
        let text = """
            <?xml version="1.0" encoding="koi8-r"?><rss><channel><title>A</title><item><guid>1</guid>
            <enclosure url="1.mp3"/></item></channel></rss>
            """
        let feed = try await parser.feed(Array(text.utf8), name: "a feed", base: "https://a.example/f/feed.xml")
        #expect(feed.title == "A" && feed.episodes.map(\.enclosure.url) == ["https://a.example/f/1.mp3"])
        let list = SubscriptionList(entries: [.init(url: "https://a.example/f", title: "A & B")])
        #expect(try await parser.subscriptions(Array(list.opml.utf8), name: "podcasts.opml") == list)
    }

    @Test func `a page in place of a feed is refused in one line that names it`() async throws {
        await #expect(
            throws: ItemError(
                .unsupported, "a page: it is no RSS or Atom feed; give the address of a podcast's feed")
        ) { try await parser.feed(Array("<html/>".utf8), name: "a page") }
        await #expect(throws: ItemError.self) { try await parser.subscriptions([], name: "nothing") }
    }

    @Test(arguments: ["/bin/true", "/bin/cat", "/nowhere"])
    func `a program that is no reader`(program: String) async throws {
        await #expect(throws: ItemError.self) {
            try await FeedParser(program: program).feed(Array("<rss/>".utf8), name: "a feed")
        }
    }
}
