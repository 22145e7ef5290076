// SPDX-License-Identifier: Apache-2.0

import HTTPExchange
import PodcastFeeds

/// The meaning of a server's answer to a request for a feed.
enum FeedAnswer: Equatable {
    /// The feed, to be parsed.
    case feed
    case unchanged
    /// It is gone for good.
    case gone
    /// It failed; the server may ask for a time before which it does not want to be asked again.
    case failed(String, until: Int64?)

    init(_ answer: HTTPAnswer, now: Int64) {
        switch answer.status {
        case 200, 203, 226: self = answer.body.isEmpty ? .failed("the server sent nothing", until: nil) : .feed
        case 304: self = .unchanged
        case 410: self = .gone
        case 401, 403:
            self = .failed("the server wants to know who asks (\(answer.status))", until: Self.wish(answer, now))
        case 404: self = .failed("the server has no such feed (404)", until: Self.wish(answer, now))
        default: self = .failed("the server answered with \(answer.status)", until: Self.wish(answer, now))
        }
    }

    /// Returns the time that `Retry-After` names, in seconds or as a date.
    private static func wish(_ answer: HTTPAnswer, _ now: Int64) -> Int64? {
        guard let value = answer.value("retry-after") else { return nil }
        if let seconds = Int64(value.filter { $0 != " " }) {
            return seconds < 0 || seconds > 1_000_000_000 ? nil : now + seconds * 1000
        }
        return FeedDate.milliseconds(value)
    }

    /// Returns the request for a feed that is here already in some version, or for one of its pages.
    static func request(_ podcast: PodcastSubscription, page: String? = nil) -> HTTPRequest {
        var fields = [
            HTTPField(
                "Accept",
                "application/rss+xml, application/atom+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.8, */*;q=0.1")
        ]
        if page == nil {
            if let etag = podcast.fetching.etag { fields.append(HTTPField("If-None-Match", etag)) }
            if let time = podcast.fetching.lastModified { fields.append(HTTPField("If-Modified-Since", time)) }
        }
        var request = HTTPRequest(
            .get, page ?? podcast.address, fields: fields, allowsPrivate: podcast.allowsPrivate)
        request.mostBytes = Int64(FeedLimits.document)
        request.timeLimit = .seconds(60)
        return request
    }

    /// Returns the encoding that the content type states.
    static func charset(_ answer: HTTPAnswer) -> String? {
        guard let type = answer.value("content-type")?.lowercased() else { return nil }
        for part in type.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }) == "charset" else { continue }
            let name = pair[1].filter { !" \"'".contains($0) }
            return name.isEmpty || name.utf8.count > FeedLimits.word ? nil : name
        }
        return nil
    }

    /// Returns a field that is sent back as it is; `nil` if it cannot be one.
    static func validator(_ name: String, _ answer: HTTPAnswer) -> String? {
        answer.value(name).flatMap { value in
            (1...1000).contains(value.utf8.count) && value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : nil
        }
    }
}
