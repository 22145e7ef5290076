// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import MarkupDocuments
import MediaPlayback
import PodcastFeeds
import Podcasts
import ReadingText
import Synchronization

/// A value that several tasks change.
final class Counter<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var now: Value { value.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }
}

/// Servers of feeds, which answer as a test says.
final class FakeServers: HTTPTransport {
    private struct State {
        var answers: [String: @Sendable (HTTPRequest) async -> Result<HTTPAnswer, HTTPFailure>] = [:]
        var requests: [HTTPRequest] = []
    }

    // Requests come from several tasks at a time.
    private let state = Mutex(State())

    var requests: [HTTPRequest] { state.withLock(\.requests) }

    func answer(
        _ url: String, _ answer: @escaping @Sendable (HTTPRequest) async -> Result<HTTPAnswer, HTTPFailure>
    ) {
        state.withLock { $0.answers[url] = answer }
    }

    func answer(
        _ url: String, _ status: Int = 200, _ fields: [HTTPField] = [], _ body: String = "", moved: String? = nil
    ) {
        answer(url) { request in
            .success(
                HTTPAnswer(
                    status: status, fields: fields, body: Array(body.utf8), url: moved ?? request.url,
                    permanentURL: moved))
        }
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[request.url]
        }
        guard let answer else { throw HTTPFailure(.network, "no such host") }
        return try await answer(request).get()
    }

    func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer {
        throw HTTPFailure(.network, "nothing is fetched into files")
    }
}

/// Parses feeds here; the process that confines that is tested elsewhere.
struct PlainParser: FeedParsing {
    func feed(
        _ bytes: [UInt8], name: String, charset: String?, base: String?
    ) async throws(ItemError) -> PodcastFeed {
        do throws(DocumentError) {
            return try FeedReader.read(bytes, charset: charset, base: base)
        } catch {
            throw ItemError(.unsupported, "\(name): \(error.message)")
        }
    }

    func subscriptions(_ bytes: [UInt8], name: String) async throws(ItemError) -> SubscriptionList {
        do throws(DocumentError) {
            return try OPMLReader.read(bytes)
        } catch {
            throw ItemError(.unsupported, "\(name): \(error.message)")
        }
    }
}

/// Feeds as their servers send them.
enum FakeFeed {
    static func item(_ guid: String, url: String? = nil, more: String = "") -> String {
        "<item><guid>\(guid)</guid><title>Title \(guid)</title>"
            + "<enclosure url=\"\(url ?? "https://media.example/\(guid).mp3")\" type=\"audio/mpeg\"/>\(more)</item>"
    }

    static func rss(_ items: [String], channel: String = "<title>A podcast</title>") -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel>\(channel)\(items.joined())</channel></rss>"
    }
}
