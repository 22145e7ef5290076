// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback
public import ProgressSync

/// The places of one account: keeps them, exchanges them with the server, and tells the session what follows.
///
/// One exchange runs at a time. A place is durable here before the server is told of it.
public actor ServerProgress {
    /// The end of an exchange.
    public enum Outcome: String, Sendable {
        case exchanged
        /// The server did not answer; what it is to be told waits.
        case unreachable
        /// The listener must log in again; what the server is to be told waits.
        case unauthorized
    }

    /// The records that an exchange reads.
    public enum Scope: Sendable, Hashable {
        case all
        /// One item, which is less to read while it plays.
        case item(ServedItem)
    }

    public nonisolated let account: String
    private let server: any ProgressServing
    private let store: any ProgressStore
    private let audience: any ProgressAudience
    private let now: @Sendable () -> Int64
    private let device: String
    /// The rules; a change counts from the next exchange on.
    public var sync: ProgressSync

    private var states: [ServedItem: ProgressState] = [:]
    private var clock = ClockCorrection()
    private var isLoaded = false
    private var changed: Set<ServedItem> = []
    private var running: Task<Outcome, Never>?
    private var hasUnreported = true
    /// The most items that are read one by one.
    private static let mostRead = 20
    /// The reason why places cannot be kept on this machine; `nil` if they can.
    public private(set) var fault: PlaceStoreError?

    /// - Parameters:
    ///   - device: The id of this installation.
    ///   - now: Returns the milliseconds since 1970 by this machine's clock.
    public init(
        account: String, server: any ProgressServing, store: any ProgressStore, audience: any ProgressAudience,
        sync: ProgressSync = ProgressSync(), device: String, now: @escaping @Sendable () -> Int64
    ) {
        self.account = account
        self.server = server
        self.store = store
        self.audience = audience
        self.sync = sync
        self.device = device
        self.now = now
    }

    public func use(_ sync: ProgressSync) { self.sync = sync }

    /// Returns what is known of an item.
    public func state(of item: ServedItem) async -> ProgressState? {
        await load()
        return states[item]
    }

    /// The items of which the server is still to be told.
    public var waiting: [ServedItem] {
        states.filter { $0.value.pending != nil }.keys.sorted { $0.key < $1.key }
    }

    // MARK: News from here

    /// Notes a place of an item; one that nobody heard or chose changes nothing.
    ///
    /// - Parameter length: The length of the item in milliseconds; 0 if it is not known.
    public func note(_ record: ProgressRecord, of item: ServedItem, length: Int64) async {
        await load()
        var record = record
        record.device = device
        var state = states[item] ?? ProgressState()
        if length > 0 { state.length = length }
        guard state.note(record, clock: clock) || state != states[item] else { return }
        states[item] = state
        changed.insert(item)
        await keep(durably: false)
    }

    /// Notes a time of listening, which may have grown since it was noted before.
    public func note(_ session: ListeningSession) async {
        hasUnreported = true
        do throws(PlaceStoreError) {
            try await store.keep(session)
        } catch {
            fault = error
        }
    }

    /// Returns where an item goes on, after the server was asked for its record.
    ///
    /// - Parameter isHere: `true` if the item was downloaded, so that it can be new although the server does not answer.
    public func resumption(of item: ServedItem, isHere: Bool) async -> ProgressState.Resumption {
        _ = await exchange(.item(item))
        return (states[item] ?? ProgressState()).resumption(isHere: isHere)
    }

    // MARK: Exchanges

    /// Exchanges places with the server; waits for an exchange that is going on, and begins after it.
    public func exchange(_ scope: Scope) async -> Outcome {
        while let running { _ = await running.value }
        let task = Task { () async -> Outcome in
            defer { self.running = nil }
            return await self.carryOut(scope)
        }
        running = task
        return await task.value
    }

    private func carryOut(_ scope: Scope) async -> Outcome {
        await load()
        // Without what is known here, nothing can be decided.
        guard isLoaded else { return .unreachable }
        do throws(ProgressFailure) {
            try await read(scope)
        } catch {
            await keep(durably: false)
            return outcome(of: error)
        }
        // The item that plays may not be the only one that waits.
        let present = Array(states.filter { $0.value.remote != .unknown }.keys).sorted { $0.key < $1.key }
        for item in present where isOpen(item) {
            do throws(ProgressFailure) {
                try await settle(item)
            } catch {
                await keep(durably: true)
                if error.reason != .failing { return outcome(of: error) }
            }
        }
        await keep(durably: true)
        do throws(ProgressFailure) {
            try await report()
        } catch {
            if error.reason == .unreachable || error.reason == .unauthorized { return outcome(of: error) }
        }
        return .exchanged
    }

    /// Returns `true` if something may be to be decided on an item.
    private func isOpen(_ item: ServedItem) -> Bool {
        guard let state = states[item] else { return false }
        return state.pending != nil || state.aside != nil || state.local == nil
            || state.remote.record.map { state.base?.says($0) != true } == true
    }

    private func outcome(of failure: ProgressFailure) -> Outcome {
        failure.reason == .unauthorized ? .unauthorized : .unreachable
    }

    private func read(_ scope: Scope) async throws(ProgressFailure) {
        switch scope {
        case .all:
            let answer = try await server.progress()
            note(answer.date)
            for item in Set(states.keys).union(answer.value.keys) where item.account == account {
                note(answer.value[item].map(RemoteProgress.record) ?? .absent, of: item)
            }
        case .item(let item):
            let answer = try await server.progress(of: item)
            note(answer.date)
            note(answer.value.map(RemoteProgress.record) ?? .absent, of: item)
            // What is known of the others is old by now.
            for other in states.keys where other != item { states[other]?.remote = .unknown }
            for other in waiting.filter({ $0 != item }).prefix(Self.mostRead) {
                note(try await server.progress(of: other).value.map(RemoteProgress.record) ?? .absent, of: other)
            }
        }
    }

    private func note(_ date: Int64?) {
        guard let date else { return }
        clock.note(date: date, at: now())
        for item in states.keys where states[item]?.isUncorrected == true {
            states[item]?.correct(by: clock)
            changed.insert(item)
        }
    }

    private func note(_ answer: RemoteProgress, of item: ServedItem) {
        let before = states[item]
        var state = before ?? ProgressState()
        state.note(remote: answer, at: clock.corrected(now()), rules: sync.rules)
        states[item] = state
        if state != before { changed.insert(item) }
    }

    /// Decides on an item, and tells the server and the session what follows.
    private func settle(_ item: ServedItem) async throws(ProgressFailure) {
        let isPlaying = await audience.isPlaying(item)
        let time = clock.corrected(now())
        let isNew = states[item]?.local == nil
        guard let step = states[item]?.settle(by: sync, isPlaying: isPlaying, at: time) else { return }
        changed.insert(item)
        // What was never heard here has no place that could be moved.
        if !isNew, step.place != nil || step.jump != nil {
            await audience.follow(step.place, jump: step.jump, of: item)
        }
        if let news = step.news { await audience.tell(news, of: item) }
        guard let push = step.push else { return }
        states[item]?.noteSending(push.steps)
        await keep(durably: true)
        for (write, record) in zip(push.writes, push.steps) {
            do throws(ProgressFailure) {
                try await server.write(write, to: item)
            } catch {
                guard error.reason == .notFound || error.reason == .rejected else { throw error }
                changed.insert(item)
                if states[item]?.noteRefused() == true { await audience.tell(.refused, of: item) }
                return
            }
            states[item]?.noteSent(record)
            changed.insert(item)
        }
    }

    // MARK: Times of listening

    private func report() async throws(ProgressFailure) {
        guard hasUnreported, clock.offset != nil, let kept = await keptSessions() else { return }
        var sent: [ListeningSession] = []
        var reports: [ListeningSession] = []
        await remove(kept.filter { states[$0.item]?.isRefused == true })
        for session in kept where states[session.item]?.isRefused != true {
            // Before its place is known there, a session would make a record of its own.
            guard let base = states[session.item]?.base, states[session.item]?.pending == nil else { continue }
            sent.append(session)
            reports.append(session.reported(beside: base, by: clock))
        }
        hasUnreported = !kept.isEmpty
        guard !reports.isEmpty else { return }
        var known = Set(reports.map(\.id))
        do throws(ProgressFailure) {
            known = Set(try await server.report(reports).map(\.id))
        } catch {
            // What is refused once is refused again.
            guard error.reason == .rejected || error.reason == .notFound else { throw error }
        }
        await remove(sent.filter { known.contains($0.id) })
    }

    private func keptSessions() async -> [ListeningSession]? {
        do throws(PlaceStoreError) {
            return try await store.sessions(of: account, limit: 100)
        } catch {
            fault = error
            return nil
        }
    }

    private func remove(_ sessions: [ListeningSession]) async {
        do throws(PlaceStoreError) {
            try await store.remove(sessions)
        } catch {
            fault = error
        }
    }

    // MARK: Storage

    private func load() async {
        guard !isLoaded else { return }
        do throws(PlaceStoreError) {
            let kept = try await store.progress(of: account)
            // Another call may have been faster.
            guard !isLoaded else { return }
            let noted = states
            (states, clock, isLoaded) = (kept.states, kept.clock, true)
            // What the server had then is known no more.
            for item in states.keys { states[item]?.remote = .unknown }
            // What was heard while nothing could be read counts as heard now.
            for (item, state) in noted {
                guard let record = state.local else { continue }
                var known = states[item] ?? ProgressState()
                known.length = max(known.length, state.length)
                known.note(record, clock: clock)
                states[item] = known
                changed.insert(item)
            }
        } catch {
            fault = error
        }
    }

    private func keep(durably: Bool) async {
        guard isLoaded, !changed.isEmpty else { return }
        let items = changed
        changed = []
        let kept = states.filter { items.contains($0.key) }
        do throws(PlaceStoreError) {
            try await store.keep(kept, clock: clock, of: account, durably: durably)
            fault = nil
        } catch {
            changed.formUnion(items)
            fault = error
        }
    }
}
