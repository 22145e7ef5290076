// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The places that are remembered and saved: nothing but the user's own moves may lose a saved place.
extension PlaybackMachine {
    mutating func note(_ position: MediaPosition, _ provenance: Provenance) {
        state.loaded.playing?.position = position
        state.loaded.playing?.provenance = provenance
        rememberCurrent()
    }

    mutating func rememberCurrent() {
        guard var current = state.current else { return }
        // A place that must not be saved must not come back later, either.
        current.position = knownGood(current.position)
        let kind = current.item.kind
        let last = state.remembered[state.owner]?[kind]
        let isLater = state.memory.lastKinds.map { $0[state.owner] != kind } ?? false
        if state.owner == .main, last?.item != current.item || last?.engine != current.engine || isLater {
            effects.append(.rememberItem(state.owner, current))
        }
        state.memory.items[state.focus.owner, default: [:]][kind] = current
        if isLater { state.memory.lastKinds?[state.focus.owner] = kind }
        boundMemory()
    }

    /// Limits the number of owners that are remembered and have nothing to return to: their names come from outside.
    private mutating func boundMemory() {
        guard state.remembered.count > 2 * Self.mostHeld else { return }
        let kept = Set(state.held.map(\.owner)).union([.main, state.owner])
        // Any of them will do, as long as a replay takes the same one.
        if let gone = state.remembered.keys.filter({ !kept.contains($0) }).min(by: { $0.rawValue < $1.rawValue }) {
            state.memory.items[gone] = nil
            state.memory.lastKinds?[gone] = nil
        }
    }

    /// Saves the place of the present item if it was heard or chosen; only `main` has places that last.
    mutating func saveCurrent(durably: Bool, isFinished: Bool = false) {
        rememberCurrent()
        guard let current = state.current, state.owner == .main,
            current.provenance == .heard || current.provenance == .user
        else { return }
        if let floor = state.floor, isSlip(current.position, below: floor, unitsPerSecond: state.unitsPerSecond) {
            effects.append(.refusePlace(current.position, floor: floor))
            return
        }
        state.loaded.floor = max(state.floor ?? current.position, current.position)
        effects.append(.savePlace(state.owner, current, finished: isFinished, durably: durably))
    }

    /// Returns the position, or the floor if the position lies so far below it that it was measured wrongly.
    func knownGood(_ position: MediaPosition) -> MediaPosition {
        isSlip(position, below: state.floor, unitsPerSecond: state.unitsPerSecond) ? state.floor ?? position : position
    }

    /// Returns `true` if nobody can have heard or chosen a position: it lies too far below what was already heard.
    ///
    /// A position in an earlier track counts as too far, too. If it was correct after all, nothing is lost: the saved
    /// place is the one that listening reaches again.
    func isSlip(_ position: MediaPosition, below floor: MediaPosition?, unitsPerSecond: Double) -> Bool {
        guard let floor, position < floor else { return false }
        guard position.track == floor.track, unitsPerSecond > 0 else { return true }
        return Double(floor.units - position.units) / unitsPerSecond * 1000 > Double(state.rules.slipTolerance)
    }
}
