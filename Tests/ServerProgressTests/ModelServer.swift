// SPDX-License-Identifier: Apache-2.0

import ProgressSync
import ProgressTestSupport
import ServerProgress

/// A server of some items by the rules of real ones, whose clock and whose faults the test chooses.
actor ModelServer: ProgressServing {
    private(set) var models: [ServedItem: ServerModel] = [:]
    private(set) var requests: [String] = []
    private(set) var reports: [ListeningSession] = []
    var time: Int64
    /// The failure of every request, or of writes to one item.
    private var failure: ProgressFailure?
    private var refused: [ServedItem: ProgressFailure] = [:]
    /// Holds writes back until they are let through.
    private var gate: CheckedContinuation<Void, Never>?
    private var isGated = false

    init(time: Int64) { self.time = time }

    func fail(_ failure: ProgressFailure?) { self.failure = failure }
    func fail(_ failure: ProgressFailure?, of item: ServedItem) { refused[item] = failure }
    func advance(_ milliseconds: Int64) { time += milliseconds }
    func forget() { requests = [] }
    func model(_ item: ServedItem) -> ServerModel { models[item] ?? ServerModel() }

    /// Stores what another device sends.
    func store(_ milliseconds: Int64, of item: ServedItem, length: Int64) {
        models[item, default: ServerModel()].store(foreign: milliseconds, stamp: time, length: length)
    }

    func holdWrites() { isGated = true }
    func letThrough() {
        isGated = false
        gate?.resume()
        gate = nil
    }
    var isHeld: Bool { gate != nil }

    func progress() async throws(ProgressFailure) -> Dated<[ServedItem: ProgressRecord]> {
        requests.append("all")
        if let failure { throw failure }
        return Dated(models.compactMapValues(\.record), date: time)
    }

    func progress(of item: ServedItem) async throws(ProgressFailure) -> Dated<ProgressRecord?> {
        requests.append("read \(item.key)")
        if let failure { throw failure }
        return Dated(models[item]?.record, date: time)
    }

    func write(_ write: ProgressWrite, to item: ServedItem) async throws(ProgressFailure) {
        requests.append("write \(item.key)")
        if isGated { await withCheckedContinuation { gate = $0 } }
        if let failure = failure ?? refused[item] { throw failure }
        models[item, default: ServerModel()].patch(write, at: time)
    }

    func report(_ sessions: [ListeningSession]) async throws(ProgressFailure) -> [SessionReport] {
        requests.append("report \(sessions.count)")
        if let failure { throw failure }
        reports += sessions
        return sessions.map { SessionReport(id: $0.id, isKnown: models[$0.item] != nil) }
    }
}

/// What a session would be told.
actor ListeningAudience: ProgressAudience {
    private(set) var playing: ServedItem?
    private(set) var followed: [Int64?] = []
    private(set) var jumps: [ProgressStep.Jump] = []
    private(set) var news: [ProgressNews] = []

    func play(_ item: ServedItem?) { playing = item }
    func isPlaying(_ item: ServedItem) -> Bool { playing == item }
    func follow(_ place: ProgressRecord?, jump: ProgressStep.Jump?, of item: ServedItem) {
        followed.append(place?.milliseconds)
        if let jump { jumps.append(jump) }
    }
    func tell(_ news: ProgressNews, of item: ServedItem) { self.news.append(news) }
}
