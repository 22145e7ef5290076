// SPDX-License-Identifier: Apache-2.0

/// The rules by which the places of one listener on several devices become one, through a server where the last write wins.
///
/// `docs/sync.md` says why each case goes as it goes.
public struct ProgressSync: Sendable, Hashable {
    public var policy: ProgressPolicy
    public var rules: ProgressRules

    public init(policy: ProgressPolicy = .merge, rules: ProgressRules = ProgressRules()) {
        self.policy = policy
        self.rules = rules
    }

    /// Decides between the place here and the server's.
    ///
    /// - Parameters:
    ///   - isPlaying: `true` if this item plays here, so that its place is not moved by anybody else.
    ///   - now: The server's clock.
    public func merge(_ state: ProgressState, isPlaying: Bool, at now: Int64) -> ProgressDecision {
        switch state.remote {
        case .unknown: return .nothing
        case .absent: return state.pending.map(ProgressDecision.pushLocal) ?? .nothing
        case .record(let remote):
            guard let local = state.local else { return .takeRemote(remote) }
            if remote.satisfies(local, in: state.length) {
                let isKnown = state.pending == nil && state.base?.says(remote) == true && state.aside == nil
                return isKnown ? .nothing : .agree(remote)
            }
            switch (state.pending != nil, state.base.map { !$0.says(remote) } ?? true) {
            case (false, false): return .nothing
            case (true, false): return .pushLocal(local)
            case (false, true): return taking(remote, over: local, state, isPlaying, now)
            case (true, true): return choosing(remote, or: local, state, isPlaying)
            }
        }
    }

    /// Decides about news of the server where nothing is new here.
    private func taking(
        _ remote: ProgressRecord, over local: ProgressRecord, _ state: ProgressState, _ isPlaying: Bool, _ now: Int64
    ) -> ProgressDecision {
        let isFar = isFar(remote, local, state.length)
        if isPlaying { return isFar ? keep(local, remote, .local) : .nothing }
        switch policy {
        case .merge:
            guard isSuspicious(remote, local, state) else {
                return isFar ? keep(local, remote, .remote) : .takeRemote(remote)
            }
            let isOld = state.aside.map { $0.record.says(remote) && now - $0.since >= rules.patience } ?? false
            return keep(local, remote, isOld ? .local : .undecided)
        case .furthest:
            guard extent(remote) < extent(local) else {
                return isFar ? keep(local, remote, .remote) : .takeRemote(remote)
            }
            return keep(local, remote, .local)
        case .newest:
            guard remote.updatedAt < local.updatedAt else {
                return isFar ? keep(local, remote, .remote) : .takeRemote(remote)
            }
            return keep(local, remote, .local)
        case .ask:
            return isFar ? keep(local, remote, .undecided) : .takeRemote(remote)
        }
    }

    /// Decides between two changes since both agreed last.
    private func choosing(
        _ remote: ProgressRecord, or local: ProgressRecord, _ state: ProgressState, _ isPlaying: Bool
    ) -> ProgressDecision {
        if isPlaying { return keep(local, remote, .local) }
        let isNewer = remote.updatedAt > local.updatedAt
        switch policy {
        case .merge: return keep(local, remote, isNewer && !isSuspicious(remote, local, state) ? .remote : .local)
        case .furthest: return keep(local, remote, extent(remote) > extent(local) ? .remote : .local)
        case .newest: return keep(local, remote, isNewer ? .remote : .local)
        case .ask:
            // Whoever was asked and listens on here has answered.
            if let aside = state.aside, aside.isKept, aside.record.says(remote) { return keep(local, remote, .local) }
            guard isFar(remote, local, state.length) else { return keep(local, remote, isNewer ? .remote : .local) }
            return keep(local, remote, .undecided)
        }
    }

    private func keep(
        _ local: ProgressRecord, _ remote: ProgressRecord, _ winner: ProgressDecision.Winner
    ) -> ProgressDecision { .keepBoth(local: local, remote: remote, winner: winner) }

    /// Returns `true` if a place is far behind and nobody listens on from there: a fault of some device, for all we know.
    ///
    /// A book that was finished here is begun again from anywhere.
    private func isSuspicious(_ remote: ProgressRecord, _ local: ProgressRecord, _ state: ProgressState) -> Bool {
        guard !local.isFinished, !remote.isFinished, state.aside?.isListenedTo != true else { return false }
        return local.milliseconds - remote.milliseconds >= rules.far(in: state.length)
    }

    /// Returns `true` if the listener would notice the move from one record to the other.
    func isFar(_ one: ProgressRecord, _ other: ProgressRecord, _ length: Int64) -> Bool {
        abs(one.milliseconds - other.milliseconds) >= rules.far(in: length)
    }

    /// Returns how far a record is; a finished one is past all others.
    private func extent(_ record: ProgressRecord) -> Int64 { record.isFinished ? .max : record.milliseconds }
}
