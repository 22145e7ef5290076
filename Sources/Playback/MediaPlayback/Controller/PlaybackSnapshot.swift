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
    /// Outputs that were given up because they did not answer, and are still stuck.
    public var hungOutputs = 0
    public var sleep: SleepView?
    public var sound = SoundOptions()
    /// What went wrong beside the playing, in one line: a place that cannot be saved.
    public var warning: String?
    /// Of an owner who does not hold the stage: what is his own.
    public var aside: (owner: OwnerID, view: OwnerView)?
    /// What was open lately: an owner who is off the stage can have his place in it.
    var known = KnownMedia()

    /// What one owner sees: the stage while he holds it, else what is his own.
    public func seen(by owner: OwnerID?) -> PlaybackSnapshot {
        guard let owner, owner != state.owner else { return self }
        let view = state.view(of: owner)
        var aside = self
        aside.aside = (owner, view)
        aside.position = view.playing?.position
        aside.provenance = view.playing?.provenance ?? .unknown
        aside.media = view.playing.flatMap { known[$0.item.uri] }
        aside.isSessionActive = false
        return aside
    }
}
