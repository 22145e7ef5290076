// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import FoundationEssentials
import HTTPExchange
import JSON
import LibraryStore
import MediaPlayback
import Synchronization
import Testing

@testable import AudiobookshelfClient

@Suite struct CatalogRefreshTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let server = CatalogServer()

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    private var refresh: CatalogRefresh {
        CatalogRefresh(account: "home", server: server, store: store, now: { 5000 })
    }

    private func items(_ library: String = "books") async throws -> CatalogPage<CatalogItem> {
        try await store.items(CatalogQuery(account: "home", library: library, limit: 1000))
    }

    @Test func `everything is taken over page by page, and can be browsed afterwards`() async throws {
        server.change { server in
            server.books = (0..<450).map { CatalogServer.book($0) }
            server.podcasts = [CatalogServer.podcast("pod-1", episodes: 3)]
            server.progress = [#"{"id":"r","libraryItemId":"book-7","currentTime":5.5,"duration":10,"lastUpdate":3}"#]
        }
        let steps = Mutex<[CatalogRefresh.Step]>([])
        try await CatalogRefresh(account: "home", server: server, store: store, now: { 5000 }) { step in
            steps.withLock { $0.append(step) }
        }.run()
        #expect(try await items().total == 450)
        #expect(try await store.item("book-7", of: nil)?.progress?.seconds == 5.5)
        #expect(
            try await store.episodes(of: "pod-1", account: "home", library: nil, words: nil, offset: 0, limit: 9)
                .entries.map(\.id) == ["pod-1-2", "pod-1-1", "pod-1-0"])
        #expect(try await store.libraries(of: nil).map(\.refreshedAt) == [5000, 5000])
        #expect(try await store.groups(.series, of: "books", account: "home", offset: 0, limit: 9).total == 1)
        #expect(try await store.groups(.author, of: "books", account: "home", offset: 0, limit: 9).total == 2)
        #expect(steps.withLock { $0.map(\.done) } == [200, 400, 450, 1])
        // Without the server, it is all still there.
        server.change { $0.isGone = true }
        await #expect(throws: CatalogRefreshError.self) { try await refresh.run() }
        #expect(try await items().total == 450)
    }

    @Test func `a second look asks for no episodes again, and writes nothing`() async throws {
        server.change { server in
            server.books = (0..<20).map { CatalogServer.book($0) }
            server.podcasts = [CatalogServer.podcast("pod-1", episodes: 3)]
        }
        try await refresh.run()
        let before = server.asked
        try await refresh.run()
        let asked = server.asked.dropFirst(before.count)
        #expect(!asked.contains { $0.hasPrefix("/api/items/") })
        #expect(asked.count == 7)
    }

    @Test func `what is gone from the server is removed after a complete look`() async throws {
        server.change { $0.books = (0..<250).map { CatalogServer.book($0) } }
        try await refresh.run()
        server.change { $0.books.removeFirst(249) }
        try await refresh.run()
        #expect(try await items().entries.map(\.id) == ["book-249"])
    }

    @Test func `nothing is removed by a look that ends early, or that was disturbed`() async throws {
        server.change { $0.books = (0..<250).map { CatalogServer.book($0) } }
        try await refresh.run()
        // The second page does not come.
        server.change { $0.failsAfterPages = 1 }
        await #expect(throws: CatalogRefreshError.server(.answer(ServerAnswerError(.failed, status: 503)))) {
            try await refresh.run()
        }
        #expect(try await items().total == 250)
        // While the pages are read, the first book is deleted, and one slips past.
        server.change { server in
            server.failsAfterPages = nil
            server.afterFirstPage = { $0.books.removeFirst() }
        }
        try await refresh.run()
        #expect(try await items().total == 250)
        // The next one is undisturbed.
        try await refresh.run()
        #expect(try await items().total == 249)
    }

    @Test func `a broken entry costs itself, and keeps others from being removed`() async throws {
        server.change { $0.books = (0..<3).map { CatalogServer.book($0) } }
        try await refresh.run()
        server.change { $0.books = [CatalogServer.book(0), #"{"id":"../x"}"#, CatalogServer.book(2)] }
        try await refresh.run()
        #expect(try await items().total == 3)
    }

    @Test func `a server that sends one page for ever is not asked for ever`() async throws {
        server.change { server in
            server.books = (0..<200).map { CatalogServer.book($0) }
            server.repeatsPages = true
        }
        try await refresh.run()
        #expect(server.asked.filter { $0.contains("/items?") }.count <= 3)
    }

    @Test func `a changed podcast has its episodes asked for, and its lost ones removed`() async throws {
        server.change { $0.podcasts = [CatalogServer.podcast("pod-1", episodes: 3)] }
        try await refresh.run()
        server.change { $0.podcasts = [CatalogServer.podcast("pod-1", episodes: 1, updatedAt: 9)] }
        try await refresh.run()
        let page = try await store.episodes(
            of: "pod-1", account: "home", library: nil, words: nil, offset: 0, limit: 9)
        #expect(page.entries.map(\.id) == ["pod-1-0"])
    }

    @Test func `a login that has ended is told as such`() async throws {
        server.change { $0.status = 401 }
        do {
            try await refresh.run()
            Issue.record("it was not told")
        } catch {
            #expect(error.message.contains("rostrum server login"))
        }
    }

    // MARK: Covers

    @Test func `a cover is fetched once for each version of an item, and the former one stays offline`() async throws {
        let cache = CoverCache(folder: folder.path + "/covers")
        let first = try #require(await cache.picture(of: "book-1", account: "home", updatedAt: 1, from: server))
        #expect(FileManager.default.contents(atPath: first).map { Array($0.prefix(3)) } == [0xFF, 0xD8, 0xFF])
        #expect(await cache.picture(of: "book-1", account: "home", updatedAt: 1, from: server) == first)
        #expect(server.asked == ["/api/items/book-1/cover?format=jpeg&width=400&ts=1"])
        server.change { $0.isGone = true }
        #expect(await cache.picture(of: "book-1", account: "home", updatedAt: 2, from: server) == first)
        server.change { $0.isGone = false }
        let second = try #require(await cache.picture(of: "book-1", account: "home", updatedAt: 2, from: server))
        #expect(second != first && !FileManager.default.fileExists(atPath: first))
        #expect(await cache.picture(of: "../x", account: "home", updatedAt: 2, from: server) == nil)
    }

    @Test func `a cover that is none is not kept, and one that is missing is not asked for again`() async throws {
        let cache = CoverCache(folder: folder.path + "/covers")
        server.change { $0.cover = Array("<html>".utf8) }
        #expect(await cache.picture(of: "book-1", account: "home", updatedAt: 1, from: server) == nil)
        server.change { $0.cover = nil }
        #expect(await cache.picture(of: "book-1", account: "home", updatedAt: 1, from: server) == nil)
        let asked = server.asked.count
        #expect(await cache.picture(of: "book-1", account: "home", updatedAt: 1, from: server) == nil)
        #expect(server.asked.count == asked)
    }

    @Test func `covers take no more room than they may`() async throws {
        let cache = CoverCache(folder: folder.path + "/covers", limit: 10_000)
        server.change { $0.cover = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 4000) }
        for number in 0..<6 {
            #expect(await cache.picture(of: "book-\(number)", account: "home", updatedAt: 1, from: server) != nil)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/covers")
        #expect(files.count <= 2 && files.contains { $0.contains("book-5") })
    }
}
