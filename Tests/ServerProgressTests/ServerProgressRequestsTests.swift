// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import Foundation
import HTTPExchange
import JSON
import ProgressSync
import Synchronization
import Testing

@testable import ServerProgress

@Suite struct `Requests for places` {
    private static let date = HTTPField("Date", "Sat, 21 Nov 2026 08:34:27 GMT")
    private static let book = ServedItem(account: "home", item: "book-1")
    private static let episode = ServedItem(account: "home", item: "podcast-1", episode: "e-1")

    private static func requests(
        _ status: Int, _ body: String, _ see: @escaping @Sendable (ServerRequest) -> Void = { _ in }
    ) -> ServerProgressRequests {
        ServerProgressRequests(account: "home", device: "desk", version: "1") { request in
            see(request)
            return HTTPAnswer(status: status, fields: [date], body: Array(body.utf8), url: "https://books.example/x")
        }
    }

    private static func failure(_ work: () async throws(ProgressFailure) -> Void) async -> ProgressFailure.Reason? {
        do throws(ProgressFailure) {
            try await work()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `read all records, and one that is damaged hides no other`() async throws {
        let answer = try await Self.requests(
            200,
            """
            {"mediaProgress": [
                {"libraryItemId": "book-1", "episodeId": null, "currentTime": 38.688, "isFinished": false,
                    "lastUpdate": 1795250118280, "new": {}},
                {"libraryItemId": "podcast-1", "episodeId": "e-1", "currentTime": "46.5", "isFinished": true},
                {"libraryItemId": null, "currentTime": 1},
                {"libraryItemId": "../etc", "currentTime": 1},
                {"libraryItemId": "book-2", "currentTime": null},
                {"libraryItemId": "book-3", "currentTime": "never"},
                {"libraryItemId": "book-4", "currentTime": 1e300},
                7
            ]}
            """
        ).progress()
        #expect(answer.date == 1_795_250_067_000)
        #expect(answer.value.count == 3)
        #expect(answer.value[Self.book]?.milliseconds == 38_688)
        #expect(answer.value[Self.book]?.updatedAt == 1_795_250_118_280)
        #expect(answer.value[Self.episode]?.milliseconds == 46_500)
        #expect(answer.value[Self.episode]?.isFinished == true)
    }

    @Test func `take only the server's own word for a new book`() async throws {
        #expect(try await Self.requests(404, "Not Found").progress(of: Self.book).value == nil)
        for (status, body) in [(404, "<html>no such page</html>"), (200, "<html>please log in</html>"), (200, "{}")] {
            let requests = Self.requests(status, body)
            #expect(
                await Self.failure { () async throws(ProgressFailure) in _ = try await requests.progress(of: Self.book)
                }
                    == .failing)
        }
        let portal = Self.requests(200, "<html>please log in</html>")
        #expect(
            await Self.failure { () async throws(ProgressFailure) in
                try await portal.write(.finished(stamp: 1), to: Self.book)
            } == .failing)
    }

    @Test(arguments: [
        (400, ProgressFailure.Reason.rejected), (404, .notFound), (429, .failing), (500, .failing), (503, .failing),
    ])
    func `tell refusals from failures`(_ status: Int, _ reason: ProgressFailure.Reason) async {
        let requests = Self.requests(status, "no")
        #expect(
            await Self.failure { () async throws(ProgressFailure) in
                try await requests.write(.finished(stamp: 1), to: Self.book)
            } == reason)
    }

    @Test func `write place, length and share together, and the flag by itself`() async throws {
        let made = Mutex<[ServerRequest]>([])
        let requests = Self.requests(200, "OK") { request in made.withLock { $0.append(request) } }
        try await requests.write(.place(milliseconds: 38_688, length: 77_376, stamp: 9), to: Self.episode)
        try await requests.write(.finished(stamp: 10), to: Self.book)
        let sent = made.withLock { $0 }
        #expect(
            sent.map(\.path) == [
                ["api", "me", "progress", "podcast-1", "e-1"], ["api", "me", "progress", "book-1"],
            ])
        #expect(sent.allSatisfy { $0.method == .patch })
        let bodies = try sent.map { try JSONDecoder().decode(JSONValue.self, from: Data($0.json ?? [])) }
        #expect(bodies[0]["currentTime"]?.number == 38.688)
        #expect(bodies[0]["duration"]?.number == 77.376)
        #expect(bodies[0]["progress"]?.number == 0.5)
        #expect(bodies[0]["lastUpdate"]?.number == 9)
        #expect(bodies[0]["isFinished"] == nil)
        #expect(bodies[1]["isFinished"] == .bool(true))
        #expect(bodies[1]["progress"] == nil)
    }

    @Test func `report sessions, and see which items are gone`() async throws {
        let made = Mutex<[ServerRequest]>([])
        let answer = """
            {"results": [{"id": "a", "success": true, "progressSynced": false},
                {"id": "b", "success": false, "error": "Media item not found"}]}
            """
        let requests = Self.requests(200, answer) { request in made.withLock { $0.append(request) } }
        let sessions = ["a", "b"].map {
            ListeningSession(
                id: $0, item: Self.book, title: "A", began: 1_000, ended: 31_000, from: 60_000, to: 90_000)
        }
        let reports = try await requests.report(sessions)
        #expect(reports == [SessionReport(id: "a", isKnown: true), SessionReport(id: "b", isKnown: false)])
        let json = made.withLock { $0.first?.json ?? [] }
        let body = try JSONDecoder().decode(JSONValue.self, from: Data(json))
        guard case .array(let sent) = body["sessions"] else {
            Issue.record("no sessions")
            return
        }
        #expect(sent.count == 2)
        #expect(sent.first?["timeListening"]?.number == 30)
        #expect(sent.first?["startTime"]?.number == 60)
        #expect(sent.first?["currentTime"]?.number == 90)
        #expect(sent.first?["updatedAt"]?.number == 31_000)
        #expect(sent.first?["deviceInfo"]?["deviceId"]?.string == "desk")
    }
}
