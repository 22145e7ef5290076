// SPDX-License-Identifier: Apache-2.0

import MarkupDocuments
import PodcastFeeds
import ReadingText
import Testing

@Suite struct FeedReaderTests {
    private static let spaces =
        "xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" xmlns:atom=\"http://www.w3.org/2005/Atom\""
        + " xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" xmlns:psc=\"http://podlove.org/simple-chapters\""
        + " xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:media=\"http://search.yahoo.com/mrss/\""

    private func read(_ text: String, charset: String? = nil) throws -> PodcastFeed {
        try FeedReader.read(Array(text.utf8), charset: charset, base: "https://a.example/dir/feed.xml")
    }

    private func rss(_ channel: String) throws -> PodcastFeed {
        try read("<?xml version=\"1.0\"?><rss version=\"2.0\" \(Self.spaces)><channel>\(channel)</channel></rss>")
    }

    private func item(_ inside: String) throws -> PodcastEpisode? {
        try rss("<item><enclosure url=\"https://a.example/1.mp3\"/>\(inside)</item>").episodes.first
    }

    @Test func `a feed of RSS is read with the tags of iTunes and Podcasting 2.0`() throws {
        let feed = try rss(
            """
            <title>A &amp; B</title><link>https://a.example/</link><description><![CDATA[<p>One</p><p>two &amp; three</p>]]></description>
            <image><url>https://a.example/small.png</url><title>not this</title><link>https://a.example/no</link></image>
            <itunes:image href="https://a.example/big.png"/><itunes:author>Anna</itunes:author><language>de-de</language>
            <itunes:explicit>yes</itunes:explicit><itunes:type>serial</itunes:type>
            <itunes:new-feed-url>https://b.example/f</itunes:new-feed-url>
            <atom:link rel="self" href="https://a.example/f"/><atom:link rel="next" href="feed.xml?page=2"/>
            <item><title>First</title><itunes:title>The first</itunes:title><guid isPermaLink="false">g1</guid>
            <pubDate>Sat, 28 Nov 2026 19:45:48 GMT</pubDate><itunes:duration>1:02:03</itunes:duration>
            <enclosure url="https://a.example/1.mp3?a=1&amp;b=2" type="audio/mpeg" length="1,234"/>
            <itunes:season>2</itunes:season><itunes:episode>3</itunes:episode><itunes:episodeType>Bonus</itunes:episodeType>
            <itunes:explicit>false</itunes:explicit><description>Text</description>
            <content:encoded><![CDATA[<b>Long</b> text<br>in lines<script>no()</script>]]></content:encoded>
            <podcast:chapters url="https://a.example/c.json" type="application/json+chapters"/>
            <podcast:transcript url="https://a.example/t.vtt" type="text/vtt" language="de"/>
            <podcast:transcript url="t.srt" type="application/srt"/>
            <psc:chapters version="1.2"><psc:chapter start="00:10:00.5" title="Later"/><psc:chapter start="0" title="Begin"/></psc:chapters>
            <itunes:image href="https://a.example/1.png"/><link>https://a.example/1</link></item>
            """)
        #expect(feed.title == "A & B")
        #expect(feed.author == "Anna")
        #expect(feed.summary == "One\ntwo & three")
        #expect(feed.image == "https://a.example/big.png")
        #expect(feed.link == "https://a.example/")
        #expect(feed.language == "de-de")
        #expect(feed.newAddress == "https://b.example/f")
        #expect(feed.nextPage == "https://a.example/dir/feed.xml?page=2")
        #expect(feed.isSerial && feed.isExplicit == true)
        #expect(feed.warnings == [])
        var expected = PodcastEpisode(
            guid: "g1",
            enclosure: PodcastEnclosure(url: "https://a.example/1.mp3?a=1&b=2", type: "audio/mpeg", length: 1234))
        (expected.title, expected.summary) = ("The first", "Long text\nin lines")
        (expected.published, expected.duration) = (1_795_895_148_000, 3_723_000)
        (expected.season, expected.number, expected.kind, expected.isExplicit) = (2, 3, .bonus, false)
        expected.chapterDocument = PodcastDocument(url: "https://a.example/c.json", type: "application/json+chapters")
        expected.transcripts = [
            PodcastDocument(url: "https://a.example/t.vtt", type: "text/vtt", language: "de"),
            PodcastDocument(url: "https://a.example/dir/t.srt", type: "application/srt"),
        ]
        expected.chapters = [
            PodcastChapter(start: 0, title: "Begin"), PodcastChapter(start: 600_500, title: "Later"),
        ]
        (expected.image, expected.link) = ("https://a.example/1.png", "https://a.example/1")
        #expect(feed.episodes == [expected])
    }

