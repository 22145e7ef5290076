// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// Something that happened: a command, or the result of an effect.
///
/// Results name the generation that they belong to. `id` is the command that the event came with; `heard` is what was
/// audible when it came, if anything was. A command without an owner addresses the one who holds the stage.
public enum PlaybackEvent: Sendable, Codable, Hashable {
    // Commands.
    case play(id: UInt64, PlayOrder, heard: MediaPosition?)
    /// `play` of something whose place cannot be looked up.
    case lookUpFailed(id: UInt64, PlayOrder, PlaybackError, heard: MediaPosition?)
    /// `back`: a little before the place at which it was paused, after a long pause.
    case resume(id: UInt64, owner: OwnerID?, heard: MediaPosition?, back: MediaPosition? = nil)
    case pause(owner: OwnerID?, heard: MediaPosition?)
    case toggle(id: UInt64, heard: MediaPosition?, back: MediaPosition? = nil)
    case stop(owner: OwnerID?)
    case seek(SeekOrder)
    /// `byEngine`: the engine changes its rate itself, and must render anew from what is audible.
    case setRate(Double, heard: MediaPosition?, byEngine: Bool)
    case setVolume(Double, heard: MediaPosition?)
    /// `kinds` is what that engine can load of what others played; its own last item it goes on with in any case.
    case switchEngine(id: UInt64, EngineID, kinds: [ContentKind], heard: MediaPosition?)
    /// Takes the stage without a sound.
    case claim(id: UInt64, OwnerID, heard: MediaPosition?)
    /// Gives the stage back to the one from whom it was taken.
    case release(id: UInt64, OwnerID, heard: MediaPosition?)
    /// What the library remembers of an owner, read once; the item that was last comes first.
    case restored(owner: OwnerID, [Playing])
    case setRules(PlaybackRules)
    case setSleep(SleepOrder, heard: MediaPosition?)
    /// What an earlier session had set, with what was left of it.
    case restoredSleep(SleepTimer, milliseconds: Int)
    /// Where the chapter ends that is heard now; `nil` if there is none.
    case rearmedSleep(id: UInt64, MediaPosition?)

    // From the engine.
    /// `start` differs from what was asked for if that could only be worked out after opening. `pace` is the units of a
    /// second at the start. `needsSeek`: what was rendered meanwhile is not what should be heard (a clip).
    /// `isRemote`: some of its bytes come from a server (a playlist names it only when it is read).
    case loaded(
        generation: UInt32, start: MediaPosition, pace: Double, needsSeek: Bool, isRemote: Bool = false,
        cause: Jump.Cause = .play)
    case loadFailed(generation: UInt32, PlaybackError)
    case engineFailed(generation: UInt32, PlaybackError, heard: MediaPosition?)
    /// The process of the engine is gone, and what it had rendered was heard; it may be started again. `beyond`: where to
    /// go on if it is what comes at this place that ends it; nil: it did not come to render.
    /// `leavesOut`: what of a text lies before that.
    case engineGone(
        generation: UInt32, PlaybackError, heard: MediaPosition?, beyond: MediaPosition? = nil,
        leavesOut: UnspokenText? = nil)

    /// The process of the engine is gone, and what it had rendered, up to `end`, is still to be heard. `wasIdle`: it did not
    /// die of what comes there.
    case engineLost(generation: UInt32, end: MediaPosition, wasIdle: Bool)

    // From the output.
    case streamOpened(generation: UInt32)
    case streamFailed(generation: UInt32, PlaybackError)
    case started(generation: UInt32)
    case starved(generation: UInt32)
    /// `atLimit`: where the listener wanted it to end, not where the content does.
    case ended(generation: UInt32, atLimit: Bool)
    /// All was heard up to the place at which the sleep timer is to end it.
    case sleepPlaceReached(generation: UInt32)
    /// The stream was paused, or closed, at this place.
    /// `nearEnd`: so near to the end of the item that it counts as heard.
    case silenced(generation: UInt32, heard: MediaPosition?, nearEnd: Bool? = nil)
    /// The stream was lost. `isDeviceGone`: the server is there, but not what was listened with.
    case outputFailed(PlaybackError, isDeviceGone: Bool, heard: MediaPosition?)
    /// The stream was closed for another output; `goesOn`: what was there is to be opened there.
    case streamClosed(heard: MediaPosition?, goesOn: Bool)
    case interruption(began: Bool)
    /// What was listened with is gone, and the sound would come from somewhere else: headphones out, a sink removed.
    case routeLost
    case routeReturned
    /// What is audible now, told now and then.
    case heard(generation: UInt32, MediaPosition)

    // From the clock.
    case clock(id: UInt64, heard: MediaPosition?)
    /// The last seconds of the sleep timer begin.
    case sleepFading(id: UInt64)
    case sleepDue(id: UInt64, heard: MediaPosition?)
}

/// What `play` and `read` ask for, with the item found and its place looked up.
public struct PlayOrder: Sendable, Codable, Hashable {
    public var item: ItemReference
    public var engine: EngineID
    public var start: MediaPosition
    public var provenance: Provenance
    public var owner: OwnerID
    public var rate: Double?
    public var volume: Double?
    /// When it is over, the one from whom the stage was taken has it again, as it was.
    public var handsBack: Bool
    /// Where he was in it, if `start` is not that place.
    public var left: MediaPosition?
    /// What the jump to it is told as.
    public var cause: Jump.Cause

    public init(
        item: ItemReference, engine: EngineID, start: MediaPosition, provenance: Provenance, owner: OwnerID,
        rate: Double? = nil, volume: Double? = nil, handsBack: Bool = false, left: MediaPosition? = nil,
        cause: Jump.Cause = .play
    ) {
        self.item = item
        self.engine = engine
        self.start = start
        self.provenance = provenance
        self.owner = owner
        self.rate = rate
        self.volume = volume
        self.handsBack = handsBack
        self.left = left
        self.cause = cause
    }
}

/// A move to another place, of an owner in an item.
public struct SeekOrder: Sendable, Codable, Hashable {
    public var target: MediaPosition
    /// nil: whoever holds the stage.
    public var owner: OwnerID?
    /// nil: whatever is there.
    public var uri: String?
    /// What was audible when the command came.
    public var heard: MediaPosition?
    public var cause: Jump.Cause

    public init(
        to target: MediaPosition, owner: OwnerID? = nil, uri: String? = nil, heard: MediaPosition? = nil,
        cause: Jump.Cause = .seek
    ) {
        self.target = target
        self.owner = owner
        self.uri = uri
        self.heard = heard
        self.cause = cause
    }
}
