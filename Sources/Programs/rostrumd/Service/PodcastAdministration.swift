// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaPlayback
import PlaybackCore
import PodcastFeeds
import Podcasts
import SessionProtocol

/// The podcasts: carries out `podcasts`.
struct PodcastAdministration: Sendable {
    private let library: PodcastLibrary
    private let store: any PodcastStore
    private let now: @Sendable () -> Int64
    /// Called when there may be something to refresh sooner than was known.
    private let changed: @Sendable () -> Void

    private static let mostListed = 200

    init(
        _ library: PodcastLibrary, store: any PodcastStore, now: @escaping @Sendable () -> Int64,
        changed: @escaping @Sendable () -> Void = {}
    ) {
        self.library = library
        self.store = store
        self.now = now
        self.changed = changed
    }

    func perform(_ action: PodcastAction) async throws(PlaybackError) -> PodcastPage {
        do throws(PodcastError) {
            return try await carryOut(action)
        } catch {
            throw PlaybackError(Self.kind(error.reason), message: "podcast \(action.action.rawValue): \(error.message)")
        }
    }

    private static func kind(_ reason: PodcastError.Reason) -> PlaybackError.Kind {
        switch reason {
        case .missing: .noInput
        case .ambiguous: .usage
        case .unreadable: .badContent
        case .unavailable: .unavailable
        case .storage: .io
        }
    }

    private func carryOut(_ action: PodcastAction) async throws(PodcastError) -> PodcastPage {
        switch action.action {
        case .list: return PodcastPage(podcasts: try await infos(try await podcasts()))
        case .episodes: return try await episodes(action)
        case .show: return try await show(action.ids[0])
        case .add:
            return try await page(of: [
                try await library.add(action.ids[0], allowsPrivate: action.allowPrivate ?? false)
            ])
        case .remove: return try await remove(action.ids)
        case .refresh:
            var named: [PodcastSubscription] = []
            for id in action.ids { named.append(try await library.podcast(named: id)) }
            return try await page(of: await library.refresh(action.ids.isEmpty ? try await podcasts() : named))
        case .import: return try await bringIn(action.path ?? "")
        case .export:
            let list = SubscriptionList(
                entries: try await podcasts().map { SubscriptionList.Entry(url: $0.address, title: $0.title) })
            return PodcastPage(opml: list.opml)
        case .played, .unplayed: return try await mark(action)
        case .keep:
            var podcast = try await library.podcast(named: action.ids[0])
            if let newest = action.newest { podcast.keep.newest = newest == 0 ? nil : newest }
            if let deletes = action.deletePlayed { podcast.keep.deletesPlayed = deletes }
            let (rule, id) = (podcast.keep, podcast.id)
            try await storing { () async throws(PlaceStoreError) in try await store.keep(rule, of: id) }
            return PodcastPage(podcasts: try await infos([podcast]))
        }
    }

    private func podcasts() async throws(PodcastError) -> [PodcastSubscription] {
        try await storing { () async throws(PlaceStoreError) -> [PodcastSubscription] in try await store.podcasts() }
    }

    private func episodes(_ action: PodcastAction) async throws(PodcastError) -> PodcastPage {
        var query = EpisodeQuery(offset: action.offset ?? 0, limit: action.limit ?? Self.mostListed)
        if let id = action.ids.first { query.podcast = try await library.podcast(named: id).id }
        switch action.filter ?? .all {
        case .all: break
        case .new: query.states = [.new]
        case .unplayed: query.states = [.new, .unplayed, .started]
        }
        let wanted = query
        let records = try await storing { () async throws(PlaceStoreError) -> [EpisodeRecord] in
            try await store.episodes(wanted)
        }
        return PodcastPage(episodes: records.map { EpisodeInfo($0) })
    }

    private func show(_ name: String) async throws(PodcastError) -> PodcastPage {
        if name.contains("/"), EpisodeName(name) != nil {
            return PodcastPage(episodes: [EpisodeInfo(try await library.episode(named: name), isWhole: true)])
        }
        let podcast = try await library.podcast(named: name)
        return PodcastPage(podcasts: try await infos([podcast], areWhole: true))
    }

    private func remove(_ names: [String]) async throws(PodcastError) -> PodcastPage {
        var removed: [PodcastSubscription] = []
        for name in names { removed.append(try await library.podcast(named: name)) }
        let infos = try await infos(removed)
        for podcast in removed {
            _ = try await storing { () async throws(PlaceStoreError) -> Bool in
                try await store.removePodcast(podcast.id)
            }
        }
        return PodcastPage(podcasts: infos)
    }

    private func mark(_ action: PodcastAction) async throws(PodcastError) -> PodcastPage {
        var marked: [EpisodeRecord] = []
        for name in action.ids {
            if EpisodeName(name) != nil {
                marked.append(try await library.episode(named: name))
                continue
            }
            let query = EpisodeQuery(podcast: try await library.podcast(named: name).id, limit: Int(Int32.max))
            marked += try await storing { () async throws(PlaceStoreError) -> [EpisodeRecord] in
                try await store.episodes(query)
            }
        }
        let (records, isPlayed, time) = (marked, action.action == .played, now())
        try await storing { () async throws(PlaceStoreError) in
            try await store.mark(records, played: isPlayed, now: time)
        }
        return PodcastPage(
            episodes: marked.prefix(Self.mostListed).map { record in
                var record = record
                record.state = isPlayed ? .played : .unplayed
                return EpisodeInfo(record)
            })
    }

    private func bringIn(_ path: String) async throws(PodcastError) -> PodcastPage {
        let list = try await library.subscriptions(try Self.contents(path), name: path)
        let added = try await library.add(list)
        changed()
        return PodcastPage(podcasts: try await infos(added), problems: list.warnings)
    }

    /// Reads a file that is no larger than a list of podcasts can be.
    private static func contents(_ path: String) throws(PodcastError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw PodcastError(errno == ENOENT ? .missing : .unreadable, "\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            (0...FeedLimits.document).contains(Int(status.st_size))
        else { throw PodcastError(.unreadable, "\(path): no file, or a file that is too large") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw PodcastError(.unreadable, "\(path): \(String(cString: strerror(errno)))") }
            if count == 0 { break }
            done += count
        }
        return Array(bytes.prefix(done))
    }

    /// Shows what refreshing brought.
    private func page(of outcomes: [PodcastLibrary.Outcome]) async throws(PodcastError) -> PodcastPage {
        let new = outcomes.flatMap(\.new).sorted { ($1.date, $0.id) < ($0.date, $1.id) }
        return PodcastPage(
            podcasts: try await infos(outcomes.map(\.podcast)),
            episodes: new.prefix(Self.mostListed).map { EpisodeInfo($0) },
            problems: outcomes.compactMap { outcome in
                outcome.fault.map { "\(outcome.podcast.title ?? WebIdentity.shown(outcome.podcast.address)): \($0)" }
            })
    }

    private func infos(
        _ podcasts: [PodcastSubscription], areWhole: Bool = false
    ) async throws(PodcastError) -> [PodcastInfo] {
        let counts = try await storing { () async throws(PlaceStoreError) -> [String: EpisodeCounts] in
            try await store.episodeCounts()
        }
        return podcasts.map { PodcastInfo($0, counts[$0.id] ?? EpisodeCounts(), isWhole: areWhole) }
    }

    private func storing<Value: Sendable>(
        _ work: () async throws(PlaceStoreError) -> Value
    ) async throws(PodcastError) -> Value {
        do throws(PlaceStoreError) {
            return try await work()
        } catch {
            throw PodcastError(.storage, error.message)
        }
    }
}
