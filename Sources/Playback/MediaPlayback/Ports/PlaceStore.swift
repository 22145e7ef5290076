// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// The place of an owner in an item, and how it was played.
public struct SavedPlace: Sendable, Hashable {
    public var owner: OwnerID
    /// The clean URI of the content; together with the owner, it is the key.
    public var uri: String
    public var kind: ContentKind
    public var engine: EngineID
    public var position: MediaPosition
    public var provenance: Provenance
    /// `true` if the item was heard to its end; playing it again begins at 0.
    public var finished: Bool
    /// The rate; `nil` for the default.
    public var rate: Double?
    /// The voice; `nil` for the default.
    public var voice: String?
    /// The volume; `nil` for the default.
    public var volume: Double?
    /// Wall clock, milliseconds since 1970.
    public var updatedAt: Int64
    /// The words around the place in a text; `nil` if they are not known, or for a recording.
    ///
    /// A place that the journal has moved along since may be behind them.
    public var context: TextContext?

    public init(
        owner: OwnerID, uri: String, kind: ContentKind, engine: EngineID, position: MediaPosition,
        provenance: Provenance, finished: Bool = false, rate: Double? = nil, voice: String? = nil,
        volume: Double? = nil, updatedAt: Int64, context: TextContext? = nil
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
        self.context = context
    }
}

/// The result of a place look-up.
///
/// A failed look-up is not an empty one: the place may exist, and must not be replaced by 0.
public enum PlaceLookup: Sendable, Hashable {
    case progress(SavedPlace)
    /// Nothing was ever saved for this item and owner.
    case empty
    case failed(PlaceStoreError)
}

/// The item of one kind of content that an owner played last.
public struct LastItem: Sendable, Hashable {
    public var owner: OwnerID
    public var kind: ContentKind
    public var uri: String
    /// The items to resolve to open it again: `ResolvedItem.items`.
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
        /// The store does not accept the place, because it was neither heard nor chosen.
        case refused
        /// The store cannot be opened or written now: permissions, a missing folder, a device.
        case unavailable
        case diskFull
        /// The store was made by a newer version; nothing is written to it.
        case newerSchema
        /// The call missed its deadline; a save may still be carried out later.
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

/// A setting that outlives the session.
public struct SettingKey: RawRepresentable, Sendable, Hashable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The id of the engine that was chosen last.
    public static let selectedEngine = SettingKey(rawValue: "engine.selected")
    public static let rate = SettingKey(rawValue: "rate")
    public static let volume = SettingKey(rawValue: "volume")
    /// The sound options that the user chose.
    public static let sound = SettingKey(rawValue: "sound")
    /// The speed at which engines speak, as far as that was learned.
    public static let paces = SettingKey(rawValue: "paces")
    /// A sleep timer that has not ended yet.
    public static let sleep = SettingKey(rawValue: "sleep")
    /// A gap of a recording whose text is being read.
    public static let gap = SettingKey(rawValue: "gap")
    /// The folders whose changes the library takes up by itself.
    public static let watchedFolders = SettingKey(rawValue: "watched.folders")
}

/// Keeps places, the last items, and settings.
///
/// Calls are carried out in order on a thread of the store's own, and each returns within its deadline.
public protocol PlaceStore: Sendable {
    /// Opens the store if it is not open yet.
    ///
    /// Every other call does this too; an early call saves the first of them the time.
    ///
    /// - Returns: messages for the user, one line each and each only once, for example about a damaged file that was
    ///   set aside.
    func prepare() async -> [String]

    func place(of uri: String, owner: OwnerID) async -> PlaceLookup

    /// Replaces the place of `place.uri` and its owner.
    ///
    /// - Parameter durably: whether the place must survive a power cut when this returns (pause, seek, stop); otherwise
    ///   it survives only the end of the process (the periodic save).
    /// - Throws: `refused` if the provenance is not `heard` or `user`. A place that could not be written for another
    ///   reason is still known to this session, and is written with the next write that succeeds.
    func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError)

    /// Sets how an item is listened to, if a place of it is saved; what is `nil` stays as it is.
    func remember(_ preferences: ItemPreferences, of uri: String, owner: OwnerID) async throws(PlaceStoreError)

    func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem?

    func setLastItem(_ item: LastItem) async throws(PlaceStoreError)

    func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String?

    /// Sets a setting; `nil` removes it.
    func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError)
}
