// SPDX-License-Identifier: Apache-2.0

import Clocks
import JSON
import PlaybackCore
import TransitionRecords

/// Attribution of pauses around the loss of a route: to the headset that went away, or to somebody's wish.
extension MediaPlaybackController {
    /// `true` if the route was lost a moment ago.
    var isRouteLosing: Bool { output.losses.isRecent(at: MonotonicTime.now()) }

    func cause(of origin: CommandOrigin, pauses: Bool) -> TransitionEntry.Cause {
        switch origin {
        case .user: .user
        case .restart: .restore
        case .remote: pauses && isRouteLosing ? .route : .remote
        }
    }

    /// Notes a pause by a remote control while no loss of the route is known yet.
    func noteRemotePause() {
        let initiator = log.initiators.present
        if initiator.origin == .remote { output.losses.pause(at: MonotonicTime.now(), by: initiator.command) }
    }

    /// Notes that the route is lost; the log now attributes a remote pause just before that to the headset.
    func noteRouteLost() {
        let now = MonotonicTime.now()
        // A user who resumed in between has shown that they are listening.
        guard let paused = output.losses.lose(at: now), machine.state.intent == .pause else { return }
        ports.log.record(
            TransitionEntry(
                .remote, cause: .route, command: paused.command, engine: machine.state.current?.engine,
                owner: machine.state.owner,
                fields: [
                    "action": "pause", "millisecondsBefore": .int((now - paused.time) / 1_000_000),
                    "message": "its device went away: the pause was the route's",
                ]))
    }
}
