// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import HTTPExchange
import LibraryStore
import MediaPlayback
import PlaybackCore
import PodcastFeeds
import Podcasts
import Synchronization

/// Podcasts over a library of their own and servers of the test's own.
struct PodcastRig {
    static let start: Int64 = 1_800_000_000_000
    static let hour: Int64 = 3_600_000
    static let feed = "https://a.example/feed"

    private let folder: TemporaryFolder
    let servers = FakeServers()
    let store: LibraryStore
    let clock: TestClock
    let library: PodcastLibrary

    /// A clock that a test moves, from whichever task.
    final class TestClock: Sendable {
        private let time = Mutex(PodcastRig.start)

        var now: Int64 { time.withLock(\.self) }

        func move(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
    }

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
        let clock = TestClock()
        self.clock = clock
        library = PodcastLibrary(
            store: store, transport: servers, parser: PlainParser(), now: { clock.now }, jitter: { 0 })
    }

    /// Subscribes to a podcast with these episodes.
    @discardableResult
    func add(_ guids: String..., fields: [(String, String)] = []) async throws -> PodcastSubscription {
        servers.answer(Self.feed, 200, fields.map { HTTPField($0.0, $0.1) }, FakeFeed.rss(guids.map { FakeFeed.item($0) }))
        return try await library.add(Self.feed).podcast
    }

    func only() async throws -> PodcastSubscription? { try await store.podcasts().first }

    /// The episodes as `guid:state`, in the order of a list.
    func episodes(_ states: Set<EpisodeRecord.State> = []) async throws -> [String] {
        try await store.episodes(EpisodeQuery(states: states)).map { "\($0.episode.guid):\($0.state)" }
    }

    func save(_ record: EpisodeRecord, finished: Bool, at time: Int64) async throws {
        try await store.save(
            SavedPlace(
                owner: .main, uri: record.uri, kind: .audio, engine: EngineID("ffmpeg"),
                position: MediaPosition(track: 0, units: 10), provenance: .heard, finished: finished, updatedAt: time),
            durably: true)
    }
}
