// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MediaPlayback
import Synchronization

@testable import AudiobookshelfClient

/// A server that answers with what a test puts into it.
final class CatalogServer: ServerExchange {
    struct State: Sendable {
        /// Items as JSON, in order of their addition.
        var books: [String] = []
        var podcasts: [String] = []
        var progress: [String] = []
        /// A picture, or `nil` for 404.
        var cover: [UInt8]? = [0xFF, 0xD8, 0xFF, 0xE0]
        var isGone = false
        /// The status of every answer.
        var status = 200
        /// The pages of books that are answered before it fails.
        var failsAfterPages: Int?
        var afterFirstPage: (@Sendable (inout State) -> Void)?
        var repeatsPages = false
        var asked: [String] = []
    }

    // Reason for the lock: the test changes the state between the requests of its task.
    private let state = Mutex(State())

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var asked: [String] { state.withLock(\.asked) }

    static func book(_ number: Int, updatedAt: Int = 1) -> String {
        """
        {"id":"book-\(number)","libraryId":"books","mediaType":"book","addedAt":\(number),"updatedAt":\(updatedAt),
         "media":{"metadata":{"title":"Book \(number)","authorName":"Ann","seriesName":"Stars #\(number)"},"tags":[]}}
        """
    }

    static func podcast(_ id: String, episodes: Int, updatedAt: Int = 1) -> String {
        let list = (0..<episodes).map { #"{"id":"\#(id)-\#($0)","title":"Episode","publishedAt":\#($0)}"# }
        return """
            {"id":"\(id)","libraryId":"podcasts","mediaType":"podcast","updatedAt":\(updatedAt),
             "media":{"metadata":{"title":"\(id)"},"numEpisodes":\(episodes),
             "episodes":[\(list.joined(separator: ","))]}}
            """
    }

    func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress {
        TrackAddress(url: "http://server.test" + endpoint.target, headers: [])
    }

    func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer {
        let result = state.withLock { state -> HTTPAnswer? in
            state.asked.append(endpoint.target)
            if state.isGone { return nil }
            if state.status != 200 { return .of("Unauthorized", status: state.status) }
            return Self.answer(endpoint.target, &state)
        }
        guard let result else { throw .failure(ServerFailure(.unreachable, "no connection")) }
        return result
    }

    private static func answer(_ target: String, _ state: inout State) -> HTTPAnswer {
        func list(_ name: String, _ entries: some Sequence<String>, total: Int? = nil) -> HTTPAnswer {
            let total = total.map { ",\"total\":\($0)" } ?? ""
            return .of("{\"\(name)\":[\(entries.joined(separator: ","))]\(total)}")
        }
        func page(_ entries: [String]) -> HTTPAnswer {
            let number = number("page", in: target)
            let start = state.repeatsPages ? 0 : number * 200
            return list("results", entries.dropFirst(start).prefix(200), total: entries.count)
        }
        let path = target.prefix { $0 != "?" }
        switch path {
        case "/api/libraries":
            return list(
                "libraries",
                [
                    #"{"id":"books","name":"Books","mediaType":"book","displayOrder":1}"#,
                    #"{"id":"podcasts","name":"Podcasts","mediaType":"podcast","displayOrder":2}"#,
                ])
        case "/api/me": return .of(#"{"id":"u","username":"ann","mediaProgress":[\#(state.progress.joined(separator: ","))]}"#)
        case "/api/libraries/books/items":
            if let limit = state.failsAfterPages, number("page", in: target) >= limit { return .of("", status: 503) }
            let answer = page(state.books)
            if let change = state.afterFirstPage {
                state.afterFirstPage = nil
                change(&state)
            }
            return answer
        case "/api/libraries/podcasts/items":
            return page(
                state.podcasts.map { $0.replacing(/"episodes":\[.*\]/.dotMatchesNewlines(), with: "\"episodes\":[]") })
        case "/api/libraries/books/series":
            return list("results", [#"{"id":"s","name":"Stars","books":[{"id":"book-1","media":{}}]}"#], total: 1)
        case "/api/libraries/books/authors":
            return list("authors", [#"{"id":"a","name":"Ann","numBooks":2}"#, #"{"id":"b","name":"Bob"}"#])
        case "/api/libraries/books/collections": return list("results", [], total: 0)
        default: break
        }
        if path.hasSuffix("/cover") {
            return state.cover.map { HTTPAnswer(status: 200, body: $0, url: target) } ?? .of("Not Found", status: 404)
        }
        let id = path.split(separator: "/").last ?? ""
        if let item = (state.books + state.podcasts).first(where: { $0.contains("\"id\":\"\(id)\"") }) { return .of(item) }
        return .of("Not Found", status: 404)
    }

    private static func number(_ name: String, in target: String) -> Int {
        target.split { $0 == "?" || $0 == "&" }.first { $0.hasPrefix(name + "=") }
            .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
    }
}
