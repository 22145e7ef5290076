// SPDX-License-Identifier: Apache-2.0

/// Audio focus: the owner that has it, and those from whom it was taken.
public struct AudioFocus: Sendable, Codable, Hashable {
    public internal(set) var owner = OwnerID.main
    /// See ``PlayOrder/handsBack``.
    public internal(set) var handsBack = false
    /// `true` while an item is being opened for which audio focus was taken; if opening fails, focus goes back.
    ///
    /// `nil` if it is unknown, in a log of an older version; there focus goes to whoever lost it last.
    public internal(set) var hasTakenFocus: Bool? = false
    /// The state of the owner with focus from before it took focus for the item that is being opened.
    public internal(set) var reclaimed: ReclaimedFocus?
    /// The owners from whom audio focus was taken, the last one last.
    public internal(set) var held: [OwnerPlayback] = []
}

/// An owner from whom audio focus was taken, and what it gets back.
public struct OwnerPlayback: Sendable, Codable, Hashable {
    public var owner: OwnerID
    public var playing: Playing?
    public var rate: Double
    /// The volume to return to; `nil` if nothing that plays now brought a volume of its own.
    public var volume: Double?
    /// `true` if the owner was playing, or was about to.
    public var isPlaying: Bool
    /// See ``PlayOrder/handsBack``.
    public var handsBack: Bool
    /// The holds since the owner lost audio focus; with any but an outage, it is not handed back playing.
    public var holds: Suppressions?
    /// The item that the owner had before the one that was being opened for it, in case opening fails.
    public var displaced: Playing?
    /// The owner's volume; `nil` if it is unknown, in a log of an older version.
    public var loudness: Double?

    mutating func note(_ hold: Suppressions, _ holds: Bool) {
        var all = self.holds ?? []
        if holds { all.insert(hold) } else { all.remove(hold) }
        self.holds = all.isEmpty ? nil : all
    }
}

/// The state that an owner had kept without audio focus before it took focus with something else.
public struct ReclaimedFocus: Sendable, Codable, Hashable {
    public var playback: OwnerPlayback
    /// Its place among the owners without focus.
    public var index: Int

    private enum CodingKeys: String, CodingKey {
        case index
        /// The key that the log has had since schema 3.
        case playback = "stage"
    }
}
