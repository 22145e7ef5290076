// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The places of items that are not loaded now.
public struct PlaceMemory: Sendable, Codable, Hashable {
    /// The last item of each kind of each owner.
    public internal(set) var items: [OwnerID: [ContentKind: Playing]] = [:]
    /// The kind of each owner's last item.
    ///
    /// `nil` if it is unknown, in a log of an older version; there audio counts as later.
    public internal(set) var lastKinds: [OwnerID: ContentKind]? = [:]
    /// Items that were left, whose last heard position is still to come from the output.
    public internal(set) var leaving: [UInt32: Leaving] = [:]
}

/// An item that was left, with its owner.
public struct Leaving: Sendable, Codable, Hashable {
    public var owner: OwnerID
    public var playing: Playing
    public var floor: MediaPosition?
    /// The units of a second of the item.
    public var unitsPerSecond: Double

    private enum CodingKeys: String, CodingKey {
        case owner, playing, floor
        case unitsPerSecond = "pace"
    }

    /// The position that was heard when the item was left, which is all that is known if its output fails.
    var heardPlace: MediaPosition? { playing.provenance == .heard ? playing.position : nil }
}
