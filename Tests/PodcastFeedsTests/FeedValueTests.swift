// SPDX-License-Identifier: Apache-2.0

import PodcastFeeds
import Testing

@Suite struct FeedValueTests {
    @Test(
        arguments: [
            ("Sat, 28 Nov 2026 19:45:48 +0000", 1_795_895_148_000),
            ("Sat, 28 Nov 2026 19:45:48 GMT", 1_795_895_148_000),
            ("28 Nov 2026 19:45:48 Z", 1_795_895_148_000), ("Wed, 28 November 2026 19:45 UTC", 1_795_895_100_000),
            ("Sat, 28 Nov 26 14:45:48 EST", 1_795_895_148_000), ("sat,28 nov 2026 19:45:48 +0100", 1_795_891_548_000),
            ("28-Nov-2026 19:45:48 -02:30", 1_795_904_148_000), ("Sat, 28 Nov 2026", 1_795_824_000_000),
            ("Sat, 28 Nov 2026 07:45:48 PM GMT", 1_795_895_148_000), ("Nowhere, 1 Jan 1970 00:00:00", 0),
            ("Thu, 1 Jan 70 00:00:00 GMT", 0), ("2026-11-28T19:45:48Z", 1_795_895_148_000),
            ("2026-11-28T19:45:48.250+00:00", 1_795_895_148_250), ("2026-11-28 21:45:48 +0200", 1_795_895_148_000),
            ("2026-11-28", 1_795_824_000_000), ("20261128T194548Z", nil), ("1969-12-31T23:59:59Z", -1000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2023-02-29T00:00:00Z", nil),
            ("31 Jun 2026 00:00:00 GMT", nil),
            ("Sat, 28 Nov 2026 25:00:00 GMT", nil), ("yesterday", nil), ("", nil), ("99999999999999 Nov 2026", nil),
            ("2026-13-01", nil), ("28 Nov", nil), (String(repeating: "9", count: 200), nil),
        ] as [(String, Int64?)])
    func `a date is read as feeds write it`(text: String, expected: Int64?) {
        #expect(FeedDate.milliseconds(text) == expected)
    }

    @Test(
        arguments: [
            ("3600", 3_600_000), ("0", 0), ("59.5", 59_500), ("1:02:03", 3_723_000), ("62:03", 3_723_000),
            ("00:62:03", 3_723_000), ("1:02:03.250", 3_723_250), ("1:02:03,250", 3_723_250), ("12:", 720_000),
            (" 1:00 ", 60_000), ("1h2m3s", 3_723_000), ("1 hour 2 min", 3_720_000), ("45 Minutes", 2_700_000),
            ("PT1H2M3S", 3_723_000), ("PT3723S", 3_723_000), ("P1DT1H", 90_000_000), ("-5", nil), ("", nil),
            ("soon", nil),
            ("1:2:3:4", nil), ("1.5:00", nil), ("99999999999999999999", nil), ("1e9", nil), ("nan", nil), ("PT", 0),
            ("5 x", nil),
            (":30", nil),
        ] as [(String, Int64?)])
    func `a length is read as feeds write it`(text: String, expected: Int64?) {
        #expect(FeedDuration.milliseconds(text) == expected)
    }

    @Test(
        arguments: [
            ("http://a.example/x", "http://a.example/x"), (" HTTPS://a.example/x y ", "https://a.example/x%20y"),
            ("https://a.example/ü#f", "https://a.example/%C3%BC"), ("feed://a.example/f", "https://a.example/f"),
            ("feed:http://a.example/f", "http://a.example/f"), ("itpc://a.example/f", "https://a.example/f"),
            ("https://a.example/a\nb", "https://a.example/ab"), ("file:///etc/passwd", nil), ("javascript:1", nil),
            ("/x", nil),
            ("http://", nil), ("http:///x", nil), ("", nil),
            ("http://a.example/" + String(repeating: "x", count: 5000), nil),
        ] as [(String, String?)])
    func `only addresses of the web are taken`(text: String, expected: String?) {
        #expect(FeedAddress.web(text) == expected)
    }

    static var everything: PodcastFeed {
        var feed = PodcastFeed()
        (feed.title, feed.author, feed.summary) = ("A & B", "Ä", "one\ntwo")
        (feed.image, feed.language, feed.link) = ("https://a.example/i", "de-DE", "https://a.example/")
        (feed.newAddress, feed.nextPage) = ("https://b.example/f", "https://a.example/f?page=2")
        (feed.isSerial, feed.isExplicit, feed.warnings) = (true, false, ["2 entries have no recording"])
        var episode = PodcastEpisode(
            guid: "g 1", enclosure: PodcastEnclosure(url: "https://a.example/1.mp3", type: "audio/mpeg", length: 12))
        (episode.title, episode.author, episode.summary) = ("First", "C", "x\ny")
        (episode.published, episode.duration) = (-5, 60_000)
        (episode.image, episode.link) = ("https://a.example/1", "https://a.example/2")
        (episode.season, episode.number, episode.kind, episode.isExplicit) = (2, 3, .bonus, true)
        episode.chapters = [PodcastChapter(start: 0), PodcastChapter(start: 1000, title: "Two words")]
        episode.chapterDocument = PodcastDocument(url: "https://a.example/c", type: "application/json+chapters")
        episode.transcripts = [
            PodcastDocument(url: "https://a.example/t", type: "text/vtt", language: "de"),
            PodcastDocument(url: "https://a.example/u"),
        ]
        feed.episodes = [episode, PodcastEpisode(guid: "2", enclosure: PodcastEnclosure(url: "https://a.example/2"))]
        return feed
    }

    @Test func `a feed survives its way from the process that parses it`() {
        #expect(FeedMessage.decode(FeedMessage.encode(Self.everything)) == Self.everything)
    }

    @Test(arguments: [
        "episode g\n", "episode g\nurl file:///x\n", "episode g\nurl http://a/\nepisode g\nurl http://b/\n", "x y\n",
        "title\n",
        "episode g\nurl http://a/\nchapter 5 b\nchapter 4 a\n", "episode g\nurl http://a/\nchapter -1 b\n",
        "episode g\nurl http://a/\ntranscript - -\n", "episode g\nurl http://a/\nmoved http://a/\n",
    ])
    func `a message that no honest process sends is refused`(text: String) {
        #expect(FeedMessage.decode(Array(text.utf8)) == nil)
    }

    @Test func `control characters add no line to a message`() {
        var feed = PodcastFeed()
        feed.title = "a\nepisode b\u{7}"
        let decoded = FeedMessage.decode(FeedMessage.encode(feed))
        #expect(decoded?.title == "a episode b")
        #expect(decoded?.episodes.isEmpty == true)
    }

    @Test func `a list of subscriptions survives its way`() {
        let list = SubscriptionList(entries: [
            .init(url: "https://a.example/f", title: "A\u{1}B"), .init(url: "https://b.example/f"),
        ])
        var expected = list
        expected.entries[0].title = "A B"
        #expect(SubscriptionList(decoding: list.encoded) == expected)
        #expect(SubscriptionList(decoding: Array("title x\n".utf8)) == nil)
        #expect(SubscriptionList(decoding: Array("url file:///x\n".utf8)) == nil)
    }
}
