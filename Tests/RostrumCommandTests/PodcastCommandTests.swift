// SPDX-License-Identifier: Apache-2.0

import FakeSession
import Foundation
import ScriptedServer
import SessionProtocol
import Synchronization
import Testing

/// `rostrum podcast` over the built session, and the processes that ask servers, parse feeds and play.
@Suite(.timeLimit(.minutes(2)))
struct `Podcasts` {
    /// A server of one podcast, whose feed a test changes.
    private final class Station: Sendable {
        let server: ScriptedServer
        private let text: FeedText

        init() throws {
            let feed = FeedText()
            let sound = Self.wave
            server = try ScriptedServer { request in
                switch request.path {
                case "/feed":
                    if request.headers["if-none-match"] == feed.tag { return .init("304 Not Modified") }
                    return .init(
                        "200 OK", ["Content-Type: application/rss+xml", "ETag: \(feed.tag)"],
                        body: Array(feed.text.utf8))
                case "/1.wav", "/moved.wav":
                    return .init("200 OK", ["Content-Type: audio/wav", "Content-Length: \(sound.count)"], body: sound)
                case "/1.vtt":
                    return .init(
                        "200 OK", ["Content-Type: text/vtt"],
                        body: Array("WEBVTT\n\n00:00.000 --> 00:01.000\nHello there.\n".utf8))
                default: return .init("404 Not Found")
                }
            }
            self.text = feed
        }

        func set(_ items: [String]) {
            text.set(
                "<?xml version=\"1.0\"?><rss xmlns:psc=\"http://podlove.org/simple-chapters\"><channel><title>The Station</title>"
                    + items.joined() + "</channel></rss>")
        }

        /// One second of silence.
        static let wave: [UInt8] = {
            func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 255) } }
            let format =
                Array("fmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4)
            let data = little(2, 2) + little(16, 2) + Array("data".utf8) + little(16_000, 4)
            return Array("RIFF".utf8) + little(36 + 16_000, 4) + Array("WAVE".utf8) + format + data
                + [UInt8](repeating: 0, count: 16_000)
        }()
    }

    /// A text that a server's thread reads.
    private final class FeedText: Sendable {
        private let state = Mutex((text: "", version: 0))

        var text: String { state.withLock { $0.text } }
        var tag: String { state.withLock { "\"v\($0.version)\"" } }

        func set(_ text: String) { state.withLock { $0 = (text, $0.version + 1) } }
    }

    private func item(_ guid: String, _ server: ScriptedServer, url: String = "/1.wav", more: String = "") -> String {
        "<item><guid>\(guid)</guid><title>Number \(guid)</title><pubDate>2026-11-0\(guid)</pubDate>"
            + "<enclosure url=\"\(server.address)\(url)\" type=\"audio/wav\"/>\(more)</item>"
    }

    private func episodes(_ outcome: Program.Outcome) throws -> [EpisodeInfo] {
        try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(EpisodeInfo.self, from: Data($0.utf8))
        }
    }

    @Test func `are added, listed, refreshed, marked, played, exported and removed`() async throws {
        let session = try RunningSession()
        let program = session.program
        let station = try Station()
        let chapters =
            "<psc:chapters><psc:chapter start=\"0\" title=\"One\"/><psc:chapter start=\"0:00.5\" title=\"Two\"/></psc:chapters>"
        station.set([item("1", station.server, more: chapters)])
        let address = station.server.address + "/feed"
        let refused = try await program.run("podcast", "add", address)
        #expect(refused.code == 69 && refused.errors.split(separator: "\n").count == 1)
        let added = try await program.run("podcast", "add", address, "--private")
        #expect(added.code == 0 && added.output.hasSuffix("  1/1  The Station\n"), "\(added)")
        let id = String(added.output.prefix { $0 != " " })

        // What is new is told once, and asked for by its version.
        station.set([item("2", station.server), item("1", station.server, url: "/moved.wav", more: chapters)])
        let news = try await program.run("podcast", "refresh")
        #expect(
            news.code == 0 && news.output.contains("The Station: Number 2") && news.output.hasSuffix("(new)\n"),
            "\(news)")
        #expect(try await program.run("podcast", "refresh", id).output == "nothing new\n")
        #expect(station.server.requests.last?.headers["if-none-match"] == "\"v2\"")

        let list = try episodes(try await program.run("podcast", "list", id, "--json"))
        #expect(list.map(\.title) == ["Number 2", "Number 1"] && list.map(\.state) == ["new", "unplayed"])
        let first = try #require(list.last)

        // The recording moved after it was added; it plays to its end, and is played then.
        let played = try await program.run("play", first.id, "--json")
        #expect(played.code == 0, "\(played)")
        #expect(played.output.contains("\"title\":\"Number 1\"") && played.output.contains(first.uri))
        #expect(played.output.contains("\"author\":\"The Station\"") && played.output.contains("\"title\":\"Two\""))
        #expect(station.server.requests.contains { $0.path == "/moved.wav" })
        #expect(try episodes(try await program.run("podcast", "list", id, "--json")).map(\.state) == ["new", "played"])
        #expect(try await program.run("podcast", "unplayed", first.id).code == 0)
        #expect(try await program.run("podcast", "played", id).code == 0)
        #expect(try await program.run("podcast", "list", "--unplayed").output == "no such episodes\n")

        let kept = try await program.run("podcast", "keep", id, "--newest", "3", "--delete-played")
        #expect(
            kept.output
                == "The Station: the newest 3 episodes are kept here, and one that was heard to its end is deleted\n")
        let opml = try await program.run("podcast", "export")
        #expect(opml.output.contains("xmlUrl=\"\(address)\""))
        #expect(try await program.run("podcast", "remove", id).output == "removed: The Station\n")
        #expect(try await program.run("play", first.id).code == 66)
        let file = try session.temporary.file("a.opml", opml.output)
        let imported = try await program.run("podcast", "import", file)
        #expect(imported.code == 0 && imported.output.hasSuffix("1 podcasts added\n"), "\(imported)")
    }

    @Test func `are refused with one line where they are none`() async throws {
        let session = try RunningSession()
        let station = try Station()
        for (arguments, code) in [
            (["add", "nonsense"], 65), (["add", station.server.address + "/none", "--private"], 69),
            (["show", "zzzzz"], 66), (["show", "zzzzz/zz"], 66), (["list", "zzzzz"], 66),
            (["import", "/nowhere.opml"], 66),
            (["import", "/etc/passwd"], 65), (["keep", "zzzzz", "--newest", "-1"], 64), (["played"], 64),
            (["list", "--new", "--unplayed"], 64),
        ] as [([String], Int32)] {
            let outcome = try await session.program.run(["podcast"] + arguments)
            #expect(
                outcome.code == code && outcome.errors.split(separator: "\n").count == 1, "\(arguments): \(outcome)")
        }
        let none = try await session.program.run("podcast")
        #expect(none.output == "no podcast yet; add one with `rostrum podcast add FEED`\n")
    }
}
