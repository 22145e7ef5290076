// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// The playback whose place is kept.
public struct JournalSubject: Sendable, Hashable {
    public var owner: OwnerID
    public var uri: String
    public var kind: ContentKind
    public var engine: EngineID
    /// The generation of this playback; places of other generations do not belong to it.
    public var generation: UInt32
    /// The place before which nothing was heard, whatever is measured there.
    ///
    /// It protects the saved place right after a resume.
    public var floor: MediaPosition?
    /// The tracks as the engine describes them: nothing beyond the exact end of one can be heard.
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

/// Keeps the audible position several times a second during playback.
///
/// A crash or a power cut then costs a quarter of a second instead of everything since the last save.
public protocol PlaceJournal: Sendable {
    /// Keeps the place of this subject from now on, as `feed` reports it.
    ///
    /// The subject is `nil` if nothing sounds; nothing is written then. What was kept stands until the library has a
    /// later place of the same item.
    func follow(_ subject: JournalSubject?, feed: HeardFeed) async

    /// Keeps a place that is on its way to the library, where other work may come first.
    ///
    /// It stands until the library has it. A subject of a generation other than `generation` is no longer followed,
    /// because its audible positions are older than this place.
    func keep(_ place: SavedPlace, generation: UInt32) async
}
