// SPDX-License-Identifier: Apache-2.0

/// A time of listening as a server gets it; it can be sent any number of times.
public struct ListeningSession: Sendable, Codable, Hashable {
    /// A UUID that this machine has made, by which the server recognises the session.
    public var id: String
    public var item: ServedItem
    public var title: String
    /// Milliseconds since 1970 by this machine's clock, which is corrected when the session is sent.
    public var began: Int64
    public var ended: Int64
    /// The places in the whole book, in milliseconds.
    public var from: Int64
    public var to: Int64

    public init(id: String, item: ServedItem, title: String, began: Int64, ended: Int64, from: Int64, to: Int64) {
        self.id = id
        self.item = item
        self.title = title
        self.began = began
        self.ended = ended
        self.from = from
        self.to = to
    }

    /// The time that was listened for.
    public var listened: Int64 { max(0, ended - began) }

    /// Returns the session as it is sent beside the server's record.
    ///
    /// A session that is as new as the record would move it, so it is always told as an older one.
    public func reported(beside record: ProgressRecord, by clock: ClockCorrection) -> ListeningSession {
        var session = self
        session.ended = min(clock.corrected(ended), record.updatedAt - 1)
        session.began = session.ended - listened
        return session
    }
}
