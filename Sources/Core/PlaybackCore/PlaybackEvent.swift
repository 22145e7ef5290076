// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// Something that happened: a command, or the result of an effect.
///
/// Results name the generation that they belong to.
public enum PlaybackEvent: Sendable, Codable, Hashable {
    // Commands. `id` is the command that the event came with.
    case play(id: UInt64, PlayOrder)
    case resume(id: UInt64)
    case pause
    case toggle(id: UInt64)
    case stop
    /// `from` is what was audible when the command came, if anything was.
    case seek(to: MediaPosition, from: MediaPosition?)
    /// `byEngine`: the engine changes its rate itself, and must render anew from what is audible.
    case setRate(Double, heard: MediaPosition?, byEngine: Bool)
    case setVolume(Double)
    /// `kinds` is what that engine can load, by its manifest.
    case switchEngine(id: UInt64, EngineID, kinds: [ContentKind], heard: MediaPosition?)
    /// What the library remembers of an owner, read once.
    case restored(owner: OwnerID, [Playing])

    // From the engine.
    /// `start` differs from what was asked for if that could only be worked out after opening.
    case loaded(generation: UInt32, start: MediaPosition)
    case loadFailed(generation: UInt32, PlaybackError)
    case engineFailed(generation: UInt32, PlaybackError, heard: MediaPosition?)
    /// The process of the engine is gone; it may be started again.
    case engineGone(generation: UInt32, PlaybackError, heard: MediaPosition?)

    // From the output.
    case streamOpened(generation: UInt32)
    case streamFailed(generation: UInt32, PlaybackError)
    case started(generation: UInt32)
    case starved(generation: UInt32)
    /// `atLimit`: where the listener wanted it to end, not the end of the item.
    case ended(generation: UInt32, atLimit: Bool)
    /// The stream was paused, or closed, at this place.
    case silenced(generation: UInt32, heard: MediaPosition?)
    /// The stream was lost.
    case outputFailed(PlaybackError, heard: MediaPosition?)
    case interruption(began: Bool)
    /// What is audible now, told now and then.
    case heard(generation: UInt32, MediaPosition)
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

    public init(
        item: ItemReference, engine: EngineID, start: MediaPosition, provenance: Provenance, owner: OwnerID,
        rate: Double? = nil, volume: Double? = nil
    ) {
        self.item = item
        self.engine = engine
        self.start = start
        self.provenance = provenance
        self.owner = owner
        self.rate = rate
        self.volume = volume
    }
}

/// Something to do, decided by the machine and carried out by the controller.
public enum PlaybackEffect: Sendable, Codable, Hashable {
    /// Reach the output while the engine starts.
    case connectOutput
    /// Open the item, starting the engine if need be; answer with `loaded` or `loadFailed`.
    case load(generation: UInt32, Playing, rate: Double)
    /// Go to another place in what is loaded.
    case seek(generation: UInt32, MediaPosition)
    /// Take the stage with what is loaded; answer with `streamOpened` or `streamFailed`.
    case openStream(generation: UInt32)
    /// Fade out and keep the stream; answer with `silenced`.
    case pauseStream(generation: UInt32)
    case resumeStream
    /// Fade out and give the stream up; answer with `silenced`.
    case closeStream(generation: UInt32)
    case setRate(Double)
    case setVolume(Double)
    /// Drop the item; the engine may end when it has been idle.
    case unload(EngineID)
    /// `finished` says that it was heard to its end.
    case savePlace(OwnerID, Playing, finished: Bool, durably: Bool)
    case rememberItem(OwnerID, Playing)
    /// The command has been carried out, or has failed.
    case reply(id: UInt64, PlaybackError?)
    /// Players attached to this item (nil: all) are told that it is over.
    case finished(uri: String?, PlaybackError?)
    /// There is nothing like that to play.
    case nothingToPlay(id: UInt64)
}
