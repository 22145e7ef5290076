// SPDX-License-Identifier: Apache-2.0

/// Hot swap: what plays moves to other tracks of the same content, without a gap, a repeat or a stop.
///
/// Another process of the engine opens them. The present one plays until the stream reads on in the sound of the other,
/// and only then are they the item's. Until then everything can be taken back. The generation stays the same, since to the
/// listener nothing happens; results belong to the swap by its ID.
extension PlaybackMachine {
    mutating func swap(_ id: UInt64, to item: ItemReference) {
        guard let current = state.current, current.item.uri == item.uri, current.item.kind == item.kind,
            !state.isUnlocated
        else {
            let error = PlaybackError(.unavailable, message: "“\(item.title)” is not what plays; nothing was changed")
            effects.append(.reply(id: id, error))
            return
        }
        giveUpSwap(Self.swapOvertaken)
        state.loaded.swap = Swap(id: id, item: item)
        // Where nothing is open, there is nothing to prepare: the next opening takes the other tracks.
        guard state.phase != .idle, state.phase != .failed else { return commitSwap() }
        var next = current
        next.item = item
        effects.append(.prepareSwap(id: id, next, milliseconds: state.rules.swapLimit ?? 0))
    }

    /// Handles tracks that the other process has open.
    ///
    /// - Parameter off: the greatest distance between the same place in both, in milliseconds.
    mutating func swapReady(_ id: UInt64, off: Int) {
        guard state.loaded.swap?.id == id, state.loaded.swap?.stage == .preparing else {
            effects.append(.dropped(.stale))
            return
        }
        guard off <= state.rules.swapTolerance ?? 0 else {
            let error = PlaybackError(
                .badContent,
                message: "the other tracks of “\(state.current?.item.title ?? "")” are off by \(off) ms; "
                    + "it plays on as before")
            return giveUpSwap(error)
        }
        state.loaded.swap?.stage = .ready
    }

    mutating func swapFailed(_ id: UInt64, _ error: PlaybackError) {
        guard state.loaded.swap?.id == id else {
            effects.append(.dropped(.stale))
            return
        }
        giveUpSwap(error)
    }

    /// Handles a stream that reads the sound of the other process.
    mutating func swapped(_ id: UInt64) {
        guard state.loaded.swap?.id == id, state.loaded.swap?.stage == .joining else {
            effects.append(.dropped(.stale))
            return
        }
        commitSwap()
    }

    /// Takes a swap that is ready as far as the stream allows.
    mutating func settleSwap() {
        guard let swap = state.loaded.swap, swap.stage != .preparing else { return }
        switch state.phase {
        case .loading: break
        case .ready:
            switch state.stream {
            case .opening: break
            case .closed:
                // What the present process has rendered is not heard any more, and the other begins where it was told to.
                state.output.wasOpened = true
                commitSwap()
            case .waiting, .sounding, .starved, .paused:
                if swap.stage == .ready {
                    state.loaded.swap?.stage = .joining
                    effects.append(.joinSwap(id: swap.id, generation: state.generation))
                }
                if state.stream == .paused { answerSwap(nil) }
            }
        case .idle, .ended, .failed: commitSwap()
        }
    }

    /// Makes the other tracks the item's, and their process the engine.
    mutating func commitSwap() {
        guard let swap = state.loaded.swap else { return }
        answerSwap(nil)
        state.loaded.swap = nil
        state.loaded.playing?.item = swap.item
        state.loaded.isRemote = swap.item.isRemote
        if state.loaded.displaced?.item.uri == swap.item.uri { state.loaded.displaced?.item = swap.item }
        for (generation, left) in state.leaving where left.playing.item.uri == swap.item.uri {
            state.memory.leaving[generation]?.playing.item = swap.item
        }
        effects.append(.commitSwap(id: swap.id))
        // The place is not touched: only what opens the item again is new.
        guard let last = state.remembered[state.owner]?[swap.item.kind], last.item.uri == swap.item.uri else { return }
        state.memory.items[state.focus.owner]?[swap.item.kind]?.item = swap.item
        if state.owner == .main, let current = state.current { effects.append(.rememberItem(state.owner, current)) }
    }

    /// Takes a swap that is ready before its time, because the present process is told to go elsewhere, or is gone.
    ///
    /// - Returns: `true` if there was one.
    @discardableResult
    mutating func hastenSwap() -> Bool {
        guard let swap = state.loaded.swap, swap.stage != .preparing else { return false }
        commitSwap()
        return true
    }

    /// Goes on with the tracks that are ready, because those that play have failed.
    ///
    /// - Returns: `false` if none are.
    mutating func escapesBySwap() -> Bool {
        guard state.phase == .ready || state.phase == .loading, hastenSwap(), let current = state.current else {
            return false
        }
        if state.phase == .loading {
            reload(current)
        } else {
            moveTo(knownGood(current.position), provenance: current.provenance)
            proceed()
        }
        return true
    }

    /// Gives a swap up; what plays stays as it is.
    mutating func giveUpSwap(_ error: PlaybackError) {
        guard let swap = state.loaded.swap else { return }
        answerSwap(error)
        state.loaded.swap = nil
        effects.append(.dropSwap(id: swap.id))
    }

    /// Gives up a swap whose sound does not come although the present one goes on.
    mutating func noteReportForSwap() {
        guard let swap = state.loaded.swap, swap.stage == .joining else { return }
        guard swap.reports < Self.mostReports else {
            return giveUpSwap(
                PlaybackError(
                    .io,
                    message: "the other tracks of “\(swap.item.title)” have no sound at this place; "
                        + "it plays on as before"))
        }
        state.loaded.swap?.reports += 1
    }

    private mutating func answerSwap(_ error: PlaybackError?) {
        guard let swap = state.loaded.swap, !swap.isAnswered else { return }
        state.loaded.swap?.isAnswered = true
        effects.append(.reply(id: swap.id, error))
    }

    /// The number of reports within which the sound of the other process has to come.
    private static let mostReports = 2

    static let swapOvertaken = PlaybackError(
        .busy, message: "the tracks were not changed: another command came before that")
}
