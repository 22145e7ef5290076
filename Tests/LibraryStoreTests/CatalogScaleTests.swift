// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import MediaPlayback
import Testing

@testable import LibraryStore

/// A measurement, which judges nothing: 10,000 books and 50,000 episodes.
@Suite struct CatalogScaleTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["ROSTRUM_MEASURE"] != nil, "set ROSTRUM_MEASURE to measure"))
    func `the first screen of a large library is measured`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/library.sqlite"
        var store = LibraryStore(path: path, deadline: .seconds(60))
        let clock = ContinuousClock()
        let words = ["river", "stone", "glass", "winter", "ember", "garden", "signal", "harbor", "violet", "comet"]
        func title(_ number: Int) -> String { "\(words[number % 10]) \(words[number / 10 % 10]) \(number)" }
        var podcasts: [String] = []
        let filled = try await clock.measure {
            for page in 0..<50 {
                podcasts += try await store.keep(
                    (0..<200).map { index in
                        let number = page * 200 + index
                        var item = CatalogItem(
                            account: "a", library: number % 10 == 0 ? "p" : "b", id: "item-\(number)",
                            kind: number % 10 == 0 ? .podcast : .book, title: title(number))
                        item.author = "Author \(number % 700)"
                        item.authors = ["Author \(number % 700)"]
                        item.genres = ["Genre \(number % 30)"]
                        item.description = String(repeating: "A sentence of a description. ", count: 20)
                        item.episodes = number % 10 == 0 ? 50 : nil
                        (item.addedAt, item.updatedAt, item.seconds) = (Int64(number), Int64(number), Double(number))
                        return item
                    })
            }
            for podcast in podcasts {
                try await store.keep(
                    (0..<50).map { index in
                        var episode = CatalogEpisode(
                            account: "a", item: podcast, id: "\(podcast)-\(index)", title: "Episode \(index)")
                        episode.publishedAt = Int64(index)
                        return episode
                    }, of: podcast, account: "a")
            }
        }
        await store.close()
        store = LibraryStore(path: path, deadline: .seconds(60))
        print("filled in \(filled), \(podcasts.count) podcasts")
        var query = CatalogQuery(account: "a", library: "b", limit: 50)
        for sort in CatalogQuery.Sort.allCases {
            query.sort = sort
            let time = try await clock.measure { _ = try await store.items(query) }
            print("first screen by \(sort.rawValue): \(time)")
        }
        query.sort = .title
        query.words = "glass win"
        print("search: \(try await clock.measure { _ = try await store.items(query) })")
        query.words = nil
        query.filters = [.genre("Genre 7")]
        print("genre: \(try await clock.measure { _ = try await store.items(query) })")
        query.filters = [.inProgress]
        print("in progress: \(try await clock.measure { _ = try await store.items(query) })")
        print(
            "episodes: \(try await clock.measure { _ = try await store.episodes(of: nil, account: "a", library: nil, words: nil, offset: 0, limit: 50) })"
        )
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        print(status.split(separator: "\n").filter { $0.hasPrefix("VmHWM") || $0.hasPrefix("VmRSS") })
    }
}
