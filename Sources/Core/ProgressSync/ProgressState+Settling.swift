// SPDX-License-Identifier: Apache-2.0

import BookTimeline

extension ProgressState {
    /// Decides what becomes of the places known now, and notes the decision.
    ///
    /// - Parameters:
    ///   - isPlaying: `true` if the item plays here.
    ///   - now: The server's clock.
    public mutating func settle(by sync: ProgressSync, isPlaying: Bool, at now: Int64) -> ProgressStep {
        var step = ProgressStep()
        switch sync.merge(self, isPlaying: isPlaying, at: now) {
        case .nothing: break
        case .agree(let record):
            base = record
            local?.isFinished = record.isFinished
            local?.updatedAt = record.updatedAt
            pending = nil
            aside = nil
        case .takeRemote(let record): take(record, &step)
        case .pushLocal: step.push = push(at: now)
        case .keepBoth(let local, let remote, .remote):
            take(remote, &step)
            if sync.isFar(remote, local, length) {
                step.news = .apart(local: local, remote: remote, winner: .remote)
            }
        case .keepBoth(let local, let remote, .undecided):
            setAside(remote, local, isPlaying: false, now, &step)
            if step.jump != nil { step.news = .apart(local: local, remote: remote, winner: .undecided) }
        case .keepBoth(let local, let remote, .local):
            setAside(remote, local, isPlaying: isPlaying, now, &step)
            if !isPlaying, step.news != nil {
                step.news =
                    sync.isFar(remote, local, length) ? .apart(local: local, remote: remote, winner: .local) : nil
            }
            // What plays here is sent as soon as it is heard.
            if pending == nil, !isPlaying { pending = local }
            if pending != nil { step.push = push(at: now) }
        }
        return step
    }

    private mutating func take(_ record: ProgressRecord, _ step: inout ProgressStep) {
        // A place that came from the server is in the history of whoever heard it.
        if let local, local.isHonest, local.milliseconds != record.milliseconds {
            step.jump = ProgressStep.Jump(from: local, to: record)
        }
        step.place = record
        base = record
        local = record
        local?.provenance = .restored
        pending = nil
        aside = nil
    }

    private mutating func setAside(
        _ remote: ProgressRecord, _ local: ProgressRecord, isPlaying: Bool, _ now: Int64, _ step: inout ProgressStep
    ) {
        if aside == nil {
            step.news = .elsewhere(remote)
            aside = Aside(record: remote, since: now)
        } else if aside?.record.says(remote) == false {
            aside = Aside(record: remote, since: now, isListenedTo: aside?.isListenedTo ?? false)
        } else if isPlaying, aside?.isKept == false, aside?.isListenedTo == true {
            // Two who listen at the same time would fill the history; each has its own places in its own.
            return
        }
        guard aside?.isKept == false else { return }
        aside?.isKept = true
        if local.milliseconds != remote.milliseconds { step.jump = ProgressStep.Jump(from: remote, to: local) }
    }

    /// Returns the writes for the entry of the queue; `nil` while the length is not known, without which a server has no share.
    private mutating func push(at now: Int64) -> ProgressPush? {
        guard let wanted = pending, length > 0 else { return nil }
        let push = ProgressPush(wanted, over: remote.record, length: length, now: now)
        guard let last = push.steps.last else { return nil }
        local?.updatedAt = last.updatedAt
        pending?.updatedAt = last.updatedAt
        return push
    }

    /// The place from which an item goes on.
    public enum Resumption: Sendable, Hashable {
        case place(ProgressRecord)
        /// The server has no record, and this machine neither.
        case new
        /// The server did not answer, and may have a place: beginning at 0 would restart the book.
        case unknown
    }

    /// Returns where the item goes on.
    ///
    /// - Parameter isHere: `true` if the item was downloaded; then one without a record was never begun.
    public func resumption(isHere: Bool) -> Resumption {
        if let local { return .place(local) }
        switch remote {
        case .record(let record): return .place(record)
        case .absent: return .new
        case .unknown: return isHere ? .new : .unknown
        }
    }
}
