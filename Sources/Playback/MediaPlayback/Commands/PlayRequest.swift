// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore
public import SpeechScript

/// A place as a user names it; it is resolved once the item is open.
public enum SeekTarget: Sendable, Hashable {
    /// A book time in seconds.
    case seconds(Double)
    /// A number of seconds from what is audible now.
    case relative(Double)
    /// A fraction of the whole book, from 0.0 to 1.0.
    case fraction(Double)
    /// The start of a chapter, counted from 0.
    case chapter(Int)
    /// A track, counted from 0, and the seconds into it; `nil` for its beginning.
    case track(Int, seconds: Double?)
    /// The start of a page of a text, by its printed number.
    case page(String)
    /// The start of a sentence or paragraph of a text, counted from 1.
    case spoken(SpokenUnit, number: Int)
    case nextChapter
    /// The start of this chapter, or of the previous one within the first three seconds of this one.
    case previousChapter
    case position(MediaPosition)
    /// A number of seconds before a place, to find the way into the story again.
    case rewound(MediaPosition, seconds: Double)

    /// `true` if the target counts from the position that is audible when it is carried out.
    var isRelative: Bool {
        switch self {
        case .relative, .nextChapter, .previousChapter: true
        case .seconds, .fraction, .chapter, .track, .page, .spoken, .position, .rewound: false
        }
    }

    /// `true` if the target is a part of the item: whoever chooses one does not want what is missing before it.
    var isPart: Bool {
        switch self {
        case .chapter, .track, .page, .spoken, .nextChapter, .previousChapter: true
        case .seconds, .relative, .fraction, .position, .rewound: false
        }
    }

    /// `true` if the target can be resolved without the lengths of other tracks.
    var isWithinTrack: Bool {
        switch self {
        case .track(_, seconds: nil), .chapter, .page, .spoken, .nextChapter, .position: true
        // The length of a second in the track is known only once the track was opened.
        default: false
        }
    }
}

/// A part of an item between two places, played once or repeatedly.
public struct ClipRange: Sendable, Hashable {
    public var start: SeekTarget
    /// The first frame that does not belong to the part.
    public var end: SeekTarget
    public var loops: Bool
    /// The name for the URI, which makes this part an item apart from other parts of the same source.
    public var name: String

    public init(start: SeekTarget, end: SeekTarget, loops: Bool, name: String) {
        self.start = start
        self.end = end
        self.loops = loops
        self.name = name
    }
}

/// The options with which an item is to be opened, beyond what the machine needs to know.
struct OpeningOptions {
    /// A start that can be resolved only when the item is open.
    var start: SeekTarget?
    /// The cause that the jump to `start` is recorded with.
    var startCause: Jump.Cause {
        if case .rewound = start { .rewind } else { .play }
    }
    /// The moves that were asked for before the item was open, in order; they count from `start`.
    var moves: [SeekTarget] = []
    /// The place where playback is to end.
    var limit: SeekTarget?
    var voice: String?
    /// The engine that the voice belongs to; `nil` if that is not known.
    var voiceEngine: EngineID?
    /// `true` if the command that opens the item names the voice.
    var isVoiceNamed = false

    /// Returns the voice if it is one of this engine.
    func voice(for engine: EngineID) -> String? { voiceEngine == nil || voiceEngine == engine ? voice : nil }
}

/// The options for resuming the last item of a kind; what is `nil` stays as it was.
public struct ResumeOptions: Sendable {
    /// The owner whose last item is meant.
    public var owner = OwnerID.main
    public var engine: EngineID?
    public var voice: String?
    /// The place to start at; `nil` for the place where the item was left.
    public var start: SeekTarget?
    /// The place to stop at.
    public var until: SeekTarget?
    public var rate: Double?
    public var volume: Double?
    /// The output; `nil` keeps the current one.
    public var output: String?

    public init() {}
}

/// The item to play, where to start, and how to play it.
public struct PlayRequest: Sendable {
    public enum Start: Sendable, Hashable {
        /// Starts at the saved place, or else at the beginning.
        case saved
        case beginning
        case at(SeekTarget)
    }

    public var item: ItemRequest
    /// The engine; `nil` lets the content decide.
    public var engine: EngineID?
    public var start: Start
    /// The place to stop at; `nil` for the end.
    public var until: SeekTarget?
    public var rate: Double?
    public var volume: Double?
    public var owner: OwnerID
    public var voice: String?
    /// The output; `nil` keeps the current one.
    public var output: String?
    /// The only part of the item to play.
    public var clip: ClipRange?
    /// `true` if audio focus is handed back at the end; see ``/PlaybackCore/PlayOrder/handsBack``.
    public var handsBack = false
    /// The change to the other side of the work that plays, and the work if that is known; `nil` for any other item.
    var change: (kind: WorkChange, work: Work?)?

    public init(item: ItemRequest, start: Start = .saved, owner: OwnerID = .main) {
        self.item = item
        self.start = start
        self.owner = owner
    }
}
