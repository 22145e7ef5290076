// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import HTTPExchange
import LibraryStore
import MediaPlayback
import PodcastFeeds
import Podcasts
import ReadingList

/// A machine without documents and without a web.
struct NoWeb: DocumentReading, FeedParsing, HTTPTransport {
    static func podcasts(_ store: LibraryStore) -> PodcastLibrary {
        PodcastLibrary(store: store, transport: NoWeb(), parser: NoWeb(), now: { 0 }, jitter: { 0 })
    }

    func feed(
        _ bytes: [UInt8], name: String, charset: String?, base: String?
    ) async throws(ItemError) -> PodcastFeed {
        throw ItemError(.unsupported, "\(name): no feeds")
    }

    func subscriptions(_ bytes: [UInt8], name: String) async throws(ItemError) -> SubscriptionList {
        throw ItemError(.unsupported, "\(name): no feeds")
    }

    static func list(_ folder: String) -> ReadingList {
        ReadingList(folder: folder, now: { 0 }) { url, _, _ in .failure(ItemError(.unreadable, "\(url): no web")) }
    }

    static func servers(_ folder: String) -> ServerAccounts {
        ServerAccounts(
            file: AccountFile(folder + "/servers.json"), store: CredentialFile(folder + "/logins.json"),
            transport: NoWeb(), now: { 0 }, newID: { "none" })
    }

    func read(
        _ source: TrackSource, name: String, charset: String?, wishes: ReadingWishes
    ) async throws(ItemError) -> TextDocument {
        throw ItemError(.unsupported, "\(name): no documents")
    }

    func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPAnswer {
        throw HTTPFailure(.network, "no web")
    }

    func fetch(
        _ request: HTTPRequest, into file: Int32, progress: @escaping @Sendable (Int64) -> Void
    ) async throws(HTTPFailure) -> HTTPAnswer {
        throw HTTPFailure(.network, "no web")
    }
}
