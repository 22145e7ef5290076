// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import HTTPExchange
import MediaPlayback
import Synchronization
import Testing

@testable import Downloads

@Suite struct ServedDownloadsTests {
    /// One account on a server with a book and a podcast.
    private final class Shelf: CatalogAccounts, ServerExchange {
        // The lock is held for an access: tests and the source use it from several threads.
        let state = Mutex((token: "t0", ino: 11, asked: [String]()))

        func accounts() async -> [CatalogAccount] {
            [CatalogAccount(id: "acc-1", name: "Home", address: "http://server.test/abs")]
        }

        func exchange(for id: String) async -> (any ServerExchange)? { id == "acc-1" ? self : nil }

        func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer {
            let ino = state.withLock { state in
                state.asked.append("\(endpoint.method.rawValue) \(endpoint.target)")
                if endpoint.method == .head { state.token = "t1" }
                return state.ino
            }
            let track = #""ino":"\#(ino)","metadata":{"filename":"01.mp3","relPath":"Disc 1/01.mp3","size":700}"#
            let body =
                switch endpoint.path.last {
                case "book":
                    #"{"id":"book","mediaType":"book","updatedAt":5,"media":{"metadata":{"title":"Lamp","authorName":"Ada"},"coverPath":"/x","tracks":[{"index":1,"contentUrl":"/api/items/book/file/\#(ino)",\#(track)}]}}"#
                case "pod":
                    #"{"id":"pod","mediaType":"podcast","media":{"metadata":{"title":"Radio","author":"Crew"},"episodes":[{"id":"e1","title":"One","publishedAt":77,"audioFile":{\#(track)}}]}}"#
                default: ""
                }
            guard !body.isEmpty || endpoint.method == .head else { return HTTPAnswer(status: 404, url: "") }
            return HTTPAnswer(status: 200, body: Array(body.utf8), url: "")
        }

        func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress {
            TrackAddress(
                url: "http://server.test/abs\(endpoint.target)",
                headers: ["Authorization: Bearer \(state.withLock { $0.token })"])
        }
    }

    private let shelf = Shelf()
    private var source: ServedDownloads { ServedDownloads(shelf) }

    @Test func `a book is planned as it is played, under the identity that stays`() async throws {
        #expect(await source.server(of: "audiobookshelf://Home/book") == "acc-1")
        #expect(await source.identity(of: "audiobookshelf://Home/book") == "audiobookshelf://acc-1/book")
        let plan = try await source.plan("audiobookshelf://Home/book")
        #expect(plan.uri == "audiobookshelf://acc-1/book" && plan.title == "Lamp" && plan.author == "Ada")
        #expect(plan.files == [DownloadPlan.File(relPath: "Disc 1/01.mp3", address: "11", size: 700)])
        #expect(plan.series == nil)
        let cover = try await source.request(for: try #require(plan.cover), of: plan.uri, refused: nil)
        #expect(cover.url.contains("/abs/api/items/book/cover?") && cover.url.contains("ts=5"))
        let request = try await source.request(for: plan.files[0], of: plan.uri, refused: nil)
        #expect(request.url == "http://server.test/abs/api/items/book/file/11" && request.allowsPrivate)
        #expect(request.fields == [HTTPField("Authorization", "Bearer t0")])
        // A login that ended is renewed by who knows how.
        let again = try await source.request(for: plan.files[0], of: plan.uri, refused: request)
        #expect(again.fields == [HTTPField("Authorization", "Bearer t1")])
        #expect(shelf.state.withLock { $0.asked }.last == "HEAD /api/items/book/file/11")
    }

    @Test func `an episode belongs to its podcast, which cannot be downloaded as a whole`() async throws {
        let plan = try await source.plan("audiobookshelf://acc-1/pod/e1")
        #expect(plan.title == "One" && plan.series == "Radio" && plan.publishedAt == 77 && plan.cover == nil)
        let whole = await #expect(throws: DownloadFault.self) { try await source.plan("audiobookshelf://acc-1/pod") }
        #expect(whole?.reason == .unsupported)
        let none = await #expect(throws: DownloadFault.self) { try await source.plan("audiobookshelf://acc-1/pod/e9") }
        #expect(none?.reason == .gone)
    }

    @Test func `an item of no account is left to others, and one that is gone says so`() async throws {
        for item in ["https://example.org/a.mp3", "audiobookshelf://other/book", "/x.mp3"] {
            #expect(await source.server(of: item) == nil)
        }
        let gone = await #expect(throws: DownloadFault.self) { try await source.plan("audiobookshelf://acc-1/no") }
        #expect(gone?.reason == .gone)
    }

    static let errors: [(ServerRequestError, DownloadFault.Reason)] = [
        (.answer(ServerAnswerError(.missing, status: 404)), .gone),
        (.answer(ServerAnswerError(.forbidden, status: 403)), .refused),
        (.answer(ServerAnswerError(.unauthorized, status: 401)), .refused),
        (.answer(ServerAnswerError(.unreadable, status: 200)), .refused),
        (.answer(ServerAnswerError(.failed, status: 502)), .away),
        (.answer(ServerAnswerError(.tooMany, status: 429, retryAfter: 9)), .away),
    ]

    @Test(arguments: errors)
    func `a failure of a server is tried again only if that can help`(
        error: ServerRequestError, reason: DownloadFault.Reason
    ) {
        let fault = DownloadFault(error, "x")
        #expect(fault.reason == reason && fault.message.hasPrefix("x: "))
        if case .answer(let answer) = error, answer.retryAfter != nil { #expect(fault.pause == .seconds(9)) }
    }
}
