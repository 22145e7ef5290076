// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

/// The sound of the clip's owner, as far as the screen knows it.
struct ClipPlayback: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        /// The selection, whose bounds may move while it plays.
        case selection
        /// Another passage, which stays as it is.
        case passage
    }

    /// A part that was sent to the session.
    private(set) var part: (kind: Part, range: Range<Int64>)?
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

    static func == (a: Self, b: Self) -> Bool {
        a.part?.kind == b.part?.kind && a.part?.range == b.part?.range && a.loops == b.loops
            && a.hasFocus == b.hasFocus && a.status == b.status && a.isComing == b.isComing
    }
    func hash(into hasher: inout Hasher) { hasher.combine(part?.range) }

    /// `true` while it sounds, or will as soon as it can.
    var isActive: Bool {
        isComing || status.map { $0.item != nil && $0.intent == "play" && $0.status != "ended" } ?? false
    }

    var isSounding: Bool { status?.status == "playing" }
    var isPaused: Bool { !isComing && status?.status == "paused" && status?.item != nil }
    var isError: Bool { !isComing && status?.status == "error" }

    mutating func begin(_ kind: Part, _ range: Range<Int64>) {
        part = (kind, range)
        isComing = true
    }

    /// Moves the bounds of the selection that plays.
    mutating func move(to range: Range<Int64>) {
        if part?.kind == .selection { part?.range = range }
    }

    mutating func take(_ status: Status) {
        // A status of before the part has no item, or is that of the part before it: the next one is soon there.
        if ["loading", "playing", "paused", "error"].contains(status.status), status.item != nil { isComing = false }
        self.status = status
    }

    /// Notes that the part that was asked for will not come.
    mutating func refuse() {
        isComing = false
        part = nil
    }

    /// Forgets the part: it is over, or the place is elsewhere.
    mutating func end() {
        part = nil
        isComing = false
        widensWhenAudible = false
    }

    /// Forgets the session.
    mutating func stop() {
        let loops = loops
        self = ClipPlayback()
        self.loops = loops
    }
}
