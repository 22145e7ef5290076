// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import FileTestSupport
import GRDB
import MediaPlayback
import ProgressSync
import Testing

@testable import LibraryStore

@Suite struct `Servers' places in the library` {
    private let folder: TemporaryFolder
    private let store: LibraryStore
    private static let book = ServedItem(account: "home", item: "book-1")
    private static let episode = ServedItem(account: "home", item: "podcast-1", episode: "e-1")
    private static let elsewhere = ServedItem(account: "work", item: "book-1")

    init() throws {
        folder = try TemporaryFolder()
        store = LibraryStore(path: folder.path + "/library.sqlite")
    }

    private static func state(_ milliseconds: Int64) -> ProgressState {
        var state = ProgressState(length: 36_000_000)
        state.note(
            ProgressRecord(milliseconds: milliseconds, updatedAt: 7, provenance: .heard, device: "desk"),
            clock: ClockCorrection(offset: 3))
        state.noteSending([ProgressRecord(milliseconds: 5, updatedAt: 6, provenance: .heard)])
        return state
    }

    @Test func `are the same for the next session, each account's by itself`() async throws {
        let states = [Self.book: Self.state(600_000), Self.episode: Self.state(300_000)]
        try await store.keep(states, clock: ClockCorrection(offset: 3), of: "home", durably: true)
        try await store.keep([Self.elsewhere: Self.state(1)], clock: ClockCorrection(), of: "work", durably: false)
        await store.close()
        let next = LibraryStore(path: store.path)
        #expect(
            try await next.progress(of: "home") == KeptProgress(states: states, clock: ClockCorrection(offset: 3)))
        #expect(try await next.progress(of: "work").states == [Self.elsewhere: Self.state(1)])
        #expect(try await next.progress(of: "work").clock.offset == nil)
    }

    @Test func `are none before the first, and no file is made for the question`() async throws {
        #expect(try await store.progress(of: "home") == KeptProgress())
    }

    @Test func `keep their place if the rest cannot be read`() async throws {
        try await store.keep([Self.book: Self.state(600_000)], clock: ClockCorrection(), of: "home", durably: true)
        await store.close()
        let database = try DatabaseQueue(path: store.path)
        try await database.write { try $0.execute(sql: "UPDATE serverPlace SET rest = '{}'") }
        try database.close()
        let state = try await LibraryStore(path: store.path).progress(of: "home").states[Self.book]
        #expect(state?.local?.milliseconds == 600_000)
        #expect(state?.pending?.milliseconds == 600_000)
        #expect(state?.base == nil)
        #expect(state?.length == 36_000_000)
    }

    @Test func `come with times of listening, which grow and are removed as they were sent`() async throws {
        func session(_ id: String, _ began: Int64, to: Int64) -> ListeningSession {
            ListeningSession(
                id: id, item: Self.book, title: "A", began: began, ended: began + to, from: 0, to: to)
        }
        try await store.keep(session("a", 1, to: 30_000))
        try await store.keep(session("b", 2, to: 20_000))
        let sent = try await store.sessions(of: "home", limit: 10)
        #expect(sent.map(\.id) == ["a", "b"])
        try await store.keep(session("c", 1, to: 60_000))
        try await store.remove(sent)
        #expect(try await store.sessions(of: "home", limit: 10) == [session("a", 1, to: 60_000)])
        #expect(try await store.sessions(of: "work", limit: 10).isEmpty)
    }
}
