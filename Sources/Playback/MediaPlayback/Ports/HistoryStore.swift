// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// A jump of the listener, as it is kept.
public struct HistoryEntry: Sendable, Hashable {
    /// Given by the store; greater is newer.
    public var id: Int64
    /// Wall clock, milliseconds since 1970.
    public var at: Int64
    public var jump: Jump
    /// Book time; nil: it was not known then.
    public var fromMilliseconds: Int64?
    public var toMilliseconds: Int64?
    public var isUndone: Bool

    public init(
        id: Int64 = 0, at: Int64, jump: Jump, fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil,
        isUndone: Bool = false
    ) {
        self.id = id
        self.at = at
        self.jump = jump
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
        self.isUndone = isUndone
    }
}

/// A piece of an item that was listened to without a break.
public struct ListeningSpan: Sendable, Hashable {
    public var uri: String
    public var title: String
    /// Wall clock, milliseconds since 1970.
    public var began: Int64
    public var ended: Int64
    public var from: MediaPosition
    public var to: MediaPosition
    /// Book time; nil: it was not known then.
    public var fromMilliseconds: Int64?
    public var toMilliseconds: Int64?

    public init(
        uri: String, title: String, began: Int64, ended: Int64, from: MediaPosition, to: MediaPosition,
        fromMilliseconds: Int64? = nil, toMilliseconds: Int64? = nil
    ) {
        self.uri = uri
        self.title = title
        self.began = began
        self.ended = ended
        self.from = from
        self.to = to
        self.fromMilliseconds = fromMilliseconds
        self.toMilliseconds = toMilliseconds
    }
}

/// Keeps what the listener did: jumps, which can be taken back, and what was listened to.
///
/// Calls are carried out like those of a ``PlaceStore``.
public protocol HistoryStore: Sendable {
    func record(_ entry: HistoryEntry) async throws(PlaceStoreError)

    /// The newest first.
    func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry]

    /// The newest jump that was not taken back, and is not itself the taking back of one.
    func lastJump() async throws(PlaceStoreError) -> HistoryEntry?

    func markUndone(_ id: Int64) async throws(PlaceStoreError)

    /// Replaces the one of this item that began then, of which it is more.
    func record(_ span: ListeningSpan) async throws(PlaceStoreError)

    /// The newest first.
    func spans(limit: Int) async throws(PlaceStoreError) -> [ListeningSpan]
}
