// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// A place as a listener names it; found once the item is open.
public enum SeekTarget: Sendable, Hashable {
    /// Seconds of book time.
    case seconds(Double)
    /// Seconds from what is audible now.
    case relative(Double)
    /// 0.0 to 1.0 of the whole book.
    case fraction(Double)
    /// From 0.
    case chapter(Int)
    /// From 0, and seconds into it; nil: its beginning.
    case track(Int, seconds: Double?)
    case nextChapter
    /// The start of this chapter, or of the one before within its first three seconds.
    case previousChapter
    case position(MediaPosition)
    /// So many seconds before a place, to find the way into the story again.
    case rewound(MediaPosition, seconds: Double)

    /// Counted from the place that is heard when it is carried out.
    var isRelative: Bool {
        switch self {
        case .relative, .nextChapter, .previousChapter: true
        case .seconds, .fraction, .chapter, .track, .position, .rewound: false
        }
    }

    /// Found without the lengths of other tracks.
    var isWithinTrack: Bool {
        switch self {
        case .track(_, seconds: nil), .chapter, .nextChapter, .position: true
        // How long a second is there is known once the track was opened.
        default: false
        }
    }
}

/// A part of an item, between two places, played once or again and again.
public struct ClipRange: Sendable, Hashable {
    public var start: SeekTarget
    /// The first frame that does not belong to it.
    public var end: SeekTarget
    public var loops: Bool
    /// For its URI: what makes it another item than other parts of the same source.
    public var name: String

    public init(start: SeekTarget, end: SeekTarget, loops: Bool, name: String) {
        self.start = start
        self.end = end
        self.loops = loops
        self.name = name
    }
}

/// What a listener asked for with an item, beyond what the machine needs to know.
struct PlayWishes {
    /// A start that can be found only when the item is open.
    var start: SeekTarget?
    /// What the jump there is told as.
    var startCause: Jump.Cause {
        if case .rewound = start { .rewind } else { .play }
    }
    /// Where to from there, in order: asked for before the item was open.
    var moves: [SeekTarget] = []
    /// Where it is to end.
    var limit: SeekTarget?
    var voice: String?
}

/// How to go on with the last item of a kind; what is nil stays as it was.
public struct LastItemWishes: Sendable {
    /// Whose last item.
    public var owner = OwnerID.main
    public var engine: EngineID?
    public var voice: String?
    /// nil: where it was left.
    public var start: SeekTarget?
    /// Where to stop.
    public var until: SeekTarget?
    public var rate: Double?
    public var volume: Double?

    public init() {}
}

/// What to play, where from, and how.
public struct PlayRequest: Sendable {
    public enum Start: Sendable, Hashable {
        /// The saved place, else the beginning.
        case saved
        case beginning
        case at(SeekTarget)
    }

    public var item: ItemRequest
    /// nil: by content.
    public var engine: EngineID?
    public var start: Start
    /// Where to stop; nil: at the end.
    public var until: SeekTarget?
    public var rate: Double?
    public var volume: Double?
    public var owner: OwnerID
    public var voice: String?
    /// nil: as before.
    public var output: String?
    /// Only this part of the item.
    public var clip: ClipRange?
    /// See ``PlaybackCore/PlayOrder/handsBack``.
    public var handsBack = false

    public init(item: ItemRequest, start: Start = .saved, owner: OwnerID = .main) {
        self.item = item
        self.start = start
        self.owner = owner
    }
}
