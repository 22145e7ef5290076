// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import ProgressTestSupport
import Testing

/// Defects that people met in other players, each with the thread that tells of it; `docs/sync.md` has the table.
@Suite struct `Lessons of other players` {
    // abs-app#2024
    @Test func `a place that was heard without a network survives the connection`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(100)
        bench.exchange(with: &server)
        bench.hear(240)
        // Another client has set the record back, and is newer.
        server.store(foreign: 18 * 60_000, stamp: bench.now + 500, length: SyncBench.length)
        bench.exchange(with: &server)
        #expect(bench.minutes == 240)
        #expect(server.row?.milliseconds == 14_400_000)
        #expect(bench.history == [18])
    }

    // Prologue#350
    @Test func `a place far behind on the server does not overwrite the one here`() {
        var bench = SyncBench()
        bench.hear(240)
        bench.state.noteSent(bench.state.local!)
        #expect(bench.read(.at(12, bench.now)) == nil)
        #expect(bench.minutes == 240)
        #expect(bench.history == [12])
        guard case .apart(_, _, .undecided) = bench.news.first else {
            Issue.record("nobody was told")
            return
        }
        // Undo takes the other one.
        bench.hear(12, .user)
        #expect(bench.read(.at(12, bench.now)) == nil)
        #expect(bench.state.pending == nil)
        #expect(bench.minutes == 12)
    }

    // abs-app#890
    @Test func `the state of an item names no address`() {
        let names = Mirror(reflecting: ProgressState()).children.compactMap(\.label)
        #expect(!names.contains { $0.lowercased().contains("address") || $0.lowercased().contains("url") })
    }

    // abs-app#1397
    @Test func `a book that was finished without a network is finished on the server later`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(590)
        bench.exchange(with: &server)
        bench.hear(600, isFinished: true)
        bench.exchange(with: &server)
        #expect(server.row?.isFinished == true)
        #expect(server.row?.share == 1)
        #expect(bench.state.pending == nil)
    }

    // ShelfTime#23
    @Test func `place, length and share are sent together`() {
        var bench = SyncBench()
        bench.hear(300)
        #expect(
            bench.read(.absent)?.writes == [
                .place(milliseconds: 18_000_000, length: 36_000_000, stamp: bench.state.local!.updatedAt)
            ])
        #expect(ProgressWrite.share(18_000_000, of: 36_000_000) == 0.5)
        // Without the length, no share is known, and nothing is sent yet.
        bench.state.length = 0
        bench.hear(301)
        #expect(bench.read(.absent) == nil)
        #expect(bench.state.pending != nil)
    }

    // pkmetski/riffle#123
    @Test func `a write is not read back as news, with its answer or without`() {
        var bench = SyncBench()
        var server = ServerModel()
        for minutes in 100..<110 {
            bench.hear(Int64(minutes))
            if minutes.isMultiple(of: 2) {
                bench.exchange(with: &server)
            } else {
                bench.exchangeUnanswered(with: &server)
            }
            bench.read(server.record.map(RemoteProgress.record) ?? .absent)
        }
        #expect(bench.news.isEmpty)
        #expect(bench.history.isEmpty)
        #expect(bench.minutes == 109)
        #expect(bench.state.local?.updatedAt == server.row?.lastUpdate)
    }

    // pkmetski/riffle#123
    @Test func `a place that was taken is not sent back as the frame that is nearest to it`() {
        var bench = SyncBench()
        bench.hear(100)
        bench.state.noteSent(bench.state.local!)
        bench.read(.at(103, bench.now))
        bench.state.note(
            ProgressRecord(milliseconds: 103 * 60_000 - 12, updatedAt: bench.now, provenance: .user),
            clock: bench.clock)
        #expect(bench.state.pending == nil)
        #expect(bench.minutes == 103)
    }

    // bookbridge#215
    @Test func `a rewind here is sent`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(240)
        bench.exchange(with: &server)
        bench.hear(30, .user)
        bench.exchange(with: &server)
        #expect(server.row?.milliseconds == 1_800_000)
        #expect(bench.news.isEmpty)
    }

    // bookbridge#434
    @Test func `a rewind elsewhere is taken as soon as somebody listens on from there`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(240)
        bench.exchange(with: &server)
        bench.read(.at(30, bench.now))
        #expect(bench.minutes == 240)
        bench.read(.at(31, bench.now), after: 60_000)
        #expect(bench.minutes == 31)
        #expect(bench.history == [30, 240])
    }

    // music-assistant/support#4698
    @Test func `two accounts on one server have states of their own`() {
        var first = SyncBench()
        var second = SyncBench()
        var server = ServerModel()
        first.hear(100)
        second.hear(200)
        first.exchange(with: &server)
        var other = ServerModel()
        second.exchange(with: &other)
        #expect(server.row?.milliseconds == 6_000_000)
        #expect(other.row?.milliseconds == 12_000_000)
    }

    // abs-app#1799, Prologue#230
    @Test func `a place that could not be sent is sent as soon as the server answers`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(100)
        bench.exchange(with: &server)
        bench.hear(118)
        #expect(bench.read(.unknown) == nil)
        bench.hear(119)
        bench.exchange(with: &server)
        #expect(server.row?.milliseconds == 7_140_000)
    }

    // BookPlayer#955, ShelfPlayer#422
    @Test(arguments: [Provenance.heard, .restored, .estimated, .unknown])
    func `a stop at 0 is never sent`(_ provenance: Provenance) {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(240)
        bench.exchange(with: &server)
        bench.hear(0, provenance)
        bench.exchange(with: &server)
        #expect(server.row?.milliseconds == 14_400_000)
        #expect(bench.minutes == 240)
    }

    // plappa#432, xbmc#28154
    @Test(arguments: [Provenance.restored, .estimated, .unknown])
    func `a place that nobody heard or chose is never sent`(_ provenance: Provenance) {
        var bench = SyncBench()
        bench.hear(100, provenance)
        #expect(bench.read(.absent) == nil)
        #expect(bench.state.local == nil)
    }

    /// The origin of "Resume protection": a book that began again because a fetch failed.
    @Test func `a server that does not answer is not a new book`() {
        var state = ProgressState(length: SyncBench.length)
        #expect(state.resumption(isHere: false) == .unknown)
        #expect(state.resumption(isHere: true) == .new)
        state.note(remote: .absent, at: 0, rules: ProgressRules())
        #expect(state.resumption(isHere: false) == .new)
        state.note(
            ProgressRecord(milliseconds: 5, updatedAt: 0, provenance: .heard), clock: ClockCorrection(offset: 0))
        state.note(remote: .unknown, at: 0, rules: ProgressRules())
        guard case .place(let record) = state.resumption(isHere: false) else {
            Issue.record("the mirror is not used")
            return
        }
        #expect(record.milliseconds == 5)
    }

    // audiobookshelf#4813
    @Test func `a finished book is begun again without a moment at 0`() {
        var bench = SyncBench()
        var server = ServerModel()
        bench.hear(600, isFinished: true)
        bench.exchange(with: &server)
        bench.hear(2)
        let push = bench.read(server.record.map(RemoteProgress.record) ?? .absent)
        for write in push?.writes ?? [] {
            server.patch(write, at: bench.now)
            #expect(server.row?.milliseconds != 0)
        }
        #expect(server.row?.isFinished == false)
        #expect(server.row?.milliseconds == 120_000)
    }
}
