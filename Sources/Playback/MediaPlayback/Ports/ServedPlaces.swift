// SPDX-License-Identifier: Apache-2.0

public import ProgressSync

/// A place of a server's item, as the session has it.
public struct ServedPlace: Sendable, Hashable {
    public var item: ServedItem
    /// The place, with the time of this machine's clock.
    public var record: ProgressRecord
    /// The length of the item in milliseconds; 0 if it is not known.
    public var length: Int64
    public var isPlaying: Bool
    /// `true` behind a pause, a stop, a seek and the end: the server is told at once.
    public var isUrgent: Bool

    public init(item: ServedItem, record: ProgressRecord, length: Int64, isPlaying: Bool, isUrgent: Bool) {
        self.item = item
        self.record = record
        self.length = length
        self.isPlaying = isPlaying
        self.isUrgent = isUrgent
    }
}

/// The exchange of places with servers, as far as playback needs it.
public protocol ServedPlaces: Sendable {
    /// Notes a place, in the order of the calls; it does not wait.
    func note(_ place: ServedPlace)

    /// Notes a time of listening, which may have grown since; it does not wait.
    func note(_ span: ListeningSpan, of item: ServedItem)

    /// Returns where an item goes on, after its server was asked.
    func resumption(of item: ServedItem) async -> ProgressState.Resumption
}
