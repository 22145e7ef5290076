// SPDX-License-Identifier: Apache-2.0

public import BookTimeline
public import PlaybackCore

/// A jump of the user, as it is stored.
public struct HistoryEntry: Sendable, Hashable {
    /// The id that the store assigns; a greater one is newer.
    ///
    /// 0 while the store has not recorded the jump.
    public var id: Int64
    /// Wall clock, milliseconds since 1970.
    public var at: Int64
    public var jump: Jump
    /// The book times of both ends of the jump; `nil` if they were not known then.
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

/// A passage of an item that was listened to without a break.
public struct ListeningSpan: Sendable, Hashable {
    public var uri: String
    public var title: String
    /// Wall clock, milliseconds since 1970.
    public var began: Int64
    public var ended: Int64
    public var from: MediaPosition
    public var to: MediaPosition
    /// The book times of both ends; `nil` if they were not known then.
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

/// Keeps what the user did: jumps, which can be undone, and passages listened to.
///
/// Calls are carried out like those of a ``PlaceStore``.
public protocol HistoryStore: Sendable {
    func record(_ entry: HistoryEntry) async throws(PlaceStoreError)

    /// Returns the latest jumps, the newest first.
    func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry]

    /// Returns the newest jump that was not undone and is not itself an undo.
    func lastJump() async throws(PlaceStoreError) -> HistoryEntry?

    /// Marks a jump that this store returned, so that it is not undone again.
    func markUndone(_ entry: HistoryEntry) async throws(PlaceStoreError)

    /// Records a span; it replaces the one of the same item with the same beginning, which it extends.
    func record(_ span: ListeningSpan) async throws(PlaceStoreError)

    /// Returns the latest spans, the newest first.
    func spans(limit: Int) async throws(PlaceStoreError) -> [ListeningSpan]
}
