// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// All that is known of the progress of one item with one account of a server.
///
/// The record of this machine is never removed. An item is known by its account and its id, so that the address under
/// which the server is reached does not matter.
public struct ProgressState: Sendable, Codable, Hashable {
    /// A record of the server that was not taken.
    public struct Aside: Sendable, Codable, Hashable {
        public var record: ProgressRecord
        /// The time at which the server had this record first, by its clock.
        public var since: Int64
        /// `true` if the record is in the history.
        public var isKept = false
        /// `true` if somebody listens on from a place that was set aside.
        public var isListenedTo = false

        public init(record: ProgressRecord, since: Int64, isKept: Bool = false, isListenedTo: Bool = false) {
            self.record = record
            self.since = since
            self.isKept = isKept
            self.isListenedTo = isListenedTo
        }
    }

    /// The record on which this machine and the server agreed last.
    public var base: ProgressRecord?
    /// The record of this machine: what was heard or chosen here, or taken from the server.
    public var local: ProgressRecord?
    /// The server's record, as far as it is known.
    public var remote = RemoteProgress.unknown
    /// The entry of the queue: what the server is to be told; `nil` if it knows.
    public var pending: ProgressRecord?
    /// The records that writes without an answer lead to, the newest last.
    public var sent: [ProgressRecord] = []
    public var aside: Aside?
    /// `true` if the server refused the last entry of the queue, and the listener was told.
    public var isRefused = false
    /// The length of the item in milliseconds; 0 if it is not known.
    public var length: Int64 = 0
    /// `true` if the stamp of `local` is by this machine's clock, because the server's was not known yet.
    public var isUncorrected = false

    /// The most writes without an answer that are remembered; of several lost ones, the last arrive late.
    static let mostSent = 8

    public init() {}

    /// The state of an item of known length.
    public init(length: Int64) { self.length = length }
}

// MARK: News from here

extension ProgressState {
    /// Notes a place of this machine; one that nobody heard or chose changes nothing.
    ///
    /// - Returns: `true` if there is something new to tell.
    @discardableResult
    public mutating func note(_ record: ProgressRecord, clock: ClockCorrection) -> Bool {
        guard record.isHonest else { return false }
        if let local, local.says(record) || local.isRounded(to: record) { return false }
        local = record
        local?.updatedAt = clock.corrected(record.updatedAt)
        isUncorrected = clock.offset == nil
        pending = local
        return true
    }

    /// Corrects the stamps that were made before the server's clock was known.
    public mutating func correct(by clock: ClockCorrection) {
        guard isUncorrected, clock.offset != nil else { return }
        isUncorrected = false
        if let stamp = local?.updatedAt { local?.updatedAt = clock.corrected(stamp) }
        if pending != nil { pending = local }
    }

    // MARK: News from the server

    /// Notes what the server answered.
    ///
    /// - Parameter now: The server's clock, which no stamp is ahead of.
    public mutating func note(remote answer: RemoteProgress, at now: Int64, rules: ProgressRules) {
        remote = answer
        if case .record(var record) = answer {
            record.updatedAt = min(record.updatedAt, now)
            record.milliseconds = max(0, record.milliseconds)
            remote = .record(record)
            watch(record, at: now, rules)
            noteEcho(record)
        }
    }

    /// Sees whether somebody listens on from the place that was set aside.
    private mutating func watch(_ record: ProgressRecord, at now: Int64, _ rules: ProgressRules) {
        guard let old = aside, !old.record.says(record), !sent.contains(where: { record.satisfies($0, in: length) })
        else { return }
        let growth = record.milliseconds - old.record.milliseconds
        let most = rules.pace * max(0, now - old.since) + 60_000
        aside = Aside(record: record, since: now, isListenedTo: old.isListenedTo || growth > 0 && growth <= most)
    }

    /// Recognises what a write of this machine led to, which is no news, also if its answer was lost.
    private mutating func noteEcho(_ record: ProgressRecord) {
        // What is known already tells nothing of another write that says the same and may still be on its way.
        guard base.map({ !$0.says(record) }) ?? true,
            let index = sent.lastIndex(where: { record.satisfies($0, in: length) })
        else { return }
        sent.remove(at: index)
        base = record
        // One that was overtaken and came late has replaced what was newer.
        if pending == nil, let local, !record.satisfies(local, in: length) { pending = local }
    }

    /// Notes that a write of this machine was carried out.
    public mutating func noteSent(_ record: ProgressRecord) {
        base = record
        remote = .record(record)
        // The same record may be on its way a second time.
        if let index = sent.lastIndex(where: { $0.says(record) }) { sent.remove(at: index) }
        // If the record that was replaced comes back, that is news.
        aside?.isKept = false
        isRefused = false
        if let told = pending, record.satisfies(told, in: length) {
            pending = nil
            if let local { self.local?.updatedAt = max(local.updatedAt, record.updatedAt) }
        }
    }

    /// Notes that the server refuses the entry of the queue, which is dropped.
    ///
    /// - Returns: `true` if the listener does not know yet that this item is refused.
    public mutating func noteRefused() -> Bool {
        defer { isRefused = true }
        pending = nil
        sent = []
        return !isRefused
    }

    /// Notes that a write is on its way, and may arrive at any time from now on.
    public mutating func noteSending(_ steps: [ProgressRecord]) {
        sent += steps
        if sent.count > Self.mostSent { sent.removeFirst(sent.count - Self.mostSent) }
    }
}

extension ProgressRecord {
    /// Returns `true` if a server with this record knows what another one says.
    ///
    /// Close to the end, a server sets a record to finished by itself.
    func satisfies(_ wanted: ProgressRecord, in length: Int64) -> Bool {
        milliseconds == wanted.milliseconds
            && (isFinished == wanted.isFinished || isFinished && isNearEnd(in: length))
    }

    /// Returns `true` if a place that was taken from a server comes back as the frame that is nearest to it.
    func isRounded(to other: ProgressRecord) -> Bool {
        let distance = (milliseconds - other.milliseconds).magnitude
        return provenance == .restored && isFinished == other.isFinished && distance < 1000
    }

    /// Returns `true` if so little is left that a server takes the book for finished.
    func isNearEnd(in length: Int64) -> Bool {
        length > 0 && length - milliseconds < ProgressRules.nearEnd
    }
}
