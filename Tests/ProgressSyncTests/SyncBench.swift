// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import ProgressTestSupport

/// One device with its server, for tests that tell what happened in a few lines.
struct SyncBench {
    static let length: Int64 = 36_000_000
    var sync: ProgressSync
    var state = ProgressState(length: SyncBench.length)
    var clock = ClockCorrection(offset: 0)
    var now: Int64 = 1_700_000_000_000
    /// The places to which `undo` leads back, the newest last.
    var history: [Int64] = []
    var news: [ProgressNews] = []

    init(_ policy: ProgressPolicy = .merge) { sync = ProgressSync(policy: policy) }

    /// The place here, in minutes of the book.
    var minutes: Int64? { state.local.map { $0.milliseconds / 60_000 } }

    mutating func hear(_ minutes: Int64, _ provenance: Provenance = .heard, isFinished: Bool = false) {
        now += 1000
        state.note(
            ProgressRecord(
                milliseconds: minutes * 60_000, isFinished: isFinished, updatedAt: now, provenance: provenance),
            clock: clock)
    }

    /// Reads the server's record and carries out what follows, without sending.
    @discardableResult
    mutating func read(_ answer: RemoteProgress, isPlaying: Bool = false, after wait: Int64 = 1000) -> ProgressPush? {
        now += wait
        state.note(remote: answer, at: clock.corrected(now), rules: sync.rules)
        let step = state.settle(by: sync, isPlaying: isPlaying, at: clock.corrected(now))
        if let jump = step.jump { history.append(jump.from.milliseconds / 60_000) }
        if let news = step.news { self.news.append(news) }
        return step.push
    }

    /// Reads, and sends what follows to the server, which answers everything.
    mutating func exchange(with server: inout ServerModel, isPlaying: Bool = false, after wait: Int64 = 1000) {
        let push = read(server.record.map(RemoteProgress.record) ?? .absent, isPlaying: isPlaying, after: wait)
        guard let push else { return }
        state.noteSending(push.steps)
        for (write, record) in zip(push.writes, push.steps) {
            server.patch(write, at: clock.corrected(now))
            state.noteSent(record)
        }
    }

    /// Reads, sends, and learns nothing of it.
    mutating func exchangeUnanswered(with server: inout ServerModel) {
        guard let push = read(server.record.map(RemoteProgress.record) ?? .absent) else { return }
        state.noteSending(push.steps)
        for write in push.writes { server.patch(write, at: clock.corrected(now)) }
    }
}

extension RemoteProgress {
    /// A record of another device.
    static func at(_ minutes: Int64, _ stamp: Int64 = 0, isFinished: Bool = false) -> RemoteProgress {
        .record(
            ProgressRecord(
                milliseconds: minutes * 60_000, isFinished: isFinished, updatedAt: stamp, provenance: .restored))
    }
}
