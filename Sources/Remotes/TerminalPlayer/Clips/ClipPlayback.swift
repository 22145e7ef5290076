// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The sound of the clip's owner, as far as the screen knows it.
struct ClipPlayback: Sendable {
    enum Part: Sendable, Hashable {
        /// The selection, whose bounds may move while it plays.
        case selection
        /// Another passage, which stays as it is.
        case passage
    }

    /// A part that was sent to the session.
    private(set) var part: (kind: Part, range: Range<Int64>)?
    /// The number of the part that was sent last; what is said of former ones does not matter any more.
    private(set) var number = 0
    /// `true` if the selection repeats.
    var loops = false
    /// `true` once the owner has claimed audio focus.
    var hasFocus = false
    /// `true` if the part that plays goes on from within the selection, and its bounds follow when it is audible.
    var widensWhenAudible = false
    /// The session's last word about the owner.
    private(set) var status: Status?
    /// `true` while a part was asked for, and no status has shown it yet.
    private(set) var isComing = false

    /// `true` while it sounds, or will as soon as it can.
    var isActive: Bool {
        isComing || status.map { $0.item != nil && $0.intent == "play" && $0.status != "ended" } ?? false
    }

    var isSounding: Bool { status?.status == "playing" }
    var isPaused: Bool { !isComing && status?.status == "paused" && status?.item != nil }

    /// The selection that repeats, while it is heard.
    var turn: Range<Int64>? {
        guard loops, isSounding, !widensWhenAudible, let part, part.kind == .selection else { return nil }
        return part.range
    }

    mutating func begin(_ kind: Part, _ range: Range<Int64>) {
        part = (kind, range)
        number += 1
        isComing = true
        widensWhenAudible = false
    }

    /// Moves the bounds of the selection that plays.
    mutating func move(to range: Range<Int64>) {
        if part?.kind == .selection { part?.range = range }
    }

    mutating func take(_ status: Status) {
        if ["loading", "playing", "paused", "error"].contains(status.status), status.item != nil { isComing = false }
        self.status = status
    }

    /// Notes that nothing is to come any more but what the status says.
    mutating func answered() { isComing = false }

    /// Forgets the part: it is over, will not come, or the place is elsewhere.
    mutating func end() {
        part = nil
        isComing = false
        widensWhenAudible = false
    }

    /// Forgets the session.
    mutating func stop() { self = ClipPlayback(after: self) }

    init() {}

    private init(after last: ClipPlayback) { (loops, number) = (last.loops, last.number) }
}
