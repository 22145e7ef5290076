// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// An event: a command, or the result of an effect.
///
/// Results name the generation that they belong to. `id` is the command that the event came with. `heard` is the
/// position that was audible when it came, if any. A command without an owner addresses the owner that has audio focus.
public enum PlaybackEvent: Sendable, Codable, Hashable {
    // Commands.
    /// A command that decides what plays, and is looked up first: the item of a `play`, the library's last item for a
    /// `resume`, the last jump for an undo.
    ///
    /// A `play`, `resume`, `toggle`, `switchEngine` or `seek` with the same id is the result; `lookUpFailed` and
    /// `notFound` report a failure. `subject` is `nil` if an item is coming.
    case lookUp(id: UInt64, owner: OwnerID, subject: LookUp.Subject? = nil)
    /// There is no such item, or it cannot be played; or there is nothing to undo.
    case notFound(id: UInt64, PlaybackError)
    /// A pause for the item that is coming; as in the next three, `nil` stands for whoever asked for it.
    case holdLookUp(of: OwnerID?)
    /// A command that waits for the item that is coming.
    case joinLookUp(id: UInt64, of: OwnerID?)
    case setLookUp(rate: Double?, volume: Double?, of: OwnerID?)
    /// Another command decides what plays.
    case giveUpLookUp(of: OwnerID?)
    case play(id: UInt64, PlayOrder, heard: MediaPosition?)
    /// `play` of an item whose place cannot be looked up.
    case lookUpFailed(id: UInt64, PlayOrder, PlaybackError, heard: MediaPosition?)
    /// Resumes; `back` is a position a little before the pause, after a long one.
    ///
    /// Here and below, `wasLookedUp` is `true` if `lookUp` announced the command, which is dropped if that was given up.
    case resume(
        id: UInt64, owner: OwnerID?, heard: MediaPosition?, back: MediaPosition? = nil, wasLookedUp: Bool? = nil)
    case pause(owner: OwnerID?, heard: MediaPosition?)
    case toggle(id: UInt64, heard: MediaPosition?, back: MediaPosition? = nil, wasLookedUp: Bool? = nil)
    case stop(owner: OwnerID?)
    /// A seek whose target is worked out first; `seek` or `notLocated` with the same id reports the result.
    ///
    /// `uri` is the item that it is for; `nil` if the owner's item is not known yet.
    case locate(id: UInt64, owner: OwnerID, uri: String?)
    /// There is no such position.
    case notLocated(id: UInt64, PlaybackError)
    case seek(SeekOrder)
    /// Sets the rate; `byEngine` is `true` if the engine changes its rate itself, and must render anew from what is
    /// audible.
    case setRate(Double, heard: MediaPosition?, byEngine: Bool)
    case setVolume(Double, heard: MediaPosition?)
    /// Switches engines; `kinds` are those that the engine can load of what others played.
    ///
    /// It continues with its own last item in any case.
    case switchEngine(
        id: UInt64, EngineID, kinds: [ContentKind], heard: MediaPosition?, wasLookedUp: Bool? = nil)
    /// Takes audio focus without a sound.
    case claim(id: UInt64, OwnerID, heard: MediaPosition?)
    /// Hands audio focus back to the owner from whom it was taken.
    case release(id: UInt64, OwnerID, heard: MediaPosition?)
    /// The items that the library remembers of an owner, read once, the latest item first.
    case restored(owner: OwnerID, [Playing])
    case setRules(PlaybackRules)
    case setSleep(SleepOrder, heard: MediaPosition?)
    /// A timer that an earlier session had set, with what was left of it.
    case restoredSleep(SleepTimer, milliseconds: Int)
    /// The end of the chapter that is heard now; `nil` if there is none.
    case rearmedSleep(id: UInt64, MediaPosition?)

    // From the engine.
    /// The item is open.
    ///
    /// `start` differs from what was requested if it could only be worked out after opening. `unitsPerSecond` holds at
    /// the start. `needsSeek` is `true` if what was rendered meanwhile is not what should be heard (a clip). `isRemote`
    /// is `true` if some of its bytes come from a server (a playlist names it only when it is read).
    case loaded(
        generation: UInt32, start: MediaPosition, unitsPerSecond: Double, needsSeek: Bool, isRemote: Bool = false,
        cause: Jump.Cause = .play)
    case loadFailed(generation: UInt32, PlaybackError)
    /// The item cannot be opened, and something else is looked for to be opened in its place.
    ///
    /// The time to open it begins anew, and the error is reported if nothing comes of it.
    case unopened(generation: UInt32, PlaybackError)
    /// The engine that can play what is loaded if the present one fails for good; `nil` if none is to.
    case standIn(generation: UInt32, EngineID?)
    case engineFailed(generation: UInt32, PlaybackError, heard: MediaPosition?)
    /// The process of the engine is gone, and what it had rendered was heard; it may be started again.
    ///
    /// `beyond` is where to continue if the content at this position killed the engine; `nil` if it did not get to
    /// render. `leavesOut` is the part of a text that lies before that.
    case engineGone(
        generation: UInt32, PlaybackError, heard: MediaPosition?, beyond: MediaPosition? = nil,
        leavesOut: UnspokenText? = nil)

