// SPDX-License-Identifier: Apache-2.0

import AudioSession
import Clocks
import JSON
import PlaybackCore

/// When the route was lost last, and what a remote control said about that time.
struct RouteLosses {
    /// A headset that is taken off says pause just as its sink goes: that is the route, and nobody's wish (within this
    /// time, whichever of the two comes first).
    static let window = MonotonicTime.second

    var lostAt: Int64?
    /// The last pause by remote that was told as such.
    var pausedAt: (time: Int64, told: PlaybackJournal.Told)?
}

extension MediaPlaybackController {
    /// The route was lost within the last moment.
    var isRouteLosing: Bool { losses.lostAt.map { MonotonicTime.now() - $0 < RouteLosses.window } ?? false }

    func cause(of origin: CommandOrigin, pauses: Bool) -> TransitionEntry.Cause {
        switch origin {
        case .user: .user
        case .remote: pauses && isRouteLosing ? .route : .remote
        }
    }

    /// A remote control pauses, and nothing is known to be lost yet.
    func noteRemote(_ told: PlaybackJournal.Told, _ origin: CommandOrigin) {
        if origin == .remote, told.origin == .remote { losses.pausedAt = (MonotonicTime.now(), told) }
    }

    /// The route is lost: a pause by remote that came just before was the headset's, and the log says so now.
    func noteRouteLost() {
        let now = MonotonicTime.now()
        losses.lostAt = now
        let paused = losses.pausedAt
        losses.pausedAt = nil
        // Who goes on in between has said that he listens.
        guard let paused, now - paused.time < RouteLosses.window, machine.state.intent == .pause else { return }
        recorder.record(
            TransitionEntry(
                .remote, cause: .route, command: paused.told.command, engine: machine.state.current?.engine,
                owner: machine.state.owner,
                fields: [
                    "action": "pause", "millisecondsBefore": .int((now - paused.time) / 1_000_000),
                    "message": "its device went away: the pause was the route's",
                ]))
    }
}
