// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback
import PodcastFeeds
import Testing

@testable import Podcasts

@Suite struct RefreshTests {
    private let rig: PodcastRig

    init() throws { rig = try PodcastRig() }

    private func refresh() async throws -> PodcastLibrary.Outcome {
        await rig.library.refresh(try #require(try await rig.only()))
    }

    @Test func `a feed is asked for by the version that is here`() async throws {
        try await rig.add("1", fields: [("ETag", "\"v1\""), ("Last-Modified", "Sat, 28 Nov 2026 19:45:48 GMT")])
        #expect(rig.servers.requests[0].fields.map(\.name) == ["Accept"])
        rig.servers.answer(PodcastRig.feed, 304)
        rig.clock.move(by: 1000)
        let outcome = try await refresh()
        #expect(outcome.fault == nil && outcome.new.isEmpty)
        let fields = rig.servers.requests[1].fields.dropFirst()
        #expect(
            Array(fields) == [
                HTTPField("If-None-Match", "\"v1\""), HTTPField("If-Modified-Since", "Sat, 28 Nov 2026 19:45:48 GMT"),
            ])
        let fetching = try #require(try await rig.only()).fetching
        #expect(fetching.etag == "\"v1\"" && fetching.fetchedAt == PodcastRig.start + 1000)
        #expect(fetching.nextAt == PodcastRig.start + 1000 + 6 * PodcastRig.hour)
    }

