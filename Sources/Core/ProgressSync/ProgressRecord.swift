// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// A listener's place in a book or an episode, and whether it is finished.
public struct ProgressRecord: Sendable, Codable, Hashable {
    /// The place in the whole book.
    public var milliseconds: Int64
    public var isFinished: Bool
    /// Milliseconds since 1970 by the server's clock.
    public var updatedAt: Int64
    /// The way in which the place came about; `restored` if it was taken from the server.
    public var provenance: Provenance
    /// The device on which the place was heard or chosen, if that is known.
    public var device: String?

    public init(
        milliseconds: Int64, isFinished: Bool = false, updatedAt: Int64, provenance: Provenance, device: String? = nil
    ) {
        self.milliseconds = milliseconds
        self.isFinished = isFinished
        self.updatedAt = updatedAt
        self.provenance = provenance
        self.device = device
    }

    /// `true` if somebody heard or chose this place here, so that a server may be told of it.
    ///
    /// Nobody can have heard 0: it is where a failed look-up, an unfinished load and a torn down player are.
    public var isHonest: Bool {
        switch provenance {
        case .heard: milliseconds > 0
        case .user: milliseconds >= 0
        case .restored, .estimated, .unknown: false
        }
    }

    /// Returns `true` if two records say the same, whoever said it and when.
    public func says(_ other: ProgressRecord) -> Bool {
        milliseconds == other.milliseconds && isFinished == other.isFinished
    }
}

/// The answer of a server that was asked for its record.
public enum RemoteProgress: Sendable, Codable, Hashable {
    /// The server has not answered: it may have a record.
    case unknown
    /// The server has answered, and has no record: the book is new there.
    case absent
    case record(ProgressRecord)

    public var record: ProgressRecord? {
        if case .record(let record) = self { record } else { nil }
    }
}
