// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import ProgressSync
import ProgressTestSupport
import Synchronization
import Testing
import WaitTestSupport

@testable import ServerProgress

@Suite struct `The places of an account` {
    private static let length: Int64 = 36_000_000
    private static let start: Int64 = 1_700_000_000_000
    private static let book = ServedItem(account: "home", item: "book-1")
    private static let other = ServedItem(account: "home", item: "podcast-1", episode: "episode-1")

    private let store = MemoryProgressStore()
    private let server = ModelServer(time: Self.start)
    private let audience = ListeningAudience()
    private let progress: ServerProgress

    init() {
        progress = Self.progress(server, store, audience)
    }

    /// - Parameter error: The error of the machine's clock.
    private static func progress(
        _ server: ModelServer, _ store: MemoryProgressStore, _ audience: ListeningAudience, error: Int64 = 0
    ) -> ServerProgress {
        ServerProgress(
            account: "home", server: server, store: store, audience: audience, device: "desk",
            now: { start + error })
    }

    private func hear(
        _ milliseconds: Int64, of item: ServedItem = Self.book, by progress: ServerProgress? = nil,
        stamp: Int64 = Self.start, _ provenance: Provenance = .heard
    ) async {
        await (progress ?? self.progress).note(
            ProgressRecord(milliseconds: milliseconds, updatedAt: stamp, provenance: provenance), of: item,
            length: Self.length)
    }

    private func session(_ id: String, from: Int64, to: Int64, began: Int64 = Self.start - 60_000) -> ListeningSession {
        ListeningSession(
            id: id, item: Self.book, title: "A book", began: began, ended: began + to - from, from: from, to: to)
    }

    @Test func `are sent, and nothing more is sent`() async {
        await hear(600_000)
        #expect(await progress.exchange(.all) == .exchanged)
        let row = await server.model(Self.book).row
        #expect(row?.milliseconds == 600_000)
        #expect(row?.length == Self.length)
        #expect(row?.share == 600_000.0 / 36_000_000)
        await server.forget()
        #expect(await progress.exchange(.item(Self.book)) == .exchanged)
        #expect(await server.requests == ["read book-1"])
        #expect(await progress.waiting.isEmpty)
    }

    @Test func `wait for the network, and over a restart, the latest alone`() async {
        await server.fail(ProgressFailure(.unreachable, "no network"))
        for milliseconds in [600_000, 700_000, 800_000] as [Int64] {
            await hear(milliseconds)
            #expect(await progress.exchange(.item(Self.book)) == .unreachable)
        }
        await server.fail(nil)
        let next = Self.progress(server, store, audience)
        await server.forget()
        #expect(await next.exchange(.all) == .exchanged)
        #expect(await server.model(Self.book).row?.milliseconds == 800_000)
        #expect(await server.requests == ["all", "write book-1"])
    }

    @Test func `that a server refuses are dropped and told once, while others are sent`() async {
        await server.fail(ProgressFailure(.notFound, "Library item not found"), of: Self.book)
        await hear(600_000)
        await hear(300_000, of: Self.other)
        #expect(await progress.exchange(.all) == .exchanged)
        #expect(await server.model(Self.other).row?.milliseconds == 300_000)
        #expect(await progress.waiting.isEmpty)
        #expect(await audience.news == [.refused])
        await hear(700_000)
        #expect(await progress.exchange(.all) == .exchanged)
        #expect(await audience.news == [.refused])
        // The place here stays.
        #expect(await progress.state(of: Self.book)?.local?.milliseconds == 700_000)
    }

    @Test func `that a server fails to take stay, while others are sent`() async {
        await server.fail(ProgressFailure(.failing, "status 500"), of: Self.book)
        await hear(600_000)
        await hear(300_000, of: Self.other)
        #expect(await progress.exchange(.all) == .exchanged)
        #expect(await server.model(Self.other).row?.milliseconds == 300_000)
        #expect(await progress.waiting == [Self.book])
        await server.fail(nil, of: Self.book)
        // They are read beside what plays.
        #expect(await progress.exchange(.item(Self.other)) == .exchanged)
        #expect(await server.model(Self.book).row?.milliseconds == 600_000)
    }

    @Test func `wait for a login, and nothing is lost`() async {
        await server.fail(ProgressFailure(.unauthorized, "log in"))
        await hear(600_000)
        #expect(await progress.exchange(.all) == .unauthorized)
        #expect(await progress.waiting == [Self.book])
    }

    @Test func `are exchanged once at a time`() async {
        let progress = progress
        let server = server
        await hear(600_000)
        await server.holdWrites()
        async let first = progress.exchange(.all)
        await until { await server.isHeld }
        await hear(700_000)
        async let second = progress.exchange(.item(Self.book))
        await server.letThrough()
        #expect(await first == .exchanged)
        #expect(await second == .exchanged)
        #expect(await server.model(Self.book).row?.milliseconds == 700_000)
        #expect(await server.requests == ["all", "write book-1", "read book-1", "write book-1"])
        #expect(await audience.news.isEmpty)
    }

