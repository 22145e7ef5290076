// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Which place is remembered, and which one is saved (document 000, “Resume protection”).
extension PlaybackMachine {
    mutating func note(_ position: MediaPosition, _ provenance: Provenance) {
        state.current?.position = position
        state.current?.provenance = provenance
        rememberCurrent()
    }

    mutating func rememberCurrent() {
        guard var current = state.current else { return }
        // A place that is not to be saved is not to come back later, either.
        current.position = knownGood(current.position)
        let kind = current.item.kind
        let last = state.remembered[state.owner]?[kind]
        let isLater = state.lastKinds.map { $0[state.owner] != kind } ?? false
        if state.owner == .main, last?.item != current.item || last?.engine != current.engine || isLater {
            effects.append(.rememberItem(state.owner, current))
        }
        state.remembered[state.owner, default: [:]][kind] = current
        if isLater { state.lastKinds?[state.owner] = kind }
        boundMemory()
    }

    /// Owners come by name from outside; of those who have nothing to come back to only so many are remembered.
    private mutating func boundMemory() {
        guard state.remembered.count > 2 * Self.mostHeld else { return }
        let kept = Set(state.held.map(\.owner)).union([.main, state.owner])
        // Any of them will do, as long as a replay takes the same.
        if let gone = state.remembered.keys.filter({ !kept.contains($0) }).min(by: { $0.rawValue < $1.rawValue }) {
            state.remembered[gone] = nil
            state.lastKinds?[gone] = nil
        }
    }

    /// Saves the place of the present item if it is one that somebody heard or chose; only `main` has places that last
    /// (document 002, “Position persistence”).
    mutating func saveCurrent(durably: Bool, isFinished: Bool = false) {
        rememberCurrent()
        guard let current = state.current, state.owner == .main,
            current.provenance == .heard || current.provenance == .user
        else { return }
        if let floor = state.floor, isSlip(current.position, below: floor, pace: state.pace) {
            effects.append(.refusePlace(current.position, floor: floor))
            return
        }
        state.floor = max(state.floor ?? current.position, current.position)
        effects.append(.savePlace(state.owner, current, finished: isFinished, durably: durably))
    }

    /// A place far below the one where listening began was measured wrongly.
    func knownGood(_ position: MediaPosition) -> MediaPosition {
        isSlip(position, below: state.floor, pace: state.pace) ? state.floor ?? position : position
    }

    /// Whether nobody can have heard or chosen this: it lies too far below what was heard already.
    ///
    /// A place in an earlier track counts as too far, too. If it was right all the same, nothing is lost: the saved
    /// place is the one that listening reaches again.
    func isSlip(_ position: MediaPosition, below floor: MediaPosition?, pace: Double) -> Bool {
        guard let floor, position < floor else { return false }
        guard position.track == floor.track, pace > 0 else { return true }
        return Double(floor.units - position.units) / pace * 1000 > Double(state.rules.slipTolerance)
    }
}