    /// The process of the engine is gone, and what it had rendered, up to `end`, is still to be heard.
    ///
    /// `wasIdle` is `true` if the content behind it did not kill it.
    case engineLost(generation: UInt32, end: MediaPosition, wasIdle: Bool)

    // From the output.
    case streamOpened(generation: UInt32)
    case streamFailed(generation: UInt32, PlaybackError)
    case started(generation: UInt32)
    case starved(generation: UInt32)
    /// Playback ended; `atLimit` is `true` if it ended where the user wanted, and not where the content ends.
    ///
    /// `endsBook` is `true` if it is the end of a text that was read for the last part of a recording.
    case ended(generation: UInt32, atLimit: Bool, endsBook: Bool? = nil)
    /// Everything was heard up to the position at which the sleep timer ends the sound.
    ///
    /// `at` replaces the timer's own place if the item lacks the part in which that lies.
    case sleepPlaceReached(generation: UInt32, at: MediaPosition? = nil)
    /// The stream was paused, or closed, at this position.
    ///
    /// `nearEnd` is `true` if it is so close to the end of the item that it counts as heard.
    case silenced(generation: UInt32, heard: MediaPosition?, nearEnd: Bool? = nil)
    /// The stream was lost; `isDeviceGone` is `true` if the server is there, but not the device that was used.
    case outputFailed(PlaybackError, isDeviceGone: Bool, heard: MediaPosition?)
    /// The stream was closed for another output; `goesOn` is `true` if playback is to be opened there.
    case streamClosed(heard: MediaPosition?, goesOn: Bool)
    case interruption(began: Bool)
    /// The device that was used is gone, and the sound would come from elsewhere: unplugged headphones, a removed sink.
    case routeLost
    case routeReturned
    /// The position that is audible now, reported from time to time.
    case heard(generation: UInt32, MediaPosition)

    // From the clock.
    case clock(id: UInt64, heard: MediaPosition?)
    /// The last seconds of the sleep timer begin.
    case sleepFading(id: UInt64)
    case sleepDue(id: UInt64, heard: MediaPosition?)

    private enum LoadedCodingKeys: String, CodingKey {
        case generation, start
        case unitsPerSecond = "pace"
        case needsSeek, isRemote, cause
    }
}

/// A request of `play` or `read`, with the item found and its place looked up.
public struct PlayOrder: Sendable, Codable, Hashable {
    public var item: ItemReference
    public var engine: EngineID
    public var start: MediaPosition
    public var provenance: Provenance
    public var owner: OwnerID
    public var rate: Double?
    public var volume: Double?
    /// `true` if the owner from whom audio focus was taken gets it back, as it was, when this ends.
    public var handsBack: Bool
    /// The owner's previous position in the item, if `start` is another one.
    public var left: MediaPosition?
    /// The reported cause of the jump to it.
    public var cause: Jump.Cause
    /// The change to the other side of the work that plays; `nil` for any other item.
    public var change: WorkChange?
    /// `true` if ``PlaybackEvent/lookUp(id:owner:subject:)`` announced the command, which is dropped if that was given
    /// up.
    ///
    /// `nil` if the item was known; also in logs of earlier versions, which have no such events.
    public var wasLookedUp: Bool?

    public init(
        item: ItemReference, engine: EngineID, start: MediaPosition, provenance: Provenance, owner: OwnerID,
        rate: Double? = nil, volume: Double? = nil, handsBack: Bool = false, left: MediaPosition? = nil,
        cause: Jump.Cause = .play, change: WorkChange? = nil, wasLookedUp: Bool? = nil
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
        self.change = change
        self.wasLookedUp = wasLookedUp
    }
}

/// A move to another position, of an owner in an item.
public struct SeekOrder: Sendable, Codable, Hashable {
    public var target: MediaPosition
    /// The owner; `nil` for the one that has audio focus.
    public var owner: OwnerID?
    /// The item; `nil` for the present one.
    public var uri: String?
    /// The position that was audible when the command came.
    public var heard: MediaPosition?
    public var cause: Jump.Cause
    /// The command that was announced; `nil` if the seek is made at once.
    ///
    /// ``PlaybackEvent/locate(id:owner:uri:)`` or ``PlaybackEvent/lookUp(id:owner:subject:)`` announces it, and the seek is
    /// dropped if that was given up.
    public var id: UInt64?

    public init(
        to target: MediaPosition, owner: OwnerID? = nil, uri: String? = nil, heard: MediaPosition? = nil,
        cause: Jump.Cause = .seek, id: UInt64? = nil
    ) {
        self.target = target
        self.owner = owner
        self.uri = uri
        self.heard = heard
        self.cause = cause
        self.id = id
    }
}