    @Test(arguments: [
        "<feed xmlns=\"http://www.w3.org/2005/Atom\">", "<a:feed xmlns:a=\"http://www.w3.org/2005/Atom\">", "<feed>",
    ])
    func `a feed of Atom is read`(start: String) throws {
        let a = start.hasPrefix("<a:") ? "a:" : ""
        let feed = try read(
            """
            \(start)<\(a)title type="html">A &amp;amp; B</\(a)title><\(a)author><\(a)name>Anna</\(a)name></\(a)author>
            <\(a)subtitle>S</\(a)subtitle><\(a)link rel="next" href="/2"/>
            <\(a)entry><\(a)id>urn:1</\(a)id><\(a)title>One</\(a)title><\(a)updated>2026-11-29T00:00:00Z</\(a)updated>
            <\(a)published>2026-11-28T19:45:48Z</\(a)published><\(a)author><\(a)name>Bert</\(a)name></\(a)author>
            <\(a)summary>text</\(a)summary><\(a)link href="https://a.example/1"/>
            <\(a)link rel="enclosure" href="1.ogg" type="audio/ogg" length="5"/></\(a)entry></\(a)feed>
            """)
        #expect(feed.title == "A & B")
        #expect(feed.author == "Anna")
        #expect(feed.nextPage == "https://a.example/2")
        let episode = try #require(feed.episodes.first)
        #expect(episode.guid == "urn:1")
        #expect(episode.author == "Bert")
        #expect(episode.title == "One")
        #expect(episode.published == 1_795_895_148_000)
        #expect(episode.link == "https://a.example/1")
        #expect(
            episode.enclosure
                == PodcastEnclosure(url: "https://a.example/dir/1.ogg", type: "audio/ogg", length: 5))
    }

    @Test(arguments: [
        // An enclosure may come more than once, or by other names.
        ("<enclosure url=\"https://a.example/v.mp4\" type=\"video/mp4\"/><enclosure url=\"https://a.example/a.mp3\" type=\"audio/mpeg\"/>",
         "https://a.example/a.mp3"),
        ("<enclosure url=\"https://a.example/p.jpg\" type=\"image/jpeg\"/><media:content url=\"https://a.example/a.mp3\" medium=\"audio\"/>",
         "https://a.example/a.mp3"),
        ("<enclosure url=\"https://a.example/v.mp4\" type=\"video/mp4\"/>", "https://a.example/v.mp4"),
        ("<enclosure url=\" https://a.example/a b.mp3 \"/>", "https://a.example/a%20b.mp3"),
        ("<enclosure url=\"file:///etc/passwd\" type=\"audio/mpeg\"/>", nil),
        ("<enclosure url=\"\" type=\"audio/mpeg\"/>", nil), ("", nil),
    ] as [(String, String?)])
    func `the recording of an entry is found`(text: String, expected: String?) throws {
        #expect(try rss("<item>\(text)</item>").episodes.first?.enclosure.url == expected)
    }

    @Test func `a value that is missing or bad in an entry is absent and no more`() throws {
        let episode = try #require(
            try item(
                """
                <guid> </guid><title/><pubDate>yesterday</pubDate><itunes:duration>soon</itunes:duration>
                <itunes:season>two</itunes:season><itunes:episode>-1</itunes:episode><itunes:explicit>maybe</itunes:explicit>
                <podcast:chapters url="ftp://x/"/><podcast:transcript/><psc:chapter start="x"/>
                """))
        #expect(
            episode
                == PodcastEpisode(
                    guid: "https://a.example/1.mp3", enclosure: PodcastEnclosure(url: "https://a.example/1.mp3")))
    }

    /// Entries as identity and recording, and the identities that are kept.
    @Test(arguments: [
        ([("a", "1"), ("b", "2")], ["a", "b"]), ([("a", "1"), ("a", "1")], ["a"]), ([("a", "1"), ("b", "1")], ["a", "b"]),
        ([("", "1"), ("", "2")], ["https://a.example/1", "https://a.example/2"]),
        // An identity for several recordings is none, in whatever order they stand.
        ([("a", "1"), ("a", "2"), ("b", "3")], ["https://a.example/1", "https://a.example/2", "b"]),
        ([("a", "2"), ("a", "1"), ("a", "2")], ["https://a.example/2", "https://a.example/1"]),
    ] as [([(String, String)], [String])])
    func `each episode has an identity of its own`(entries: [(String, String)], expected: [String]) throws {
        let items = entries.map {
            "<item>" + ($0.0.isEmpty ? "" : "<guid>\($0.0)</guid>") + "<enclosure url=\"https://a.example/\($0.1)\"/></item>"
        }
        #expect(try rss(items.joined()).episodes.map(\.guid) == expected)
    }

    @Test func `encodings are read as they are declared`() throws {
        func bytes(_ encoding: String?, _ title: [UInt8]) -> [UInt8] {
            Array("<?xml version=\"1.0\"\(encoding.map { " encoding=\"\($0)\"" } ?? "")?><rss><channel><title>".utf8) + title
                + Array("</title></channel></rss>".utf8)
        }
        #expect(try FeedReader.read(bytes("iso-8859-1", [0xE4])).title == "ä")
        #expect(try FeedReader.read(bytes("koi8-r", [0xC1])).title == "а")
        #expect(try FeedReader.read(bytes(nil, [0xC3, 0xA4])).title == "ä")
        #expect(try FeedReader.read(bytes(nil, [0xE4])).title == "ä")
        // The file's own word counts for more than the server's, and the server's for more than none.
        #expect(try FeedReader.read(bytes("utf-8", [0xC3, 0xA4]), charset: "iso-8859-1").title == "ä")
        #expect(try FeedReader.read(bytes(nil, [0xC1]), charset: "koi8-r").title == "а")
        let wide = "<rss><channel><title>ä</title></channel></rss>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(try FeedReader.read([0xFF, 0xFE] + wide).title == "ä")
    }

    @Test func `no entity of a feed is opened, and none grows`() throws {
        let feed = try read(
            """
            <!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
            <rss><channel><title>[&x;&b;&eacute;&#233;]</title></channel></rss>
            """)
        let title = try #require(feed.title)
        #expect(!title.contains("root") && !title.contains("aaaa") && title.contains("é"))
    }

    @Test func `a feed that breaks off or nests without end is read as far as it makes sense`() throws {
        let cut = try read(
            "<rss><channel><title>T</title><item><guid>g</guid><enclosure url=\"https://a.example/1\"/><title>Fi")
        #expect(cut.episodes.map(\.title) == ["Fi"])
        #expect(cut.warnings == ["the feed is damaged; it was read as far as it makes sense"])
        let deep = String(repeating: "<x>", count: 100_000)
        #expect(try read("<rss><channel><title>T</title>\(deep)").title == "T")
    }

    @Test(arguments: ["", "hello", "<html><body><p>no</p></body></html>", "{\"a\":1}", "<opml/>"])
    func `a page is no feed`(text: String) {
        #expect(throws: DocumentError.self) { try FeedReader.read(Array(text.utf8)) }
    }

    @Test func `a feed without end has bounds`() throws {
        let count = FeedLimits.episodes + 5
        let items = (0..<count).map { "<item><guid>\($0)</guid><enclosure url=\"https://a.example/\($0)\"/></item>" }
        let feed = try rss(items.joined())
        #expect(feed.episodes.count == FeedLimits.episodes)
        #expect(feed.warnings == ["only the first 20000 episodes are kept"])
        #expect(FeedMessage.decode(FeedMessage.encode(feed)) == feed)
    }

    @Test func `a list of subscriptions is read from whatever outlines it lies in`() throws {
        let text = """
            <?xml version="1.0"?><opml version="1.0"><body><outline text="News"><outline type="rss" text="A &amp;amp; B" xmlUrl="http://a.example/f"/>
            <outline text="deep"><outline title="C" xmlURL="feed://c.example/f"/></outline></outline>
            <outline text="again" xmlUrl="http://a.example/f"/><outline text="no" xmlUrl="file:///x"/>
            <outline type="rss" url="https://d.example/f"/></body></opml>
            """
        let list = try OPMLReader.read(Array(text.utf8))
        #expect(
            list.entries == [
                .init(url: "http://a.example/f", title: "A & B"), .init(url: "https://c.example/f", title: "C"),
                .init(url: "https://d.example/f"),
            ])
        #expect(list.warnings == ["1 feeds have no http or https address"])
        let written = SubscriptionList(entries: [.init(url: "https://a.example/?a=1&b=2", title: "<\"ä\">")])
        #expect(try OPMLReader.read(Array(written.opml.utf8)) == written)
        #expect(throws: DocumentError.self) { try OPMLReader.read(Array("<rss/>".utf8)) }
    }
}
