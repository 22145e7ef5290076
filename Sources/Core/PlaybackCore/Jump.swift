// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// A move of the listener's place that was not listening.
///
/// Each is kept in the history, and `undo` takes it back.
public struct Jump: Sendable, Codable, Hashable {
    public enum Cause: String, Sendable, Codable, Hashable, CaseIterable {
        /// Somebody went to a place, by whatever command.
        case seek
        /// `play` of another item, or of this one at another place.
        case play
        /// What was heard to its end began again.
        case restart
        /// Back a little after a pause.
        case rewind
        /// The sleep timer ended it: back leads to where it was set.
        case sleep
        /// What comes there ends the engine.
        case stepOver
        case undo
    }

    /// What was there, with its place.
    public var from: Playing
    public var to: Playing
    public var cause: Cause

    public init(from: Playing, to: Playing, cause: Cause) {
        self.from = from
        self.to = to
        self.cause = cause
    }
}

/// Which moves are told (lessons of players that lose places: every one that nobody heard).
extension PlaybackMachine {
    /// Tells of a move of the present item, from where it is now; call it before the move.
    mutating func jump(to target: MediaPosition, _ cause: Jump.Cause, heard: MediaPosition? = nil) {
        guard var from = state.current else { return }
        if let heard, state.phase == .ready { from.position = heard }
        var to = from
        to.position = target
        tell(Jump(from: from, to: to, cause: cause), of: state.owner)
    }

    /// Only `main` has places that last, and so a history.
    mutating func tell(_ jump: Jump, of owner: OwnerID) {
        guard owner == .main, jump.from.item != jump.to.item || jump.from.position != jump.to.position else { return }
        effects.append(.jumped(jump))
    }
}
