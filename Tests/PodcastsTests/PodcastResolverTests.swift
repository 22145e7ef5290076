// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback
import PlaybackCore
import PodcastFeeds
import Podcasts
import Testing

@Suite struct PodcastResolverTests {
    private let rig: PodcastRig

    init() throws { rig = try PodcastRig() }

    /// Resolves every other item to a text at its address.
    private struct Others: ItemResolving {
        func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
            let item = request.items.joined(separator: " ")
            return ResolvedItem(
                content: Content(uri: item, kind: .text, tracks: [], title: "other"), items: request.items, notes: [])
        }
    }

    private func resolve(_ item: String, asText: Bool = false) async throws -> ResolvedItem {
        var request = ItemRequest(items: [item], extensions: KnownExtensions(audio: []))
        request.asText = asText
        return try await PodcastResolver(Others(), podcasts: rig.library).resolve(request)
    }

    private func add(_ inside: String) async throws -> EpisodeRecord {
        let spaces =
            "xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" xmlns:psc=\"http://podlove.org/simple-chapters\""
        rig.servers.answer(
            PodcastRig.feed, 200, [],
            "<rss \(spaces)><channel><title>A podcast</title>\(FakeFeed.item("1", more: inside))</channel></rss>")
        return try #require(try await rig.library.add(PodcastRig.feed).new.first)
    }

    @Test func `an episode is an item with the podcast's name, whose identity survives its recording`() async throws {
        let record = try await add("")
        let item = try await resolve("podcast:\(record.podcast)/\(record.id.prefix(5))")
        #expect(item.content.uri == record.uri && item.items == [record.uri])
        #expect(item.content.title == "Title 1" && item.content.author == "A podcast")
        #expect(item.content.tracks == [.url("https://media.example/1.mp3", headers: [])])
        rig.servers.answer(PodcastRig.feed, 200, [], FakeFeed.rss([FakeFeed.item("1", url: "https://b.example/1.ogg")]))
        _ = await rig.library.refresh(try #require(try await rig.only()))
        let moved = try await resolve(record.uri)
        #expect(moved.content.uri == record.uri)
        #expect(moved.content.tracks == [.url("https://b.example/1.ogg", headers: [])])
    }

    @Test func `other items are left to others, and an episode is played by itself`() async throws {
        #expect(try await resolve("https://a.example/x").content.title == "other")
        let record = try await add("")
        await #expect(throws: ItemError.self) { try await resolve("podcast:zzzzz/zzzzzzz") }
        let request = ItemRequest(items: [record.uri, "/x"], extensions: KnownExtensions(audio: []))
        await #expect(throws: ItemError.self) {
            try await PodcastResolver(Others(), podcasts: rig.library).resolve(request)
        }
    }

    @Test func `chapters in the feed are the item's`() async throws {
        let record = try await add(
            "<psc:chapters><psc:chapter start=\"0\" title=\"One\"/><psc:chapter start=\"1:00.5\" title=\"Two\"/></psc:chapters>"
        )
        let cue = try await resolve(record.uri).content.cue
        #expect(cue.map(\.milliseconds) == [0, 60_500] && cue.map(\.title) == ["One", "Two"])
        #expect(cue.allSatisfy { $0.source == "podcast" && !$0.isBeside })
    }

    private static let document =
        "{\"version\":\"1.2.0\",\"chapters\":[{\"startTime\":60.5,\"title\":\"Two\"},{\"startTime\":0,\"title\":\"One\",\"img\":7},"
        + "{\"startTime\":30,\"title\":\"hidden\",\"toc\":false},{\"title\":\"nowhere\"},{\"startTime\":-1},{\"startTime\":\"1:30\"}]}"

    @Test func `chapters of a document are asked for once, and kept`() async throws {
        let record = try await add(
            "<podcast:chapters url=\"https://a.example/c.json\" type=\"application/json+chapters\"/>")
        rig.servers.answer("https://a.example/c.json", 500)
        #expect(try await resolve(record.uri).content.cue.isEmpty)
        rig.servers.answer("https://a.example/c.json", 200, [], Self.document)
        #expect(try await resolve(record.uri).content.cue.map(\.milliseconds) == [0, 60_500, 90_000])
        rig.servers.answer("https://a.example/c.json", 500)
        #expect(try await resolve(record.uri).content.cue.map(\.title) == ["One", "Two", nil])
        #expect(rig.servers.requests.filter { $0.url.hasSuffix("c.json") }.count == 2)
        #expect(rig.servers.requests.allSatisfy { !$0.allowsPrivate })
    }

    @Test(arguments: ["", "[]", "{}", "{\"chapters\":7}", "{\"chapters\":[7]}", "nonsense"])
    func `a document that is none has no chapters`(text: String) async throws {
        let record = try await add("<podcast:chapters url=\"https://a.example/c.json\"/>")
        rig.servers.answer("https://a.example/c.json", 200, [], text)
        #expect(try await resolve(record.uri).content.cue.isEmpty)
    }

    @Test(
        arguments: [
            (
                "<podcast:transcript url=\"https://a.example/t.html\" type=\"text/html\"/><podcast:transcript url=\"https://a.example/t.vtt\" type=\"text/vtt\"/>",
                "https://a.example/t.vtt"
            ),
            (
                "<podcast:transcript url=\"https://a.example/t.json\" type=\"application/json\"/><podcast:transcript url=\"https://a.example/t.srt\" type=\"application/srt\"/>",
                "https://a.example/t.srt"
            ),
            ("<podcast:transcript url=\"https://a.example/t.json\" type=\"application/json\"/>", nil), ("", nil),
        ] as [(String, String?)])
    func `an episode is read by the transcript that is read best`(inside: String, expected: String?) async throws {
        let record = try await add(inside)
        guard let expected else {
            await #expect(throws: ItemError.self) { try await resolve(record.uri, asText: true) }
            return
        }
        #expect(try await resolve(record.uri, asText: true).content.uri == expected)
    }
}
