// SPDX-License-Identifier: Apache-2.0

/// The clips that a list is to have.
public struct ClipQuery: Sendable, Hashable {
    public enum Order: String, Sendable, Hashable {
        /// The order of the sources, and of the places in each.
        case book
        /// The order of making, the newest first.
        case made
    }

    /// The largest number of clips in one list.
    public static let mostClips = 500

    /// The URI of the source; `nil` for all.
    public var uri: String?
    /// Words that each must occur in the note, the tags, the title or the author, in any case.
    public var words: [String] = []
    /// The time of making: wall clock, milliseconds since 1970.
    public var since: Int64?
    public var until: Int64?
    public var order = Order.book
    public var offset = 0
    public var limit = mostClips

    public init() {}
}

/// The result of a look-up by the beginning of an id.
public enum ClipLookup: Sendable, Hashable {
    case found(Clip)
    case none
    /// Several ids begin like this; the first ones.
    case ambiguous([String])
}

/// Keeps clips.
///
/// Calls are carried out like those of a ``PlaceStore``. Each change is one transaction, and is on the disk when the
/// call returns.
public protocol ClipStore: Sendable {
    /// Returns the clip whose id is, or begins with, these letters and digits.
    func clip(id: String) async throws(PlaceStoreError) -> ClipLookup

    func clips(_ query: ClipQuery) async throws(PlaceStoreError) -> [Clip]

    /// Adds a clip.
    ///
    /// Its id is kept if it has one that is free, so that an import brings ids back.
    /// - Returns: The clip with its id.
    func add(_ clip: Clip) async throws(PlaceStoreError) -> Clip

    /// Replaces the bounds, the note, the tags and the time of change of a clip.
    ///
    /// A file of its own stays, although the bounds may differ: ``setFile(_:of:)`` replaces it.
    /// - Parameter before: The clip as the caller knew it; if it is another by now, nothing happens.
    func change(_ clip: Clip, from before: Clip) async throws(PlaceStoreError) -> ClipChange

    /// Sets the file of a clip.
    ///
    /// - Parameter clip: The clip as it was when its file was made. If its bounds have changed since, or a
    ///   file of its source was found to be gone, nothing happens.
    /// - Returns: The name of the file that the clip had before, or `nil` if it had none; the outcome says whether the
    ///   new file is the clip's.
    func setFile(_ file: ClipFile?, of clip: Clip) async throws(PlaceStoreError) -> ClipFileChange

    /// Removes a clip.
    ///
    /// - Returns: The clip as it was; `nil` if there is none.
    func removeClip(id: String) async throws(PlaceStoreError) -> Clip?

    /// Returns the names of the files that clips have.
    func clipFiles() async throws(PlaceStoreError) -> Set<String>
}

/// The outcome of changing a clip.
public enum ClipChange: Sendable, Hashable {
    case done
    /// Somebody else has changed the clip; it is to be read again.
    case overtaken
    /// There is no such clip.
    case gone
}

/// The outcome of setting the file of a clip.
public struct ClipFileChange: Sendable, Hashable {
    /// `true` if the clip has the new file now.
    public var isSet: Bool
    /// The file that no clip has any more.
    public var dropped: String?

    public init(isSet: Bool, dropped: String? = nil) {
        self.isSet = isSet
        self.dropped = dropped
    }
}
