// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// What is listened to, as far as its place is concerned.
public struct JournalSubject: Sendable, Hashable {
    public var owner: OwnerID
    public var uri: String
    public var kind: ContentKind
    public var engine: EngineID
    /// Places of other generations are not of this listening.
    public var generation: UInt32
    /// What is measured before this place, nobody heard (document 000, “Resume protection”).
    public var floor: MediaPosition?
    /// What the engine says of the tracks: nothing beyond the exact end of one can be heard.
    public var tracks: [TimelineTrack]

    public init(
        owner: OwnerID, uri: String, kind: ContentKind, engine: EngineID, generation: UInt32, floor: MediaPosition?,
        tracks: [TimelineTrack] = []
    ) {
        self.owner = owner
        self.uri = uri
        self.kind = kind
        self.engine = engine
        self.generation = generation
        self.floor = floor
        self.tracks = tracks
    }
}

/// Keeps the audible place several times a second while something plays, so that a crash or a power cut costs a
/// quarter of a second, and not what was heard since the last save.
public protocol PlaceJournal: Sendable {
    /// From now on the place of this subject is kept, as `feed` tells it; nil: nothing sounds, and nothing is written.
    ///
    /// What was kept stands until the library has a later place of the same item.
    func follow(_ subject: JournalSubject?, feed: HeardFeed) async

    /// Keeps a place that is on its way to the library, where other work may be before it.
    ///
    /// It stands until the library has it. A subject of another generation than `generation` is followed no longer: what it
    /// was heard at is older than this place.
    func keep(_ place: SavedPlace, generation: UInt32) async
}
