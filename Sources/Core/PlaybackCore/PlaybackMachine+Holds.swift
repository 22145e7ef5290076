// SPDX-License-Identifier: Apache-2.0

/// What silences sound that the listener wants (document 004, “Interruptions and route changes”).
extension PlaybackMachine {
    /// Sound goes on afterwards only if it was there before, is still wanted, and nothing else holds it.
    mutating func interruption(began: Bool) {
        holdOthers(.interruption, began)
        if began {
            guard state.current != nil, state.intent == .play, state.phase == .ready || state.phase == .loading else {
                return
            }
            state.suppressions.insert(.interruption)
            hold()
        } else {
            guard state.suppressions.contains(.interruption) else { return }
            state.suppressions.remove(.interruption)
            goOn()
        }
    }

    /// Never goes on by itself from a loudspeaker that nobody chose.
    mutating func routeLost() {
        holdOthers(.routeLost, true)
        guard state.current != nil, state.intent == .play, state.phase == .ready || state.phase == .loading else {
            return
        }
        state.suppressions.insert(.routeLost)
        hold()
    }

    mutating func routeReturned() {
        if state.rules.resumesOnRouteReturn { holdOthers(.routeLost, false) }
        guard state.suppressions.contains(.routeLost), state.rules.resumesOnRouteReturn else { return }
        state.suppressions.remove(.routeLost)
        goOn()
    }

    /// What silences the one on the stage, or would if he sounded, silences those who get the stage back after him.
    mutating func holdOthers(_ hold: Suppressions, _ holds: Bool) {
        for index in state.held.indices {
            var all = state.held[index].holds ?? []
            if holds { all.insert(hold) } else { all.remove(hold) }
            state.held[index].holds = all.isEmpty ? nil : all
        }
    }

    /// The listener has sound begin where it comes from now: he chose that for whoever has the stage after this, too.
    ///
    /// A call is not over by it.
    mutating func listenerGoesOn() { holdOthers(.routeLost, false) }
}
