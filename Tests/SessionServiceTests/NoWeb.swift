// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import HTTPExchange
import MediaPlayback
import ReadingList

/// A machine without documents and without a web.
struct NoWeb: DocumentReading, HTTPTransport {
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
