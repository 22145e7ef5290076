// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import GRDB
import Glibc
import MediaPlayback
import Testing

@testable import LibraryStore

@Suite struct `The catalogue of servers` {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private let account = "home"

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite", deadline: .seconds(20))
    }

    private func book(_ id: String, _ change: (inout CatalogItem) -> Void = { _ in }) -> CatalogItem {
        var item = CatalogItem(account: account, library: "books", id: id, kind: .book, title: "Title \(id)")
        (item.addedAt, item.updatedAt) = (10, 10)
        change(&item)
        return item
    }

    private func podcast(_ id: String, episodes: Int64, updatedAt: Int64 = 10) -> CatalogItem {
        var item = CatalogItem(account: account, library: "podcasts", id: id, kind: .podcast, title: "Podcast \(id)")
        (item.episodes, item.updatedAt) = (episodes, updatedAt)
        return item
    }

    private func episode(_ id: String, of item: String, at time: Int64?) -> CatalogEpisode {
        var episode = CatalogEpisode(account: account, item: item, id: id, title: "Episode \(id)")
        episode.publishedAt = time
        return episode
    }

    private func query(_ change: (inout CatalogQuery) -> Void = { _ in }) -> CatalogQuery {
        var query = CatalogQuery(account: account)
        change(&query)
        return query
    }

    private func ids(_ change: (inout CatalogQuery) -> Void) async throws -> [String] {
        try await store.items(query(change)).entries.map(\.id)
    }

    private func libraries() -> [CatalogLibrary] {
        [
            CatalogLibrary(account: account, id: "books", name: "Books", kind: .book, order: 1),
            CatalogLibrary(account: account, id: "podcasts", name: "Podcasts", kind: .podcast, order: 2),
        ]
    }

    /// Returns how many rows of a table have been written since the library was opened.
    private func changes() async throws -> Int64 {
        try await store.read(absent: 0) { try Int64.fetchOne($0, sql: "SELECT total_changes()") ?? 0 }
    }

    @Test func `is empty, and makes no file, before anything was seen`() async throws {
        #expect(try await store.libraries(of: nil).isEmpty)
        #expect(try await store.items(query()).total == 0)
        #expect(try await store.item("abcd", of: nil) == nil)
        #expect(access(store.path, F_OK) != 0)
    }

    @Test func `has an item as it was kept, also in another session`() async throws {
        let item = book("aaaa1111") { item in
            item.subtitle = "Sub"
            item.author = "A One, B Two"
            item.authors = ["A One", "B Two"]
            item.sortAuthor = "One, A"
            item.narrator = "N"
            item.series = "Stars #2.5, Other"
            item.description = "<p>x</p>"
            item.year = "1999"
            item.language = "de"
            item.genres = ["Sci-Fi", "Hör,spiel"]
            item.tags = ["a b"]
            item.seconds = 12.5
            item.bytes = 5
            item.files = 3
            item.hasCover = true
            item.isMissing = true
        }
        _ = try await store.keep([item])
        await store.close()
        #expect(try await store.items(query()) == CatalogPage(entries: [item], total: 1))
        #expect(try await store.item("aaaa", of: account) == item)
        #expect(try await store.item("aaa", of: account) == nil)
        #expect(try await store.item("aaaa", of: "other") == nil)
        #expect(try await store.item("aa*1", of: nil) == nil)
        _ = try await store.keep([book("aaaa2222")])
        #expect(try await store.item("aaaa", of: account) == nil)
        #expect(try await store.item("aaaa1111", of: account)?.id == "aaaa1111")
    }

    @Test func `does not write again what has not changed`() async throws {
        let items = (0..<50).map { number in
            book("item\(number)") { $0.genres = ["g"] }
        }
        try await store.keep(libraries(), of: account)
        _ = try await store.keep(items)
        let before = try await changes()
        _ = try await store.keep(items)
        try await store.keep(libraries(), of: account)
        #expect(try await changes() == before)
        var changed = items
        changed[7].updatedAt = 11
        changed[7].genres = ["h"]
        _ = try await store.keep(changed)
        #expect(try await changes() > before)
        #expect(try await ids { $0.filters = [.genre("H")] } == ["item7"])
        #expect(try await ids { $0.filters = [.genre("g")] }.count == 49)
    }

    @Test func `removes what was not seen only when a look at everything ends`() async throws {
        try await store.keep(libraries(), of: account)
        _ = try await store.keep([book("one1"), book("two2"), podcast("pod1", episodes: 1)])
        try await store.keep([episode("epi1", of: "pod1", at: 1)], of: "pod1", account: account)
        #expect(try await store.libraries(of: account).map(\.refreshedAt) == [nil, nil])
        try await store.finish("books", of: account, seen: ["two2"], at: 77)
        #expect(try await ids { $0.library = "books" } == ["two2"])
        #expect(try await ids { $0.library = "podcasts" } == ["pod1"])
        let libraries = try await store.libraries(of: account)
        #expect(libraries.map(\.refreshedAt) == [77, nil] && libraries.map(\.items) == [1, 1])
        // A library that the server has no more goes with all that is in it.
        try await store.keep([self.libraries()[0]], of: account)
        #expect(try await store.libraries(of: account).map(\.refreshedAt) == [77])
        #expect(try await ids { _ in } == ["two2"])
        #expect(
            try await store.episodes(of: nil, account: account, library: nil, words: nil, offset: 0, limit: 9).total == 0)
        #expect(try await store.episode("epi1", of: nil) == nil)
    }

    @Test func `names the podcasts whose episodes have to be asked for`() async throws {
        #expect(try await store.keep([podcast("pod1", episodes: 2), book("one1")]) == ["pod1"])
        let episodes = [episode("epi1", of: "pod1", at: 5), episode("epi2", of: "pod1", at: 9)]
        try await store.keep(episodes, of: "pod1", account: account)
        #expect(try await store.keep([podcast("pod1", episodes: 2)]) == [])
        #expect(try await store.keep([podcast("pod1", episodes: 3)]) == ["pod1"])
        #expect(try await store.keep([podcast("pod1", episodes: 2, updatedAt: 11)]) == ["pod1"])
        // It is asked for until it was there.
        #expect(try await store.keep([podcast("pod1", episodes: 2, updatedAt: 11)]) == ["pod1"])
        try await store.keep(Array(episodes.dropFirst()), of: "pod1", account: account)
        let page = try await store.episodes(
            of: "pod1", account: account, library: nil, words: nil, offset: 0, limit: 9)
        #expect(page.entries.map(\.id) == ["epi2"] && page.entries.map(\.podcast) == ["Podcast pod1"])
    }

    @Test func `has episodes newest first, and those without a date last`() async throws {
        _ = try await store.keep([podcast("pod1", episodes: 4), podcast("pod2", episodes: 1)])
        try await store.keep(
            [
                episode("none", of: "pod1", at: nil), episode("old1", of: "pod1", at: 1),
                episode("new1", of: "pod1", at: 9), episode("mid1", of: "pod1", at: 5),
            ], of: "pod1", account: account)
        try await store.keep([episode("else", of: "pod2", at: 7)], of: "pod2", account: account)
        try await store.keep(
            [CatalogProgress(item: "pod1", episode: "mid1", seconds: 4, duration: 8)], of: account)
        func found(_ item: String?, _ words: String? = nil, offset: Int = 0) async throws -> [String] {
            try await store.episodes(
                of: item, account: account, library: "podcasts", words: words, offset: offset, limit: 3
            ).entries.map(\.id)
        }
        #expect(try await found("pod1") == ["new1", "mid1", "old1"])
        #expect(try await found("pod1", offset: 3) == ["none"])
        #expect(try await found(nil) == ["new1", "else", "mid1"])
        #expect(try await found(nil, "epi mid") == ["mid1"])
        #expect(try await found(nil, "???") == [])
        #expect(try await store.episode("mid1", of: account)?.progress?.seconds == 4)
        #expect(try await ids { $0.sort = .latestEpisode } == ["pod1", "pod2"])
        #expect(try await ids { $0.filters = [.inProgress] } == ["pod1"])
    }

    @Test func `is filtered by each kind of word`() async throws {
        _ = try await store.keep([
            book("one1") {
                ($0.genres, $0.tags, $0.authors, $0.author) = (["Drama"], ["loud"], ["Ann", "Bob"], "Ann, Bob")
                ($0.series, $0.narrator) = ("Stars #2, Moons #1", "Nina, Otto")
            },
            book("two2") { ($0.genres, $0.authors, $0.author, $0.series) = (["drama"], ["Bob"], "Bob", "Stars #10") },
            book("tri3") { $0.series = "Stars #1" },
        ])
        try await store.keep(
            [CatalogGroup(account: account, library: "books", kind: .author, id: "author-id", name: "Ann", count: 1)],
            .author, of: "books", account: account)
        let cases: [(CatalogQuery.Filter, [String])] = [
            (.genre("Drama"), ["one1", "two2"]), (.genre("Dra"), []), (.tag("LOUD"), ["one1"]),
            (.author("bob"), ["one1", "two2"]), (.author("Ann"), ["one1"]), (.author("author-id"), ["one1"]),
            (.narrator("otto"), ["one1"]), (.series("moons"), ["one1"]), (.genre("' OR 1=1 --"), []),
            (.collection("none"), []),
        ]
        for (filter, expected) in cases {
            #expect(try await ids { $0.filters = [filter] }.sorted() == expected, "\(filter)")
        }
        // The order of a series is that of its numbers, and not of their digits.
        #expect(
            try await ids {
                $0.filters = [.series("Stars")]
                $0.sort = .sequence
            } == ["tri3", "one1", "two2"])
        #expect(try await ids { $0.filters = [.genre("Drama"), .author("Ann")] } == ["one1"])
    }

    @Test func `has a series and a collection in the server's order`() async throws {
        _ = try await store.keep([book("one1"), book("two2"), book("tri3")])
        let series = CatalogGroup(
            account: account, library: "books", kind: .series, id: "series-id", name: "Stars", count: 2,
            members: [.init(item: "tri3", sequence: "1"), .init(item: "one1", sequence: "2.5")])
        let collection = CatalogGroup(
            account: account, library: "books", kind: .collection, id: "col-id", name: "Mine", count: 2,
            members: [.init(item: "two2"), .init(item: "one1")])
        try await store.keep([series], .series, of: "books", account: account)
        try await store.keep([collection], .collection, of: "books", account: account)
        for name in ["series-id", "stars"] {
            let page = try await store.items(
                query {
                    $0.filters = [.series(name)]
                    $0.sort = .sequence
                })
            #expect(page.entries.map(\.id) == ["tri3", "one1"])
            #expect(page.entries.map(\.sequence) == ["1", "2.5"])
        }
        #expect(
            try await ids {
                $0.filters = [.collection("mine")]
                $0.sort = .sequence
            } == ["two2", "one1"])
        let before = try await changes()
        try await store.keep([series], .series, of: "books", account: account)
        #expect(try await changes() == before)
        try await store.keep([], .series, of: "books", account: account)
        #expect(try await ids { $0.filters = [.series("series-id")] } == [])
        let left = try await store.groups(.collection, of: nil, account: account, offset: 0, limit: 9)
        #expect(left.entries.map(\.name) == ["Mine"] && left.total == 1)
    }

    @Test func `is ordered by each order, and by its reverse`() async throws {
        _ = try await store.keep([
            book("aaa1") {
                ($0.title, $0.sortTitle, $0.author, $0.sortAuthor) = ("The Zebra", "Zebra, The", "Ann Young", "Young, Ann")
                ($0.addedAt, $0.updatedAt, $0.seconds, $0.genres, $0.year, $0.bytes) = (1, 9, 30, ["b"], "1999", 5)
            },
            book("bbb2") {
                ($0.title, $0.sortTitle, $0.author, $0.sortAuthor) = ("apple", "apple", "Zoe Adams", "Adams, Zoe")
                ($0.addedAt, $0.updatedAt, $0.seconds, $0.genres, $0.year, $0.bytes) = (2, 8, 20, ["a"], "2001", 4)
            },
            book("ccc3") { ($0.title, $0.sortTitle, $0.addedAt, $0.updatedAt) = ("Melon", "Melon", nil, nil) },
        ])
        try await store.keep([CatalogProgress(item: "bbb2", seconds: 1, updatedAt: 5)], of: account)
        let cases: [(CatalogQuery.Sort, [String], [String])] = [
            (.title, ["bbb2", "ccc3", "aaa1"], ["aaa1", "ccc3", "bbb2"]),
            (.author, ["bbb2", "aaa1", "ccc3"], ["aaa1", "bbb2", "ccc3"]),
            (.added, ["bbb2", "aaa1", "ccc3"], ["aaa1", "bbb2", "ccc3"]),
            (.updated, ["aaa1", "bbb2", "ccc3"], ["bbb2", "aaa1", "ccc3"]),
            (.duration, ["bbb2", "aaa1", "ccc3"], ["aaa1", "bbb2", "ccc3"]),
            (.genre, ["bbb2", "aaa1", "ccc3"], ["aaa1", "bbb2", "ccc3"]),
            (.year, ["aaa1", "bbb2", "ccc3"], ["bbb2", "aaa1", "ccc3"]),
            (.size, ["bbb2", "aaa1", "ccc3"], ["aaa1", "bbb2", "ccc3"]),
            (.progress, ["bbb2", "ccc3", "aaa1"], ["bbb2", "ccc3", "aaa1"]),
        ]
        for (sort, forward, backward) in cases {
            #expect(try await ids { $0.sort = sort } == forward, "\(sort)")
            #expect(
                try await ids { ($0.sort, $0.isReversed) = (sort, true) } == backward, "\(sort) reversed")
        }
    }

    @Test func `a random order has each item once over its pages, and another seed is another order`() async throws {
        _ = try await store.keep((0..<60).map { book("item\($0)") })
        func order(_ seed: Int64) async throws -> [String] {
            var found: [String] = []
            for offset in stride(from: 0, to: 60, by: 20) {
                found += try await ids { ($0.sort, $0.seed, $0.offset, $0.limit) = (.random, seed, offset, 20) }
            }
            return found
        }
        let (first, again, second) = (try await order(7), try await order(7), try await order(8))
        #expect(first == again && Set(first).count == 60)
        #expect(first != second && Set(second).count == 60)
    }

    @Test(arguments: [
        ("light", ["one1"]), ("LIGHT house", ["one1"]), ("hous", []), ("uber", ["two2"]), ("über wald", ["two2"]),
        ("light wald", []), ("\" OR *", []), ("ann", ["one1"]), ("stars", ["two2"]), ("?!", []), ("", []),
        ("light NOT house", []),
    ])
    func `is searched by the beginnings of words, without regard to case and accents`(
        _ words: String, _ expected: [String]
    ) async throws {
        _ = try await store.keep([
            book("one1") { ($0.title, $0.author) = ("The Light House", "Ann") },
            book("two2") { ($0.title, $0.series) = ("Über den Wald", "Stars #1") },
        ])
        #expect(try await ids { $0.words = words } == expected)
        // The index follows the rows.
        _ = try await store.keep([book("one1"), book("two2")])
        #expect(try await ids { $0.words = words } == [])
    }

    @Test func `has the user's places, by which it is filtered`() async throws {
        _ = try await store.keep([book("one1"), book("two2"), book("tri3"), podcast("pod1", episodes: 1)])
        try await store.keep(
            [
                CatalogProgress(item: "one1", seconds: 5, duration: 9, updatedAt: 3),
                CatalogProgress(item: "two2", seconds: 9, duration: 9, isFinished: true),
                CatalogProgress(item: "pod1", episode: "epi1", isFinished: true),
                CatalogProgress(item: "gone", seconds: 1),
            ], of: account)
        #expect(try await ids { $0.filters = [.inProgress] } == ["one1"])
        #expect(try await ids { $0.filters = [.finished] } == ["pod1", "two2"])
        #expect(try await ids { $0.filters = [.notStarted] } == ["tri3"])
        #expect(try await store.item("one1", of: account)?.progress?.duration == 9)
        let before = try await changes()
        try await store.keep(
            [
                CatalogProgress(item: "one1", seconds: 6, duration: 9, updatedAt: 4),
                CatalogProgress(item: "two2", seconds: 9, duration: 9, isFinished: true),
            ], of: account)
        // One is new, two are gone.
        #expect(try await changes() == before + 3)
        #expect(try await ids { $0.filters = [.notStarted] } == ["pod1", "tri3"])
    }

    @Test func `keeps accounts apart, and forgets one as a whole`() async throws {
        var other = book("one1")
        other.account = "work"
        try await store.keep(libraries(), of: account)
        _ = try await store.keep([book("one1"), other])
        #expect(try await store.item("one1", of: "work")?.account == "work")
        try await store.forget(account: account)
        #expect(try await store.libraries(of: nil).isEmpty)
        #expect(try await store.item("one1", of: nil)?.account == "work")
    }

    @Test func `outlives damage of the file as far as it can be read`() async throws {
        _ = try await store.keep([book("one1") { $0.genres = ["Drama"] }])
        await store.close()
        let copy = try DatabaseQueue(path: folder.path + "/copy.sqlite")
        try LibrarySchema.migrator.migrate(copy)
        #expect(Salvage(from: store.path).copy(into: copy).rows > 0)
        try copy.close()
        let saved = LibraryStore(path: folder.path + "/copy.sqlite", deadline: .seconds(20))
        var wanted = query { $0.words = "title" }
        wanted.filters = [.genre("drama")]
        #expect(try await saved.items(wanted).entries.map(\.id) == ["one1"])
    }
}
