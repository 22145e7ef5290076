// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// The published status: the machine's state, and what is audible at one moment.
public struct PlaybackSnapshot: Sendable {
    public var state: PlaybackState
    /// nil without an item.
    public var position: MediaPosition?
    public var provenance: Provenance
    /// nil until the engine has opened the item.
    public var media: LoadedMedia?
    public var isSessionActive: Bool
    public var route: Route?
    public var sleep: SleepView?
    public var sound = SoundOptions()
    /// What went wrong beside the playing, in one line: a place that cannot be saved.
    public var warning: String?
    /// Of an owner who does not hold the stage: what is his own.
    public var aside: (owner: OwnerID, view: OwnerView)?
}
