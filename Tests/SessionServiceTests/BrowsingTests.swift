// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import FileTestSupport
import HTTPExchange
import LibraryStore
import MediaPlayback
import PlaybackCore
import SessionProtocol
import Synchronization
import Testing

@Suite struct BrowsingTests {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let shelf = Shelf()

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    private var catalog: CatalogAdministration {
        CatalogAdministration(
            store: store, accounts: shelf, refreshes: CatalogRefreshes(accounts: shelf, store: store, now: { shelf.time }),
            covers: CoverCache(folder: folder.path + "/covers"))
    }

    private func browse(
        _ verb: BrowseAction.Verb, on catalog: CatalogAdministration? = nil, _ change: (inout BrowseAction) -> Void = { _ in }
    ) async throws -> BrowsePage {
        var action = BrowseAction(verb)
        change(&action)
        return try await (catalog ?? self.catalog).perform(action)
    }

    @Test func `without a server, it is said how to add one`() async throws {
        shelf.change { $0.accounts = [] }
        await #expect(throws: PlaybackError.self) { try await browse(.libraries) }
    }

    @Test func `what was never seen is waited for, and what was seen stays without the server`() async throws {
        let catalog = catalog
        let libraries = try await browse(.libraries, on: catalog)
        #expect(libraries.libraries.map(\.name) == ["Books", "Shows"] && libraries.library == nil)
        let items = try await browse(.items, on: catalog) { $0.library = "books" }
        #expect(items.items.map(\.title) == ["Lamp", "Moon"] && items.total == 2)
        #expect(items.items.first?.uri == "audiobookshelf://acc/lamp-0001" && items.items.first?.positionMs == 5000)
        #expect(items.refreshedAt == shelf.time && items.fault == nil)
        shelf.change { ($0.isGone, $0.time) = (true, $0.time + 3_600_000) }
        let later = try await browse(.items, on: catalog) { $0.library = "l-books" }
        #expect(later.items == items.items && later.refreshedAt == items.refreshedAt)
        // The look that has just begun fails beside the answer.
        await catalog.end()
        let told = try await browse(.items, on: catalog) { $0.library = "Books" }
        #expect(told.fault?.contains("Home") == true && told.items == items.items)
    }

    @Test func `what was seen a short time ago is not asked for again`() async throws {
        let catalog = catalog
        _ = try await browse(.libraries, on: catalog)
        let asked = shelf.asked
        for _ in 0..<3 { _ = try await browse(.items, on: catalog) { $0.library = "Books" } }
        #expect(shelf.asked == asked)
        shelf.change { $0.time += 600_000 }
        _ = try await browse(.items, on: catalog) { $0.library = "Books" }
        await catalog.end()
        #expect(shelf.asked > asked)
    }

    @Test func `one word is a library if no server has that name`() async throws {
        let catalog = catalog
        _ = try await browse(.libraries, on: catalog)
        #expect(try await browse(.libraries, on: catalog) { $0.server = "shows" }.library == "l-shows")
        #expect(try await browse(.libraries, on: catalog) { $0.server = "home" }.library == nil)
        for change in [{ $0.server = "nothing" }, { $0.library = "nothing" }] as [(inout BrowseAction) -> Void] {
            await #expect(throws: PlaybackError.self) { try await browse(.items, on: catalog, change) }
        }
    }

    @Test func `with two servers, one has to be named`() async throws {
        shelf.change { $0.accounts.append(CatalogAccount(id: "two", name: "Work", address: "http://work.test")) }
        let catalog = catalog
        await #expect(throws: PlaybackError.self) { try await browse(.items, on: catalog) }
        #expect(try await browse(.libraries, on: catalog).libraries.map(\.account) == ["acc", "acc", "two", "two"])
        #expect(try await browse(.items, on: catalog) { $0.server = "work.test" }.account == "two")
    }

    @Test func `filters, words and orders go through to the catalogue`() async throws {
        let catalog = catalog
        func titles(_ change: (inout BrowseAction) -> Void) async throws -> [String] {
            try await browse(.items, on: catalog) {
                $0.library = "Books"
                change(&$0)
            }.items.map(\.title)
        }
        #expect(try await titles { $0.filters = ["genre:drama"] } == ["Moon"])
        #expect(try await titles { $0.filters = ["progress:in-progress"] } == ["Lamp"])
        #expect(try await titles { ($0.sort, $0.reverse) = ("title", true) } == ["Moon", "Lamp"])
        #expect(try await titles { $0.words = ["la"] } == ["Lamp"])
        #expect(try await titles { ($0.offset, $0.limit) = (1, 1) } == ["Moon"])
    }

