// SPDX-License-Identifier: Apache-2.0

public import HTTPExchange
import MediaPlayback
public import PodcastFeeds

/// The podcasts to which the listener subscribes, and the refreshing of their feeds.
///
/// Requests go to few servers at a time, and one feed is asked for by one request at a time.
public actor PodcastLibrary {
    /// The news of a refresh.
    public struct Outcome: Sendable, Hashable {
        public var podcast: PodcastSubscription
        /// The episodes that were not known before, the newest first.
        public var new: [EpisodeRecord] = []
        /// The reason why the feed could not be had.
        public var fault: String?
    }

    /// The most requests for feeds at a time.
    static let atOnce = 4
    /// The most pages of a feed that are followed when it is added.
    static let mostPages = 20

    let store: any PodcastStore
    let transport: any HTTPTransport
    private let parser: any FeedParsing
    private let now: @Sendable () -> Int64
    private let jitter: @Sendable () -> Double
    private var schedule: RefreshSchedule
    private var refreshing: [String: Task<Outcome, Never>] = [:]

    /// - Parameters:
    ///   - now: Wall clock, milliseconds since 1970.
    ///   - jitter: Returns a number from 0 to 1.
    public init(
        store: any PodcastStore, transport: any HTTPTransport, parser: any FeedParsing,
        schedule: RefreshSchedule = RefreshSchedule(), now: @escaping @Sendable () -> Int64,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.transport = transport
        self.parser = parser
        self.schedule = schedule
        self.now = now
        self.jitter = jitter
    }

    /// Changes the time between two looks at a feed.
    public func set(interval: Duration) {
        schedule.interval = min(max(60, interval.components.seconds), 30 * 86_400) * 1000
    }

    // MARK: Subscribing

    /// Subscribes to a podcast, once its feed could be had; one that is there already is refreshed.
    @discardableResult
    public func add(_ text: String, allowsPrivate: Bool = false) async throws(PodcastError) -> Outcome {
        guard let address = FeedAddress.web(text) else {
            throw PodcastError(.unreadable, "\(text): no address of a feed; give one of http or https")
        }
        if let known = try await storing({ () throws(PlaceStoreError) in try await store.podcast(at: address) }) {
            return await refresh(known)
        }
        let candidate = PodcastSubscription(
            id: PodcastID.derived(from: address, length: PodcastID.podcastLength), address: address,
            allowsPrivate: allowsPrivate, addedAt: now())
        let look = await look(at: candidate)
        guard let feed = look.feed else {
            throw PodcastError(.unavailable, "\(WebIdentity.shown(address)): \(look.fault ?? "the feed is gone")")
        }
        let pages = await older(than: feed, of: candidate)
        // Behind a redirect for good, or under an address that the feed names, it may be there already.
        if look.podcast.address != address,
            let known = try await storing({ () throws(PlaceStoreError) in
                try await store.podcast(at: look.podcast.address)
            })
        {
            return await refresh(known)
        }
        return try await storing { () throws(PlaceStoreError) in
            let added = try await store.add(look.podcast)
            return Outcome(
                podcast: added,
                new: try await store.keep(pages, of: added, isWhole: true, now: added.addedAt))
        }
    }

    /// Follows the older pages of a feed that has several.
    private func older(than feed: PodcastFeed, of podcast: PodcastSubscription) async -> PodcastFeed {
        var whole = feed
        var known = Set(feed.episodes.map(\.guid))
        var seen: Set<String> = [podcast.address]
        var next = feed.nextPage
        while let page = next, seen.count <= Self.mostPages, seen.insert(page).inserted {
            guard let answer = try? await transport.send(FeedAnswer.request(podcast, page: page)),
                FeedAnswer(answer, now: now()) == .feed,
                let more = try? await parser.feed(
                    answer.body, name: WebIdentity.shown(page), charset: FeedAnswer.charset(answer), base: answer.url)
            else {
                whole.warnings.append("an older page of the feed could not be had")
                break
            }
            for episode in more.episodes
            where whole.episodes.count < FeedLimits.episodes && known.insert(episode.guid).inserted {
                whole.episodes.append(episode)
            }
            next = more.nextPage
        }
        return whole
    }

    /// Subscribes to the feeds of an OPML file, without waiting for them; returns those that were not there.
    public func add(_ list: SubscriptionList) async throws(PodcastError) -> [PodcastSubscription] {
        var added: [PodcastSubscription] = []
        for entry in list.entries {
            let podcast: PodcastSubscription? = try await storing { () throws(PlaceStoreError) in
                guard try await store.podcast(at: entry.url) == nil else { return nil }
                var podcast = PodcastSubscription(
                    id: PodcastID.derived(from: entry.url, length: PodcastID.podcastLength), address: entry.url,
                    addedAt: now())
                podcast.title = entry.title
                podcast.fetching.nextAt = now()
                return try await store.add(podcast)
            }
            if let podcast { added.append(podcast) }
        }
        return added
    }

    /// Parses an OPML file.
    public func subscriptions(_ bytes: [UInt8], name: String) async throws(PodcastError) -> SubscriptionList {
        do throws(ItemError) {
            return try await parser.subscriptions(bytes, name: name)
        } catch {
            throw PodcastError(.unreadable, error.message)
        }
    }

    // MARK: Refreshing

    /// Refreshes podcasts, some at a time; the outcomes are in the order of the podcasts.
    public func refresh(_ podcasts: [PodcastSubscription]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            var waiting = podcasts.enumerated().makeIterator()
            var outcomes: [(Int, Outcome)] = []
            for _ in 0..<Self.atOnce {
                guard let (index, podcast) = waiting.next() else { break }
                group.addTask { (index, await self.refresh(podcast)) }
            }
            while let outcome = await group.next() {
                outcomes.append(outcome)
                if let (index, podcast) = waiting.next() { group.addTask { (index, await self.refresh(podcast)) } }
            }
            return outcomes.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Refreshes the podcasts whose time has come; returns the time of the next one, if there is any.
    @discardableResult
    public func refreshDue() async -> (outcomes: [Outcome], next: Int64?) {
        let time = now()
        guard let podcasts = try? await store.podcasts() else { return ([], nil) }
        let due = podcasts.filter { !$0.fetching.isGone && $0.fetching.nextAt ?? 0 <= time }
        let outcomes = await refresh(due)
        let next = try? await store.podcasts().filter { !$0.fetching.isGone }.map { $0.fetching.nextAt ?? 0 }.min()
        return (outcomes, next)
    }

    /// Refreshes one podcast; a refresh of it that is under way is waited for.
    public func refresh(_ podcast: PodcastSubscription) async -> Outcome {
        if let task = refreshing[podcast.id] { return await task.value }
        let task = Task { await self.fetchAndKeep(podcast) }
        refreshing[podcast.id] = task
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        refreshing[podcast.id] = nil
        return outcome
    }

    private func fetchAndKeep(_ podcast: PodcastSubscription) async -> Outcome {
        let isFirst = podcast.fetching.fetchedAt == nil
        let look = await look(at: podcast)
        var outcome = Outcome(podcast: look.podcast, fault: look.fault)
        // A refresh that was given up says nothing about the feed.
        if look.isCancelled { return outcome }
        do throws(PlaceStoreError) {
            guard var feed = look.feed else {
                try await store.keep(look.podcast.fetching, address: look.podcast.address, of: podcast.id)
                return outcome
            }
            if isFirst { feed = await older(than: feed, of: look.podcast) }
            // What was there when the podcast was added is not new.
            let arrival = isFirst ? podcast.addedAt : now()
            outcome.new = try await store.keep(
                feed, of: look.podcast, isWhole: feed.nextPage == nil, now: arrival)
        } catch {
            outcome.fault = error.message
        }
        return outcome
    }

    private struct Look {
        var podcast: PodcastSubscription
        var feed: PodcastFeed?
        var fault: String?
        var isCancelled = false
    }

    /// Asks the server for a feed, and says what the answer changes; nothing is stored.
    private func look(at podcast: PodcastSubscription) async -> Look {
        var look = Look(podcast: podcast)
        let answer: HTTPAnswer
        do throws(HTTPFailure) {
            answer = try await transport.send(FeedAnswer.request(podcast))
        } catch {
            look.isCancelled = error.reason == .cancelled
            fail(&look, error.message, until: nil)
            return look
        }
        let time = now()
        if let moved = answer.permanentURL.flatMap(FeedAddress.web) { look.podcast.address = moved }
        switch FeedAnswer(answer, now: time) {
        case .failed(let reason, let until): fail(&look, reason, until: until)
        case .gone:
            look.fault = "the server says that the feed is gone for good"
            look.podcast.fetching.isGone = true
            look.podcast.fetching.nextAt = nil
            look.podcast.fetching.fault = look.fault
        case .unchanged: succeed(&look, time)
        case .feed:
            do throws(ItemError) {
                let feed = try await parser.feed(
                    answer.body, name: WebIdentity.shown(podcast.address), charset: FeedAnswer.charset(answer),
                    base: answer.url)
                look.podcast.fetching.etag = FeedAnswer.validator("etag", answer)
                look.podcast.fetching.lastModified = FeedAnswer.validator("last-modified", answer)
                // A feed that names a new address is asked for there from the next time on, without a leave for private ones.
                if let moved = feed.newAddress, moved != podcast.address {
                    look.podcast.address = moved
                    look.podcast.fetching.etag = nil
                    look.podcast.fetching.lastModified = nil
                }
                look.podcast.take(feed)
                look.feed = feed
                succeed(&look, time)
                look.podcast.fetching.fault = feed.warnings.first
            } catch {
                fail(&look, error.message, until: nil)
            }
        }
        return look
    }

    private func succeed(_ look: inout Look, _ time: Int64) {
        look.podcast.fetching.fetchedAt = time
        look.podcast.fetching.nextAt = schedule.next(after: time, jitter: jitter())
        look.podcast.fetching.failures = 0
        look.podcast.fetching.fault = nil
        look.podcast.fetching.isGone = false
    }

    private func fail(_ look: inout Look, _ reason: String, until wish: Int64?) {
        look.fault = reason
        look.podcast.fetching.failures = min(look.podcast.fetching.failures + 1, 1000)
        look.podcast.fetching.fault = reason
        look.podcast.fetching.nextAt = schedule.retry(
            after: now(), failures: look.podcast.fetching.failures, wish: wish, jitter: jitter())
    }

    // MARK: Names

    /// Returns the podcast that a listener names, by its ID, a unique beginning of that, or its address.
    public func podcast(named name: String) async throws(PodcastError) -> PodcastSubscription {
        let found = try await storing { () throws(PlaceStoreError) -> [PodcastSubscription] in
            if let address = FeedAddress.web(name), let podcast = try await store.podcast(at: address) {
                return [podcast]
            }
            return PodcastID.isPossible(name) ? try await store.podcasts(beginning: name) : []
        }
        guard let podcast = found.first else {
            throw PodcastError(.missing, "no such podcast: \(name); see `rostrum podcast list`")
        }
        guard found.count == 1 else {
            throw PodcastError(
                .ambiguous, "\(name) begins the ids of \(found.count) podcasts: \(Self.list(found.map(\.id)))")
        }
        return podcast
    }

    /// Returns the episode that a listener names as `PODCAST/EPISODE`, each by its ID or a unique beginning of it.
    public func episode(named text: String) async throws(PodcastError) -> EpisodeRecord {
        guard let name = EpisodeName(text) else {
            throw PodcastError(
                .missing, "no such episode: \(text); give it as PODCAST/EPISODE; see `rostrum podcast list`")
        }
        let found = try await storing { () throws(PlaceStoreError) in
            try await store.episodes(beginning: name, limit: 4)
        }
        guard let episode = found.first else {
            throw PodcastError(
                .missing, "no such episode: \(name.podcast)/\(name.episode); see `rostrum podcast list`")
        }
        guard found.count == 1 else {
            throw PodcastError(
                .ambiguous,
                "\(text) begins the ids of several episodes: \(Self.list(found.map { "\($0.podcast)/\($0.id)" }))")
        }
        return episode
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    }

    func storing<Value>(_ work: () async throws(PlaceStoreError) -> Value) async throws(PodcastError) -> Value {
        do throws(PlaceStoreError) {
            return try await work()
        } catch {
            throw PodcastError(.storage, error.message)
        }
    }
}
