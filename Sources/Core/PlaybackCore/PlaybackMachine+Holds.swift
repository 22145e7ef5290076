// SPDX-License-Identifier: Apache-2.0

/// What silences sound that the listener wants (document 004, “Interruptions and route changes”).
extension PlaybackMachine {
    /// Sound goes on afterwards only if it was there before, is still wanted, and nothing else holds it.
    mutating func interruption(began: Bool) {
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
        guard state.current != nil, state.intent == .play, state.outage == nil,
            state.phase == .ready || state.phase == .loading
        else { return }
        state.suppressions.insert(.routeLost)
        supersede()
        hold()
    }

    mutating func routeReturned() {
        guard state.suppressions.contains(.routeLost), state.outage == nil, state.rules.resumesOnRouteReturn else {
            return
        }
        state.suppressions.remove(.routeLost)
        goOn()
    }
}