    @Test func `a podcast has its episodes newest first, and an item is shown with its picture`() async throws {
        let catalog = catalog
        _ = try await browse(.libraries, on: catalog)
        let episodes = try await browse(.episodes, on: catalog) { $0.id = "show-" }
        #expect(episodes.episodes.map(\.title) == ["Second", "First"])
        #expect(episodes.episodes.first?.uri == "audiobookshelf://acc/show-0001/epis-0002")
        let shown = try await browse(.show, on: catalog) { $0.id = "lamp" }
        #expect(shown.items.first?.description == "About a lamp" && shown.items.first?.cover?.hasSuffix(".jpg") == true)
        let episode = try await browse(.show, on: catalog) { $0.id = "epis-0001" }
        #expect(episode.episodes.map(\.title) == ["First"])
        let named = try await browse(.show, on: catalog) { $0.id = "audiobookshelf://acc/show-0001/epis-0002" }
        #expect(named.episodes.map(\.title) == ["Second"])
        await #expect(throws: PlaybackError.self) { try await browse(.show, on: catalog) { $0.id = "nothing" } }
        let progress = try await browse(.progress, on: catalog)
        #expect(progress.items.map(\.title) == ["Lamp"] && progress.episodes.map(\.title) == ["First"])
        #expect(try await browse(.series, on: catalog).groups.map(\.name) == ["Stars"])
    }
}

/// Two libraries on every server that is asked.
private final class Shelf: CatalogAccounts, ServerExchange {
    struct State: Sendable {
        var accounts = [CatalogAccount(id: "acc", name: "Home", address: "http://home.test")]
        var isGone = false
        var time: Int64 = 1_000_000_000
        var asked = 0
    }

    // Reason for the lock: the test changes the state between requests of other tasks.
    private let state = Mutex(State())
    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
    var asked: Int { state.withLock(\.asked) }
    var time: Int64 { state.withLock(\.time) }

    func accounts() async -> [CatalogAccount] { state.withLock(\.accounts) }
    func exchange(for id: String) async -> (any ServerExchange)? { self }

    func address(of endpoint: ServerEndpoint) async throws(ServerRequestError) -> TrackAddress {
        TrackAddress(url: "http://home.test" + endpoint.target, headers: [])
    }

    func answer(to endpoint: ServerEndpoint) async throws(ServerRequestError) -> HTTPAnswer {
        let isGone = state.withLock { state in
            state.asked += 1
            return state.isGone
        }
        if isGone { throw .failure(ServerFailure(.unreachable, "no connection")) }
        let path = endpoint.target.prefix { $0 != "?" }
        if path.hasSuffix("/cover") { return HTTPAnswer(status: 200, body: [0xFF, 0xD8, 0xFF, 1], url: "http://home.test") }
        guard let text = Self.answers[String(path)] else { return HTTPAnswer(status: 404, url: "http://home.test") }
        return HTTPAnswer(status: 200, body: Array(text.utf8), url: "http://home.test")
    }

    private static let lamp = """
        {"id":"lamp-0001","libraryId":"l-books","mediaType":"book","updatedAt":1,"media":{"coverPath":"/c.jpg","duration":10,
         "metadata":{"title":"Lamp","description":"About a lamp"}}}
        """
    private static let show = """
        {"id":"show-0001","libraryId":"l-shows","mediaType":"podcast","updatedAt":1,"media":{"numEpisodes":2,
         "metadata":{"title":"Show"},"episodes":[{"id":"epis-0001","title":"First","publishedAt":1},
         {"id":"epis-0002","title":"Second","publishedAt":2}]}}
        """
    private static let answers = [
        "/api/libraries": """
            {"libraries":[{"id":"l-books","name":"Books","mediaType":"book","displayOrder":1},
             {"id":"l-shows","name":"Shows","mediaType":"podcast","displayOrder":2}]}
            """,
        "/api/me": """
            {"id":"u","username":"ann","mediaProgress":[
             {"id":"1","libraryItemId":"lamp-0001","currentTime":5,"duration":10,"lastUpdate":1},
             {"id":"2","libraryItemId":"show-0001","episodeId":"epis-0001","currentTime":3,"duration":9,"lastUpdate":2}]}
            """,
        "/api/libraries/l-books/items": """
            {"results":[\(lamp),{"id":"moon-0001","libraryId":"l-books","mediaType":"book","updatedAt":1,
             "media":{"metadata":{"title":"Moon","genres":["Drama"]}}}],"total":2}
            """,
        "/api/libraries/l-books/series": #"{"results":[{"id":"s","name":"Stars","books":[]}],"total":1}"#,
        "/api/libraries/l-books/authors": #"{"authors":[]}"#,
        "/api/libraries/l-books/collections": #"{"results":[],"total":0}"#,
        "/api/libraries/l-shows/items": "{\"results\":[\(show)],\"total\":1}",
        "/api/items/lamp-0001": lamp, "/api/items/show-0001": show,
    ]
}
