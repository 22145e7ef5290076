// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks
import JSON
import PlaybackCore
import TransitionRecords

/// The time when the route was lost last, and what a remote control reported around that time.
struct RouteLosses {
    /// The time within which a pause belongs to the loss of the route, whichever of the two comes first.
    ///
    /// A headset that is taken off reports a pause just as its sink disappears; that is the route, and nobody's wish.
    static let window = MonotonicTime.second

    var lostAt: Int64?
    /// The last pause that was recorded as coming from a remote.
    var pausedAt: (time: Int64, command: String?)?
}

extension MediaPlaybackController {
    /// `true` if the route was lost a moment ago.
    var isRouteLosing: Bool { output.losses.lostAt.map { MonotonicTime.now() - $0 < RouteLosses.window } ?? false }

    func cause(of origin: CommandOrigin, pauses: Bool) -> TransitionEntry.Cause {
        switch origin {
        case .user: .user
        case .remote: pauses && isRouteLosing ? .route : .remote
        }
    }

    /// Notes a pause by a remote control while no loss of the route is known yet.
    func noteRemotePause() {
        let initiator = log.initiators.present
        if initiator.origin == .remote { output.losses.pausedAt = (MonotonicTime.now(), initiator.command) }
    }

    /// Notes that the route is lost; the log now attributes a remote pause just before that to the headset.
    func noteRouteLost() {
        let now = MonotonicTime.now()
        output.losses.lostAt = now
        let paused = output.losses.pausedAt
        output.losses.pausedAt = nil
        // A user who resumed in between has shown that they are listening.
        guard let paused, now - paused.time < RouteLosses.window, machine.state.intent == .pause else { return }
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
