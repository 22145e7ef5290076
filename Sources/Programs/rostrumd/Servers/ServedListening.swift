// SPDX-License-Identifier: Apache-2.0

import AudiobookshelfClient
import Foundation
import MediaPlayback
import PlaybackCore
import ProgressSync
import ServerProgress
import SessionProtocol

/// The session's exchange of places with the servers of all accounts.
///
/// What the controller notes is taken up in its order, and the controller never waits.
final class ServedListening: ServedPlaces {
    enum News: Sendable {
        case place(ServedPlace)
        case span(ListeningSpan, ServedItem)
    }

    private let news: AsyncStream<News>.Continuation
    private let desk: ServedDesk
    private let work: Task<Void, Never>

    init(_ accounts: ServerAccounts, store: any PlaceStore & ProgressStore) {
        let (stream, news) = AsyncStream.makeStream(of: News.self)
        self.news = news
        let desk = ServedDesk(accounts, store: store)
        self.desk = desk
        work = Task { for await next in stream { await desk.take(next) } }
    }

    func note(_ place: ServedPlace) { news.yield(.place(place)) }

    func note(_ span: ListeningSpan, of item: ServedItem) { news.yield(.span(span, item)) }

    func resumption(of item: ServedItem) async -> ProgressState.Resumption { await desk.resumption(of: item) }

    /// Begins the exchanges of a session.
    ///
    /// - Parameter tell: Shows a notice: its title, and one line.
    func begin(
        _ controller: MediaPlaybackController, tell: @escaping @Sendable (String, String) -> Void
    ) async { await desk.begin(controller, tell) }

    /// Takes up what was noted, and returns when no exchange is going on any more.
    func end() async {
        news.finish()
        await work.value
        await desk.areDone()
    }
}

/// The accounts of which an item was heard in this session, or of which places are kept.
actor ServedDesk: ProgressAudience {
    private struct Account {
        var progress: ServerProgress
        var exchanges: ProgressExchanges
    }

    private let accounts: ServerAccounts
    private let store: any PlaceStore & ProgressStore
    private var known: [String: Account] = [:]
    private var controller: MediaPlaybackController?
    private var show: @Sendable (String, String) -> Void = { _, _ in }
    private var device: String?
    /// The clock of the schedules, which never jumps.
    private let origin = ContinuousClock.now

    private static let deviceKey = SettingKey(rawValue: "device")

    init(_ accounts: ServerAccounts, store: any PlaceStore & ProgressStore) {
        self.accounts = accounts
        self.store = store
    }

    func begin(_ controller: MediaPlaybackController, _ tell: @escaping @Sendable (String, String) -> Void) async {
        self.controller = controller
        show = tell
        guard let all = try? await accounts.all() else { return }
        for account in all { await self.account(account.id)?.exchanges.follow(.launched) }
    }

    func take(_ news: ServedListening.News) async {
        switch news {
        case .place(let place):
            guard let account = await self.account(place.item.account) else { return }
            await account.progress.note(place.record, of: place.item, length: place.length)
            if place.isUrgent {
                let event: SyncSchedule.Event =
                    place.isPlaying ? .seeked : place.record.isFinished ? .ended : .paused
                await account.exchanges.follow(event, of: place.item)
            } else if place.isPlaying {
                await account.exchanges.follow(.playing, of: place.item)
            }
        case .span(let span, let item):
            guard let from = span.fromMilliseconds, let to = span.toMilliseconds,
                let account = await self.account(item.account)
            else { return }
            await account.progress.note(
                ListeningSession(
                    id: UUID().uuidString.lowercased(), item: item, title: span.title, began: span.began,
                    ended: span.ended, from: from, to: to))
        }
    }

    func resumption(of item: ServedItem) async -> ProgressState.Resumption {
        guard let account = await self.account(item.account) else { return .unknown }
        return await account.progress.resumption(of: item, isHere: false)
    }

    func areDone() async {
        for account in known.values { await account.exchanges.areDone() }
    }

    /// Returns the exchange of an account; `nil` if there is no such account any more.
    private func account(_ id: String) async -> Account? {
        if let account = known[id] { return account }
        let device = await deviceID()
        guard let connection = try? await accounts.connection(id) else { return nil }
        // Another call may have been faster.
        if let account = known[id] { return account }
        let server = ServerProgressRequests(connection, device: device, version: RostrumVersion.current)
        let progress = ServerProgress(
            account: id, server: server, store: store, audience: self, device: device,
            now: { Int64(Date().timeIntervalSince1970 * 1000) })
        let exchanges = ProgressExchanges(
            progress,
            now: { [origin] in Int64((ContinuousClock.now - origin) / .milliseconds(1)) },
            sleep: { try await ContinuousClock().sleep(for: .milliseconds($0)) })
        let account = Account(progress: progress, exchanges: exchanges)
        known[id] = account
        return account
    }

    /// Returns the id of this installation, which is made when it is first needed.
    private func deviceID() async -> String {
        if let device { return device }
        let new = UUID().uuidString.lowercased()
        let kept = try? await store.setting(Self.deviceKey)
        if kept == .some(nil) { try? await store.set(Self.deviceKey, to: new) }
        let id = (kept ?? nil) ?? new
        device = device ?? id
        return device ?? id
    }

    // MARK: The audience

    func isPlaying(_ item: ServedItem) async -> Bool { await controller?.isPlaying(item.uri) ?? false }

    func follow(_ place: ProgressRecord?, jump: ProgressStep.Jump?, of item: ServedItem) async {
        guard let controller else { return }
        guard let place else {
            if let jump {
                _ = await controller.keepAside(seconds: Double(jump.from.milliseconds) / 1000, of: item.uri)
            }
            return
        }
        guard !place.isFinished else { return }
        // Not waited for: the controller may be waiting for this exchange. An item that is not open starts there when it
        // is played.
        Task { await controller.follow(seconds: Double(place.milliseconds) / 1000, of: item.uri) }
    }

    func tell(_ news: ProgressNews, of item: ServedItem) async {
        let title = await controller?.title(of: item.uri)
        let (name, line) = news.notice(of: title ?? "a book")
        show(name, line)
    }
}
