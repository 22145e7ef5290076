// SPDX-License-Identifier: Apache-2.0

/// Holds, which silence sound that the user wants: interruptions and lost routes.
extension PlaybackMachine {
    /// Handles an interruption; sound resumes only if it was there before, is still wanted, and nothing else holds it.
    mutating func interruption(began: Bool) {
        holdOthers(.interruption, began)
        holdLookUp(by: .interruption, began)
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

    /// Handles a lost route; sound never resumes by itself from a loudspeaker that nobody chose.
    mutating func routeLost() {
        holdOthers(.routeLost, true)
        holdLookUp(by: .routeLost, true)
        guard state.current != nil, state.intent == .play, state.phase == .ready || state.phase == .loading else {
            return
        }
        state.suppressions.insert(.routeLost)
        hold()
    }

    mutating func routeReturned() {
        if state.rules.resumesOnRouteReturn {
            holdOthers(.routeLost, false)
            holdLookUp(by: .routeLost, false)
        }
        guard state.suppressions.contains(.routeLost), state.rules.resumesOnRouteReturn else { return }
        state.suppressions.remove(.routeLost)
        goOn()
    }

    /// Applies a hold to the owners without audio focus.
    ///
    /// What silences the owner with focus, or would if it sounded, silences those that get focus back after it.
    mutating func holdOthers(_ hold: Suppressions, _ holds: Bool) {
        for index in state.held.indices { state.focus.held[index].note(hold, holds) }
        state.focus.reclaimed?.playback.note(hold, holds)
    }

    /// Lifts a lost route from all owners when the user has sound begin from the present output.
    ///
    /// The user chose it for whoever has audio focus later, too. A call does not end by it.
    mutating func listenerGoesOn() { holdOthers(.routeLost, false) }
}