    @Test func `of another device are followed by a session that is paused`() async {
        await hear(600_000)
        _ = await progress.exchange(.all)
        await server.store(700_000, of: Self.book, length: Self.length)
        _ = await progress.exchange(.all)
        #expect(await audience.followed == [700_000])
        #expect(await audience.jumps.map(\.from.milliseconds) == [600_000])
        // From a place that came from there, no further move is kept.
        await server.store(730_000, of: Self.book, length: Self.length)
        _ = await progress.exchange(.all)
        #expect(await audience.followed == [700_000, 730_000])
        #expect(await audience.jumps.count == 1)
    }

    @Test func `of another device are told of, once, where the item plays`() async {
        await hear(600_000)
        _ = await progress.exchange(.all)
        await audience.play(Self.book)
        for place in [3_000_000, 3_030_000, 3_060_000] as [Int64] {
            await server.store(place, of: Self.book, length: Self.length)
            _ = await progress.exchange(.item(Self.book))
        }
        #expect(await audience.followed.compactMap(\.self).isEmpty)
        #expect(await audience.news.count == 1)
        guard case .elsewhere(let record) = await audience.news.first else {
            Issue.record("nobody was told")
            return
        }
        #expect(record.milliseconds == 3_000_000)
    }

    @Test func `of items that were never heard here move nothing, and are known without the server`() async {
        await server.store(700_000, of: Self.book, length: Self.length)
        _ = await progress.exchange(.all)
        #expect(await audience.followed.isEmpty)
        await server.fail(ProgressFailure(.unreachable, "no network"))
        let next = Self.progress(server, store, audience)
        guard case .place(let record) = await next.resumption(of: Self.book, isHere: false) else {
            Issue.record("the mirror is empty")
            return
        }
        #expect(record.milliseconds == 700_000)
    }

    @Test func `are unknown, and not 0, while the server does not answer`() async {
        await server.fail(ProgressFailure(.unreachable, "no network"))
        #expect(await progress.resumption(of: Self.book, isHere: false) == .unknown)
        #expect(await progress.resumption(of: Self.book, isHere: true) == .new)
        await server.fail(nil)
        #expect(await progress.resumption(of: Self.book, isHere: false) == .new)
    }

    @Test func `have the server's time, also on a machine that is a day off`() async {
        let wrong = Self.progress(server, store, audience, error: 86_400_000)
        await hear(600_000, by: wrong, stamp: Self.start + 86_400_000)
        _ = await wrong.exchange(.all)
        #expect(await server.model(Self.book).row?.lastUpdate == Self.start)
        await hear(700_000, by: wrong, stamp: Self.start + 86_400_000)
        _ = await wrong.exchange(.all)
        #expect(await server.model(Self.book).row?.lastUpdate ?? .max <= Self.start)
    }

    @Test func `come with the times of listening, behind the place and once`() async {
        await server.fail(ProgressFailure(.unreachable, "no network"))
        await hear(600_000)
        await progress.note(session("a", from: 540_000, to: 570_000))
        // It has grown.
        await progress.note(session("b", from: 540_000, to: 600_000))
        _ = await progress.exchange(.all)
        await server.fail(nil)
        _ = await progress.exchange(.all)
        _ = await progress.exchange(.all)
        let reports = await server.reports
        #expect(reports.map(\.id) == ["a"])
        #expect(reports.first?.to == 600_000)
        #expect(reports.first?.listened == 60_000)
        // A session that is as new as the place would move it.
        let stamp = await server.model(Self.book).row?.lastUpdate ?? 0
        #expect(reports.first.map { $0.ended < stamp } == true)
        #expect(await server.requests.filter { $0.hasPrefix("report") } == ["report 1"])
    }

    @Test func `are not decided on while what is kept here cannot be read, and nothing heard meanwhile is lost`() async
    {
        await hear(600_000)
        _ = await progress.exchange(.all)
        await store.fail(PlaceStoreError(.unavailable, "no disk"))
        let next = Self.progress(server, store, audience)
        await hear(700_000, by: next)
        await server.forget()
        #expect(await next.exchange(.all) == .unreachable)
        #expect(await server.requests.isEmpty)
        #expect(await next.fault?.message == "no disk")
        await store.fail(nil)
        #expect(await next.exchange(.all) == .exchanged)
        #expect(await server.model(Self.book).row?.milliseconds == 700_000)
        #expect(await audience.news.isEmpty)
        #expect(await next.fault == nil)
    }
}
