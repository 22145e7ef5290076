// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// Where an owner was in an item, and how it was played.
public struct SavedPlace: Sendable, Hashable {
    public var owner: OwnerID
    /// The clean URI of the content; with the owner, the key.
    public var uri: String
    public var kind: ContentKind
    public var engine: EngineID
    public var position: MediaPosition
    public var provenance: Provenance
    /// Heard to its end: playing it again begins at 0.
    public var finished: Bool
    /// nil: the default.
    public var rate: Double?
    /// nil: the default.
    public var voice: String?
    /// nil: the default.
    public var volume: Double?
    /// Wall clock, milliseconds since 1970.
    public var updatedAt: Int64

    public init(
        owner: OwnerID, uri: String, kind: ContentKind, engine: EngineID, position: MediaPosition,
        provenance: Provenance, finished: Bool = false, rate: Double? = nil, voice: String? = nil,
        volume: Double? = nil, updatedAt: Int64
    ) {
        self.owner = owner
        self.uri = uri
        self.kind = kind
        self.engine = engine
        self.position = position
        self.provenance = provenance
        self.finished = finished
        self.rate = rate
        self.voice = voice
        self.volume = volume
        self.updatedAt = updatedAt
    }
}

/// What a look-up of a place finds.
///
/// A look-up that failed is not an empty one: the place may exist, and must not be
/// replaced by 0.
public enum PlaceLookup: Sendable, Hashable {
    case progress(SavedPlace)
    /// Nothing was ever saved for this item and owner.
    case empty
    case failed(PlaceStoreError)
}

/// The item that an owner played last, of one kind of content.
public struct LastItem: Sendable, Hashable {
    public var owner: OwnerID
    public var kind: ContentKind
    public var uri: String
    /// What to resolve again to open it: `ResolvedItem.items`.
    public var items: [String]
    public var engine: EngineID
    public var title: String?
    /// Wall clock, milliseconds since 1970.
    public var updatedAt: Int64

    public init(
        owner: OwnerID, kind: ContentKind, uri: String, items: [String], engine: EngineID, title: String?,
        updatedAt: Int64
    ) {
        self.owner = owner
        self.kind = kind
        self.uri = uri
        self.items = items
        self.engine = engine
        self.title = title
        self.updatedAt = updatedAt
    }
}

/// A failure of the store; what was saved before is still there.
public struct PlaceStoreError: Error, Sendable, Hashable {
    public enum Reason: String, Sendable {
        /// The store does not take this: a place that was neither heard nor chosen.
        case refused
        /// Cannot be opened or written now: permissions, a missing folder, a device.
        case unavailable
        case diskFull
        /// Made by a newer version; nothing is written to it.
        case newerSchema
        /// Not done within its deadline; a save may still be carried out later.
        case timedOut
    }

    public var reason: Reason
    /// One line for a person.
    public var message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }
}

/// A setting of the session that outlives it.
public struct SettingKey: RawRepresentable, Sendable, Hashable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The id of the engine that was chosen last.
    public static let selectedEngine = SettingKey(rawValue: "engine.selected")
    public static let rate = SettingKey(rawValue: "rate")
    public static let volume = SettingKey(rawValue: "volume")
    /// What the listener chose of how things sound.
    public static let sound = SettingKey(rawValue: "sound")
    /// A sleep timer that has not ended yet.
    public static let sleep = SettingKey(rawValue: "sleep")
}

/// Keeps places, the last items, and settings.
///
/// Every call is carried out in order on a thread of the store's own, and
/// returns within its deadline.
public protocol PlaceStore: Sendable {
    /// Opens the store if it is not open yet.
    ///
    /// Every other call does this too; calling it early takes it off the path of the first one.
    ///
    /// - Returns: what a person should be told, one line each, each once: a damaged file that was set aside, …
    func prepare() async -> [String]

    func place(of uri: String, owner: OwnerID) async -> PlaceLookup

    /// Replaces the place of `place.uri` and its owner.
    ///
    /// - Parameter durably: when this returns, the place survives a power cut (pause, seek, stop); else it survives
    ///   the end of the process (the periodic save).
    /// - Throws: `refused` if the provenance is not `heard` or `user`. What could not be written for another reason is known
    ///   to this session all the same, and is written with the next thing that can be.
    func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError)

    /// Sets how an item is listened to, if a place of it is saved; what is nil stays as it is.
    func remember(_ habit: ListeningHabit, of uri: String, owner: OwnerID) async throws(PlaceStoreError)

    func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem?

    func setLastItem(_ item: LastItem) async throws(PlaceStoreError)

    func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String?

    /// nil removes it.
    func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError)
}
