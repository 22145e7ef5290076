// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// The intent of the user.
public enum Intent: String, Sendable, Codable, Hashable, CaseIterable {
    case play
    case pause
    case stop
}

/// The condition of the engine.
public enum Phase: String, Sendable, Codable, Hashable {
    /// Nothing is open; an item that is named anyway was there before another one could not be opened.
    case idle
    /// The engine opens the item.
    case loading
    /// The item is open; sound can begin, or has begun.
    case ready
    /// The item was heard to its end.
    case ended
    /// Playback failed for good; the item is still named, with its position.
    case failed
}

/// Everything that decisions depend on.
public struct PlaybackState: Sendable, Codable, Hashable {
    public internal(set) var intent = Intent.stop
    public internal(set) var phase = Phase.idle
    public internal(set) var suppressions: Suppressions = []
    /// The number of seeks and loads; results of older generations are dropped.
    public internal(set) var generation: UInt32 = 0
    public internal(set) var loaded = LoadedItem()
    public internal(set) var output = OutputState()
    public internal(set) var recovery = Recovery()
    public internal(set) var focus = AudioFocus()
    public internal(set) var memory = PlaceMemory()
    public internal(set) var sleeping = SleepState()
    public internal(set) var watchdog = Watchdog()
    public internal(set) var commands = WaitingCommands()
    public internal(set) var sound = SoundSettings()
    public internal(set) var error: PlaybackError?
    public internal(set) var rules = PlaybackRules()

    public init() {}

    public enum Status: String, Sendable, Codable, Hashable {
        case idle, loading, ready, playing, paused, ended, error
    }

    public var suppression: Suppression? { suppressions.first }

    /// `true` if the state comes from a log of a version that kept less about loads; decisions follow that version.
    var isOfOlderLog: Bool { focus.hasTakenFocus == nil }

    /// The published status, which is derived and never stored.
    public var status: Status {
        switch phase {
        case .idle: return current == nil ? .idle : .paused
        // A load that nobody waits for does not show as loading.
        case .loading: return intent == .play ? .loading : .paused
        case .failed: return .error
        case .ended: return .ended
        case .ready:
            guard intent == .play else { return stream == .closed && attempt == 0 && !wasHeard ? .ready : .paused }
            if !suppressions.isEmpty { return .paused }
            return stream == .sounding ? .playing : .loading
        }
    }

    public var isPlaying: Bool { status == .playing }

    /// `true` if an owner listens, or will as soon as a hold is over (a call, a claim, unplugged headphones) or an item is
    /// found.
    public var isInUse: Bool {
        intent == .play && (phase == .loading || phase == .ready) || held.contains(where: \.isPlaying)
            || isComing(nil) && lookUp?.isHeld == false
    }

    /// Returns `true` if an item of this owner is being looked up; `nil` stands for any owner.
    public func isComing(_ owner: OwnerID?) -> Bool { lookUp?.subject == nil && isLookedUp(for: owner) }

    /// Returns `true` if a command of this owner is being looked up; `nil` stands for any owner.
    public func isLookedUp(for owner: OwnerID?) -> Bool {
        lookUp.map { owner == nil || owner == $0.owner } ?? false
    }

    /// `true` if the present item has been heard in this session.
    private var wasHeard: Bool { current?.provenance == .heard }

    /// `true` if a stream that is opened now opens silent, because something holds it.
    public var opensSilent: Bool { !suppressions.lasting.isEmpty }

    /// `true` if the place of the named item could not be looked up.
    ///
    /// It is not known where the item is to start, and it starts nowhere before that is known.
    public var isUnlocated: Bool { phase == .failed && loaded.lookUpFailed && current?.provenance == .unknown }

    /// The state of each owner without audio focus, and the one that the owner with focus had before it took that.
    public var playbacksWithoutFocus: [OwnerPlayback] { held + (focus.reclaimed.map { [$0.playback] } ?? []) }

    /// `true` if sound is wanted and nothing holds it.
    var wantsSound: Bool { intent == .play && suppressions.isEmpty }

    /// Returns the items of an owner without audio focus, starting with the one that its `play` takes.
    public func places(of owner: OwnerID) -> [Playing] {
        let own = held.last { $0.owner == owner }?.playing
        return (own.map { [$0] } ?? []) + lastItems(of: owner)
    }

    /// Returns the last item of each kind of an owner, the latest first.
    public func lastItems(of owner: OwnerID) -> [Playing] {
        let last = memory.lastKinds?[owner] ?? .audio
        return ([last] + ContentKind.allCases.filter { $0 != last }).compactMap { memory.items[owner]?[$0] }
    }

    /// Returns what one owner sees: the session's playback while it has audio focus, else its own state.
    public func view(of owner: OwnerID) -> OwnerView {
        if owner == self.owner {
            return OwnerView(
                hasFocus: true, playing: current, status: status, rate: rate, volume: volume,
                suppression: suppression)
        }
        if let held = held.last(where: { $0.owner == owner }) {
            return OwnerView(
                hasFocus: false, playing: held.playing, status: held.playing == nil ? .idle : .paused,
                rate: held.rate, volume: held.volume ?? held.loudness ?? volume,
                suppression: held.isPlaying ? .owner : nil)
        }
        let own = places(of: owner).first
        return OwnerView(
            hasFocus: false, playing: own, status: own == nil ? .idle : .paused, rate: 1, volume: volume,
            suppression: nil)
    }
}