    @Test func `new episodes are told, and those that were there at first are not new`() async throws {
        try await rig.add("1", "2")
        #expect(try await rig.episodes([.new]) == [])
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss(["3", "2", "1"].map { FakeFeed.item($0) }))
        rig.clock.move(by: 1000)
        #expect(try await refresh().new.map(\.episode.guid) == ["3"])
        #expect(try await rig.episodes([.new]) == ["3:new"])
        #expect(try await refresh().new.isEmpty)
    }

    /// Failures in a row, what the server asks for, and the hours until the next look.
    @Test(
        arguments: [
            (1, nil, 0.25), (2, nil, 0.5), (3, nil, 1), (4, nil, 2), (8, nil, 24), (1000, nil, 24), (1, 7200, 2),
            (4, 60, 2),
            (1, 1_000_000_000, 7 * 24), (1, -5, 0.25),
        ] as [(Int, Int64?, Double)])
    func `a feed that fails is asked for more and more seldom`(failures: Int, wish: Int64?, hours: Double) {
        let next = RefreshSchedule().retry(after: 0, failures: failures, wish: wish.map { $0 * 1000 }, jitter: 0)
        #expect(next == Int64(hours * Double(PodcastRig.hour)))
        let late = RefreshSchedule().retry(after: 0, failures: failures, wish: nil, jitter: 1)
        #expect(late > RefreshSchedule().retry(after: 0, failures: failures, wish: nil, jitter: 0))
    }

    @Test(
        arguments: [
            (500, nil, "the server answered with 500", 0.25), (429, "3600", "the server answered with 429", 1),
            (503, "Fri, 15 Jan 2027 10:00:00 GMT", "the server answered with 503", 2),
            (503, "soon", "the server answered with 503", 0.25),
            (404, nil, "the server has no such feed (404)", 0.25),
            (403, nil, "the server wants to know who asks (403)", 0.25),
            (200, nil, "the server sent nothing", 0.25),
        ] as [(Int, String?, String, Double)])
    func `a failure keeps what is here, and says when it is tried again`(
        status: Int, wish: String?, fault: String, hours: Double
    ) async throws {
        try await rig.add("1")
        rig.servers.answer(PodcastRig.feed, status, wish.map { [HTTPField("Retry-After", $0)] } ?? [])
        let outcome = try await refresh()
        #expect(outcome.fault == fault)
        let podcast = try #require(try await rig.only())
        #expect(podcast.fetching.failures == 1 && podcast.fetching.fault == fault)
        #expect(podcast.fetching.nextAt == PodcastRig.start + Int64(hours * Double(PodcastRig.hour)))
        #expect(podcast.title == "A podcast")
        #expect(try await rig.episodes() == ["1:unplayed"])
    }

    @Test func `a page in place of the feed is a failure, and so is a lost network`() async throws {
        try await rig.add("1")
        rig.servers.answer(PodcastRig.feed, 200, [], "<html><body>log in</body></html>")
        #expect(try await refresh().fault?.contains("no RSS or Atom feed") == true)
        rig.servers.answer(PodcastRig.feed) { _ in .failure(HTTPFailure(.network, "no such host")) }
        #expect(try await refresh().fault == "no such host")
        #expect(try await rig.only()?.fetching.failures == 2)
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss([FakeFeed.item("1")]))
        #expect(try await refresh().fault == nil)
        #expect(try await rig.only()?.fetching.failures == 0)
    }

    @Test func `a feed that moved for good is asked for there, and one that is gone is asked for no more`() async throws
    {
        try await rig.add("1")
        let id = try #require(try await rig.only()).id
        let moved = "https://b.example/feed"
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss([FakeFeed.item("1")]), moved: moved)
        _ = try await refresh()
        #expect(try await rig.only()?.address == moved)
        #expect(try await rig.only()?.id == id)
        rig.servers.answer(moved, 410)
        #expect(try await refresh().fault == "the server says that the feed is gone for good")
        #expect(try await rig.only()?.fetching.isGone == true)
        let before = rig.servers.requests.count
        rig.clock.move(by: 1000 * PodcastRig.hour)
        #expect(await rig.library.refreshDue().next == nil)
        #expect(rig.servers.requests.count == before)
        #expect(try await rig.episodes() == ["1:unplayed"])
    }

    @Test func `a feed moves itself, and does not take another one's address`() async throws {
        try await rig.add("1")
        let other = "https://b.example/feed"
        rig.servers.answer(other, 200, [], FakeFeed.rss([FakeFeed.item("9")], channel: "<title>B</title>"))
        try await rig.library.add(other)
        let moving =
            "<title>A</title><itunes:new-feed-url xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">"
        rig.servers.answer(
            PodcastRig.feed, 200, [],
            FakeFeed.rss([FakeFeed.item("1")], channel: moving + "https://c.example/feed</itunes:new-feed-url>"))
        _ = try await refresh()
        #expect(Set(try await rig.store.podcasts().map(\.address)) == ["https://c.example/feed", other])
        rig.servers.answer(
            "https://c.example/feed", 200, [],
            FakeFeed.rss([FakeFeed.item("1")], channel: moving + "\(other)</itunes:new-feed-url>"))
        _ = try await refresh()
        #expect(Set(try await rig.store.podcasts().map(\.address)) == ["https://c.example/feed", other])
    }

    @Test func `only the feeds whose time has come are asked for, some at a time`() async throws {
        let count = 20
        struct Load {
            var now = 0
            var most = 0
        }
        let busy = Counter(Load())
        var list = SubscriptionList()
        for number in 0..<count {
            let url = "https://a.example/\(number)"
            list.entries.append(.init(url: url, title: "\(number)"))
            rig.servers.answer(url) { request in
                busy.change {
                    $0.now += 1
                    $0.most = max($0.most, $0.now)
                }
                await Task.yield()
                busy.change { $0.now -= 1 }
                return .success(
                    HTTPAnswer(status: 200, body: Array(FakeFeed.rss([FakeFeed.item("1")]).utf8), url: request.url))
            }
        }
        #expect(try await rig.library.add(list).count == count)
        #expect(try await rig.library.add(list).isEmpty)
        let (outcomes, next) = await rig.library.refreshDue()
        #expect(outcomes.count == count && outcomes.allSatisfy { $0.fault == nil })
        #expect(busy.now.most <= PodcastLibrary.atOnce)
        #expect(next == PodcastRig.start + 6 * PodcastRig.hour)
        #expect(await rig.library.refreshDue().outcomes.isEmpty)
        #expect(try await rig.episodes([.new]) == [])
    }

    @Test func `private addresses are asked only if the listener wants it`() async throws {
        try await rig.add("1")
        rig.servers.answer("http://192.168.1.2/feed", 200, [], FakeFeed.rss([FakeFeed.item("1")]))
        try await rig.library.add("http://192.168.1.2/feed", allowsPrivate: true)
        #expect(rig.servers.requests.map(\.allowsPrivate) == [false, true])
    }

    @Test func `older pages of a feed are followed when it is added, and not in circles`() async throws {
        func page(_ guids: [String], next: String) -> String {
            FakeFeed.rss(
                guids.map { FakeFeed.item($0) },
                channel: "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"next\" href=\"\(next)\"/>")
        }
        rig.servers.answer("https://a.example/p2", 200, [], page(["2", "1"], next: "https://a.example/p3"))
        rig.servers.answer("https://a.example/p3", 200, [], page(["0"], next: "https://a.example/p2"))
        rig.servers.answer(PodcastRig.feed, 200, [], page(["3", "2"], next: "p2"))
        try await rig.library.add(PodcastRig.feed)
        #expect(try await rig.store.episodes(EpisodeQuery()).map(\.episode.guid).sorted() == ["0", "1", "2", "3"])
        #expect(rig.servers.requests.count == 3)
        // Its first page alone does not say that the others are gone.
        _ = try await refresh()
        #expect(try await rig.store.episodes(EpisodeQuery()).allSatisfy(\.isListed))
    }

    @Test(arguments: ["file:///etc/passwd", "hello", "https://none.example/"])
    func `an address of no feed is not added`(text: String) async throws {
        await #expect(throws: PodcastError.self) { try await rig.library.add(text) }
        #expect(try await rig.store.podcasts().isEmpty)
    }

    @Test func `the rounds in the background end with their task, and wait for the next feed`() async throws {
        try await rig.add("1")
        let sleeps = Counter<[Duration]>([])
        struct Enough: Error {}
        let clock = rig.clock
        await PodcastRefreshing(rig.library, now: { clock.now }) { duration in
            sleeps.change { $0.append(duration) }
            clock.move(by: duration.components.seconds * 1000)
            if sleeps.now.count == 30 { throw Enough() }
        }.run { true }
        #expect(sleeps.now.allSatisfy { $0 == .seconds(900) })
        // Six hours later it was looked at once more.
        #expect(rig.servers.requests.count == 2)
    }
}
