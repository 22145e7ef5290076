// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The item that is loaded, or about to be, and what is known of it.
public struct LoadedItem: Sendable, Codable, Hashable {
    public internal(set) var playing: Playing?
    /// `true` if some of the item's bytes come from a server, which is certain once it is open.
    public internal(set) var isRemote = false
    /// A position that was requested while the item was loading, applied as soon as it is open.
    public internal(set) var pendingSeek: MediaPosition?
    /// See ``PlaybackState/isUnlocated``.
    public internal(set) var lookUpFailed = false
    /// The furthest position of this item that was heard or chosen.
    public internal(set) var floor: MediaPosition?
    /// The units of a second at the start of the item that was open last.
    public internal(set) var unitsPerSecond = 0.0
    /// The item before the one that is being opened, in case opening fails.
    public internal(set) var displaced: Playing?
    /// The jump to the item that is being opened; it is made once that is open.
    public internal(set) var pendingJump: Jump?
    /// The move within the item that is being opened for ``pendingJump``, from where it was to start.
    public internal(set) var pendingMove: Jump?
    /// The move from the place at which the item was left; it comes before ``pendingJump``, which leads from the other side
    /// of the work.
    public internal(set) var pendingReturn: Jump?
    /// The error with which the item could not be opened, while something else is looked for in its place.
    public internal(set) var unopened: PlaybackError?

    private enum CodingKeys: String, CodingKey {
        case playing, isRemote, pendingSeek, lookUpFailed, floor
        case unitsPerSecond = "pace"
        case displaced, pendingJump, pendingMove, pendingReturn, unopened
    }
}
