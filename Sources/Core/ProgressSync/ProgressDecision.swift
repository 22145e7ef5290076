// SPDX-License-Identifier: Apache-2.0

/// The rule's answer to a place here and another one on the server.
public enum ProgressDecision: Sendable, Hashable {
    public enum Winner: Sendable, Hashable {
        case local
        case remote
        /// Neither is moved before the listener listens on, or takes the other one.
        case undecided
    }

    case nothing
    /// Both say the same, which is the base from now on.
    case agree(ProgressRecord)
    /// The server's record is the place here, too.
    case takeRemote(ProgressRecord)
    /// The server is told of the record of this machine.
    case pushLocal(ProgressRecord)
    /// Both places are kept: the one that does not win is in the history, and the listener is told of it.
    case keepBoth(local: ProgressRecord, remote: ProgressRecord, winner: Winner)
}

/// Something of which the listener is told.
public enum ProgressNews: Sendable, Hashable {
    /// The server's place is far from the one here; `winner` says which one counts.
    case apart(local: ProgressRecord, remote: ProgressRecord, winner: ProgressDecision.Winner)
    /// Another device goes on with what plays here.
    case elsewhere(ProgressRecord)
    /// The server refuses the places of this item.
    case refused
}

/// The consequences of a decision, for whoever carries it out.
public struct ProgressStep: Sendable, Hashable {
    /// The place to go on from here; `nil` if that stays as it is.
    public var place: ProgressRecord?
    /// The move for the history, so that `undo` leads to `from`.
    public var jump: Jump?
    public var news: ProgressNews?
    /// The writes for the server.
    public var push: ProgressPush?

    public struct Jump: Sendable, Hashable {
        public var from: ProgressRecord
        public var to: ProgressRecord
    }

    public init() {}
}
