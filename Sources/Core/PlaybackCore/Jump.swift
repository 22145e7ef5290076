// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// A move of the user's place that was not listening.
///
/// Each one is kept in the history, and `undo` takes it back.
public struct Jump: Sendable, Codable, Hashable {
    public enum Cause: String, Sendable, Codable, Hashable, CaseIterable {
        /// A move to another position, by any command.
        case seek
        /// `play` of another item, or of this one at another position.
        case play
        /// A restart of an item that was heard to its end.
        case restart
        /// A small step back after a pause.
        case rewind
        /// The sleep timer ended the sound; `undo` leads back to where it was set.
        case sleep
        /// The content at that position kills the engine.
        case stepOver
        case undo
    }

    /// The item and its position before the move.
    public var from: Playing
    public var to: Playing
    public var cause: Cause

    public init(from: Playing, to: Playing, cause: Cause) {
        self.from = from
        self.to = to
        self.cause = cause
    }
}

/// Reports of moves: every one that nobody heard is reported.
extension PlaybackMachine {
    /// Reports a move of the present item from its current position; call it before the move.
    mutating func jump(to target: MediaPosition, _ cause: Jump.Cause, heard: MediaPosition? = nil) {
        guard var from = state.current else { return }
        // The jump to the item comes first, and is made when the item is open. Behind it, there is one move within the
        // item, wherever that leads.
        if state.phase == .loading || state.phase == .failed, state.loaded.pendingJump?.to.item == from.item {
            // Nobody can return to a place that was never looked up.
            guard from.provenance != .unknown else {
                state.loaded.pendingJump?.to.position = target
                return
            }
            var move = state.loaded.pendingMove ?? Jump(from: from, to: from, cause: cause)
            move.to.position = target
            state.loaded.pendingMove = move
            return
        }
        if let heard, state.phase == .ready { from.position = heard }
        var to = from
        to.position = target
        tell(Jump(from: from, to: to, cause: cause), of: state.owner)
    }

    /// Reports the jump to an item that is open now, or that another owner interrupts while it is being opened.
    ///
    /// There is no jump to an item that could not be opened; what is played after it is one from what was there before.
    mutating func reportPendingJump() {
        if state.phase != .failed {
            for jump in [state.loaded.pendingReturn, state.loaded.pendingJump] {
                if let jump { tell(jump, of: state.owner) }
            }
        }
        state.loaded.pendingJump = nil
        reportPendingMove()
    }

    /// Reports the move within an item that was not open then, whose place is saved already.
    mutating func reportPendingMove() {
        state.loaded.pendingReturn = nil
        if let move = state.loaded.pendingMove { tell(move, of: state.owner) }
        state.loaded.pendingMove = nil
    }

    /// Reports a move of `main`, which alone has places that last, and therefore a history.
    mutating func tell(_ jump: Jump, of owner: OwnerID) {
        guard owner == .main, jump.from.item != jump.to.item || jump.from.position != jump.to.position else { return }
        effects.append(.jumped(jump))
    }
}
