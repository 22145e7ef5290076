// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import JSON
import Testing

@testable import AudiobookshelfClient

@Suite struct AnswerValueTests {
    private func json(_ text: String) throws -> JSONValue { try #require(ServerAnswer.json(Array(text.utf8))) }

    @Test(arguments: [
        ("12", 12), ("12.75", 12), ("\"12\"", 12), ("\"12.5\"", 12), ("1e300", nil), ("\"x\"", nil), ("null", nil),
        ("[]", nil), ("-3", -3), ("true", nil),
    ] as [(String, Int64?)])
    func `an integer comes as a number, a fraction or a text`(_ text: String, _ expected: Int64?) throws {
        #expect(try json("{\"a\":\(text)}").whole("a") == expected)
    }

    @Test(arguments: [
        ("12", 12), ("12.75", 12.75), ("\"0.5\"", 0.5), ("\"nan\"", nil), ("\"inf\"", nil), ("null", nil), ("-3", nil),
    ] as [(String, Double?)])
    func `a length is a finite number that is not negative`(_ text: String, _ expected: Double?) throws {
        #expect(try json("{\"a\":\(text)}").seconds("a") == expected)
    }

    @Test(arguments: [
        ("a-1_b.~", true), ("", false), (".", false), ("..", false), ("a/b", false), ("a%2Fb", false), ("ä", false),
        ("a b", false), (String(repeating: "a", count: 129), false),
    ])
    func `an ID is safe as a part of a path, or there is none`(_ text: String, _ isSafe: Bool) throws {
        #expect(JSONValue.object(["id": .string(text)]).id("id") == (isSafe ? text : nil))
    }

    @Test(arguments: [(3, "añ"), (2, "a"), (0, ""), (9, "añ€")])
    func `a text is cut between characters`(_ limit: Int, _ expected: String) {
        #expect("añ€".shortened(to: limit) == expected)
    }

    @Test func `of a list, only the entry that is broken is dropped`() throws {
        let page = try #require(
            ServerItemPage(
                json(
                    """
                    {"results":[{"id":"a","mediaType":"book","media":{"metadata":{"title":"A"}}},
                     {"id":"../b","mediaType":"book","media":{}},{"id":"c"},7,null,
                     {"id":"d","mediaType":"podcast","media":{"metadata":null,"tags":null,"numEpisodes":"3"}},
                     {"id":"e","mediaType":"video","media":{}}],"total":7,"unknown":{"a":[1]}}
                    """)))
        #expect(page.items.map(\.id) == ["a", "d"])
        #expect((page.entries, page.total) == (7, 7))
        #expect(page.items.last?.podcast?.episodeCount == 3)
        #expect(page.items.map(\.title) == ["A", "d"])
    }

    @Test func `a book with nothing but nulls is a book`() throws {
        let item = try #require(
            ServerItem(
                json(
                    """
                    {"id":"a","libraryId":null,"mediaType":"book","size":null,"updatedAt":null,"userMediaProgress":null,
                     "media":{"metadata":{"title":null,"authors":null,"series":null,"genres":null},"tracks":null,
                     "chapters":null,"duration":null,"coverPath":null},"relPath":"A/B"}
                    """)))
        #expect(item.title == "A/B")
        #expect(item.book?.tracks == [] && item.book?.chapters == [] && item.hasCover == false)
    }

    @Test func `a track of an old version has its number in the address`() throws {
        let item = try #require(
            ServerItem(
                json(
                    """
                    {"id":"a","mediaType":"book","media":{"tracks":[{"index":1,"startOffset":0,"duration":10,
                     "title":"1.mp3","contentUrl":"/api/items/a/file/77","mimeType":"audio/mpeg","metadata":null},
                     {"contentUrl":"/api/items/a/file/..","startOffset":10}]}}
                    """)))
        #expect(item.book?.tracks.map(\.ino) == ["77"])
    }

    @Test func `an episode whose track has no number takes that of its file`() throws {
        let episode = try #require(
            ServerEpisode(
                json(
                    """
                    {"id":"e","title":null,"audioTrack":{"index":null,"metadata":{"relPath":"e.mp3"}},
                     "audioFile":{"ino":5,"metadata":{"relPath":"e.mp3"},"duration":"4"},"publishedAt":null}
                    """)))
        #expect(episode.audioFile?.ino == "5" && episode.seconds == 4)
    }

    @Test func `episodes are newest first, and those without a date last`() throws {
        let episodes = try ["{\"id\":\"a\"}", "{\"id\":\"b\",\"publishedAt\":5}", "{\"id\":\"c\",\"publishedAt\":9}",
            "{\"id\":\"d\",\"addedAt\":1}"].compactMap { ServerEpisode(try json($0)) }
        #expect(episodes.sorted(by: ServerEpisode.isNewer).map(\.id) == ["c", "b", "d", "a"])
    }

    @Test(arguments: [
        (401, ServerAnswerError.Reason.unauthorized), (403, .forbidden), (404, .missing), (400, .refused),
        (416, .refused), (429, .tooMany), (500, .failed), (503, .failed), (302, .unreadable),
    ])
    func `a status that is no success says what it means`(_ status: Int, _ reason: ServerAnswerError.Reason) {
        let answer = HTTPAnswer(status: status, fields: [HTTPField("retry-after", "30")], url: "http://a/")
        #expect(throws: ServerAnswerError(reason, status: status, retryAfter: 30)) { try ServerAnswer.check(answer) }
    }

    @Test(arguments: ["<html>", "", "[]", "{\"results\":{}}", "OK", "{\"results\":[}"])
    func `a page of a proxy is no answer`(_ body: String) {
        #expect(throws: ServerAnswerError(.unreadable, status: 200)) {
            try ServerAnswer.value(of: .of(body), as: ServerItemPage.self)
        }
    }

    @Test func `deep nesting is refused and not followed`() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(ServerAnswer.json(Array(deep.utf8)) == nil)
    }

    @Test func `an address has its query encoded`() {
        let endpoint = ServerEndpoint.items(
            of: "lib", page: 2, limit: 50, sort: .author, descends: true, filter: ServerFilter(.genres, "Sci-Fi & Ünder?>"))
        #expect(
            endpoint.target
                == "/api/libraries/lib/items?limit=50&page=2&sort=media.metadata.authorNameLF&minified=1&desc=1"
                + "&filter=genres.U2NpLUZpICYgw5xuZGVyPz4%3D")
        #expect(ServerEndpoint.search("l", for: "a b&c", limit: 5).target == "/api/libraries/l/search?q=a%20b%26c&limit=5")
    }
}
