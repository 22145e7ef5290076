// SPDX-License-Identifier: Apache-2.0

public import AudioSession
public import BookTimeline
public import PlaybackCore

/// The published status: the machine's state, and what is audible at one moment.
public struct PlaybackSnapshot: Sendable {
    public var state: PlaybackState
    /// The audible position; `nil` without an item.
    public var position: MediaPosition?
    public var provenance: Provenance
    /// The open item; `nil` until the engine has opened it.
    public var media: LoadedMedia?
    public var isSessionActive: Bool
    public var route: Route?
    /// The number of outputs that were given up because they did not answer, and are still stuck.
    public var hungOutputs = 0
    public var sleep: SleepView?
    public var sound = SoundOptions()
    /// A problem beside playback, in one line, such as a place that cannot be saved.
    public var warning: String?
    /// The reason why places are not saved; `nil` if they are.
    public var saveFault: String?
    /// The own view of an owner that does not have audio focus.
    public var aside: (owner: OwnerID, view: OwnerView)?
    /// The items that were open recently; an owner without audio focus can have a place in them.
    var known = KnownMedia()
    /// `true` once the library has told what was played last.
    public var isRestored = false
    /// The forecast of the output, while it reports sound of this state.
    var feed: HeardFeed?

    /// The audible position from now on, until the state changes.
    public var audible: AudiblePosition {
        AudiblePosition(feed: feed, generation: state.generation, timeline: media?.timeline, known: position)
    }

    /// Returns what one owner sees: what has audio focus while that is its own, or else its own view.
    public func seen(by owner: OwnerID?) -> PlaybackSnapshot {
        guard let owner, owner != state.owner else { return self }
        let view = state.view(of: owner)
        var aside = self
        aside.aside = (owner, view)
        aside.position = view.playing?.position
        aside.provenance = view.playing?.provenance ?? .unknown
        aside.media = view.playing.flatMap { known[$0.item.uri] }
        aside.isSessionActive = false
        aside.feed = nil
        return aside
    }
}
