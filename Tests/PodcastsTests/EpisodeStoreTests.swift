// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback
import PlaybackCore
import PodcastFeeds
import Testing

@testable import Podcasts

@Suite struct EpisodeStoreTests {
    private let rig: PodcastRig

    init() throws { rig = try PodcastRig() }

    private func send(_ items: [String]) async throws {
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss(items))
        rig.clock.move(by: 1000)
        _ = await rig.library.refresh(try #require(try await rig.only()))
    }

    private func episode(_ guid: String) async throws -> EpisodeRecord {
        try #require(try await rig.store.episodes(EpisodeQuery()).first { $0.episode.guid == guid })
    }

    @Test func `an episode keeps its ID when its recording moves, and when its identity changes`() async throws {
        try await rig.add("1", "2")
        let ids = (try await episode("1").id, try await episode("2").id)
        try await send([
            FakeFeed.item("1", url: "https://cdn.example/moved.mp3"),
            FakeFeed.item("other", url: "https://media.example/2.mp3"),
        ])
        let first = try await episode("1")
        #expect(first.id == ids.0 && first.episode.enclosure.url == "https://cdn.example/moved.mp3")
        #expect(try await episode("other").id == ids.1)
        #expect(try await rig.store.episodes(EpisodeQuery()).count == 2)
    }

    @Test func `nothing that was seen is lost when a feed drops it`() async throws {
        try await rig.add("1", "2")
        try await send([FakeFeed.item("2", more: "<description>text</description>")])
        #expect(try await episode("1").isListed == false)
        #expect(try await episode("2").isListed)
        try await send(["<item><guid>2</guid><enclosure url=\"https://media.example/2.mp3\"/></item>"])
        let second = try await episode("2")
        #expect(second.episode.title == "Title 2" && second.episode.summary == "text")
        try await send([FakeFeed.item("1"), FakeFeed.item("2")])
        #expect(try await episode("1").isListed)
    }

    @Test func `an episode is known with all that its feed says`() async throws {
        rig.servers.answer(
            PodcastRig.feed, 200, [],
            """
            <rss xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"
            xmlns:psc="http://podlove.org/simple-chapters"><channel><title>A</title><itunes:author>B</itunes:author>
            <item><guid>1</guid><title>T</title><description>D</description><pubDate>2026-11-28</pubDate>
            <enclosure url="https://a.example/1.mp3" type="audio/mpeg" length="7"/><itunes:duration>60</itunes:duration>
            <itunes:season>1</itunes:season><itunes:episode>2</itunes:episode><itunes:episodeType>trailer</itunes:episodeType>
            <itunes:explicit>yes</itunes:explicit><itunes:image href="https://a.example/i"/><link>https://a.example/l</link>
            <podcast:chapters url="https://a.example/c" type="application/json"/>
            <podcast:transcript url="https://a.example/t" type="text/vtt" language="en"/><podcast:transcript url="https://a.example/u"/>
            <psc:chapters><psc:chapter start="0" title="Zero point"/><psc:chapter start="5"/></psc:chapters></item></channel></rss>
            """)
        let told = try await rig.library.add(PodcastRig.feed).new
        let stored = try await rig.store.episodes(EpisodeQuery())
        #expect(stored.map(\.episode) == told.map(\.episode))
        #expect(stored.first?.podcastTitle == "A" && stored.first?.podcastAuthor == "B")
        #expect(stored.first?.episode.transcripts.count == 2 && stored.first?.episode.chapters.count == 2)
    }

    /// What happened, in order, and the state that follows.
    @Test(
        arguments: [
            ([], "unplayed"), (["begun"], "started"), (["begun", "finished"], "played"), (["marked"], "played"),
            (["marked", "unmarked"], "unplayed"), (["begun", "marked"], "played"),
            (["finished", "unmarked"], "unplayed"),
            (["marked", "begun"], "started"), (["unmarked", "finished"], "played"), (["finished", "begun"], "started"),
        ] as [([String], String)])
    func `of a mark and a place the later one counts`(steps: [String], expected: String) async throws {
        try await rig.add("1")
        for step in steps {
            rig.clock.move(by: 1000)
            let record = try await episode("1")
            switch step {
            case "begun", "finished": try await rig.save(record, finished: step == "finished", at: rig.clock.now)
            default: try await rig.store.mark([record], played: step == "marked", now: rig.clock.now)
            }
        }
        #expect(try await rig.episodes() == ["1:\(expected)"])
        let counts = try #require(try await rig.store.episodeCounts().values.first)
        #expect(counts == EpisodeCounts(all: 1, new: 0, unplayed: expected == "played" ? 0 : 1))
    }

    @Test func `a podcast that is added again has its IDs again, and with them its places`() async throws {
        let podcast = try await rig.add("1")
        let record = try await episode("1")
        try await rig.save(record, finished: true, at: rig.clock.now)
        #expect(try await rig.store.removePodcast(podcast.id))
        #expect(try await rig.store.removePodcast(podcast.id) == false)
        #expect(try await rig.store.episodes(EpisodeQuery()).isEmpty)
        try await rig.add("1")
        #expect(try await episode("1").uri == record.uri)
        #expect(try await rig.episodes() == ["1:played"])
    }

    @Test func `episodes are listed by their days, the newest first, page by page`() async throws {
        let items = (1...9).map { FakeFeed.item("\($0)", more: "<pubDate>2026-01-0\($0)</pubDate>") }
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss(items.shuffled()))
        try await rig.library.add(PodcastRig.feed)
        func page(_ offset: Int) async throws -> [String] {
            try await rig.store.episodes(EpisodeQuery(offset: offset, limit: 4)).map(\.episode.guid)
        }
        #expect(try await page(0) == ["9", "8", "7", "6"])
        #expect(try await page(4) == ["5", "4", "3", "2"])
        #expect(try await page(8) == ["1"])
    }

    @Test func `a rule says which episodes should be here`() async throws {
        let items = (1...5).map { FakeFeed.item("\($0)", more: "<pubDate>2026-01-0\($0)</pubDate>") }
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss(items))
        let podcast = try await rig.library.add(PodcastRig.feed).podcast
        func kept() async throws -> [String] { try await rig.store.episodesToKeep().map(\.episode.guid) }
        #expect(try await kept() == [])
        try await rig.store.keep(KeepRule(newest: 3), of: podcast.id)
        #expect(try await kept() == ["5", "4", "3"])
        try await rig.store.mark([try await episode("4")], played: true, now: 1)
        #expect(try await kept() == ["5", "4", "3"])
        try await rig.store.keep(KeepRule(newest: 3, deletesPlayed: true), of: podcast.id)
        #expect(try await kept() == ["5", "3"])
        // A feed that says something new about itself leaves the rule alone.
        try await send(items)
        #expect(try await rig.only()?.keep == KeepRule(newest: 3, deletesPlayed: true))
    }

    @Test func `a unique beginning of an ID is enough, and an ambiguous one says what there is`() async throws {
        let podcast = try await rig.add("1", "2", "3", "4", "5", "6", "7", "8")
        let record = try await episode("3")
        #expect(try await rig.library.podcast(named: String(podcast.id.prefix(2))).id == podcast.id)
        #expect(try await rig.library.podcast(named: PodcastRig.feed).id == podcast.id)
        #expect(try await rig.library.episode(named: record.uri).id == record.id)
        #expect(try await rig.library.episode(named: "\(podcast.id)/\(record.id)").id == record.id)
        for name in ["", "zzzzz", "a/b/c", "%", "\(podcast.id)/", "\(podcast.id)/%"] {
            await #expect(throws: PodcastError.self) { try await rig.library.episode(named: name) }
        }
    }

    @Test func `IDs of many episodes differ, also where their hashes do not`() async throws {
        var feed = PodcastFeed()
        feed.episodes = (0..<20_000).map {
            PodcastEpisode(guid: "\($0)", enclosure: PodcastEnclosure(url: "https://a.example/\($0)"))
        }
        let podcast = try await rig.store.add(
            PodcastSubscription(id: "abc22", address: "https://a.example/", addedAt: 1))
        #expect(try await rig.store.keep(feed, of: podcast, isWhole: true, now: 1).count == 20_000)
        #expect(try await rig.store.keep(feed, of: podcast, isWhole: true, now: 2).isEmpty)
        #expect(try await rig.store.episodeCounts()["abc22"]?.all == 20_000)
    }
}
