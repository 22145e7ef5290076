// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

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

/// The state of the output for the present item.
public enum Stream: String, Sendable, Codable, Hashable {
    case closed
    case opening
    /// The stream is open, and nothing of the present generation was heard yet.
    case waiting
    case sounding
    /// An underrun: the engine is late, and there is silence where sound should be.
    case starved
    case paused
}

/// The reason why wanted sound is silenced.
public enum Suppression: String, Sendable, Codable, Hashable, CaseIterable {
    case interruption
    case routeLost
    case owner
    case sleep
}

/// All holds in force; sound resumes when there are none.
public struct Suppressions: OptionSet, Sendable, Codable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let interruption = Suppressions(rawValue: 1)
    public static let routeLost = Suppressions(rawValue: 2)
    /// The sleep timer ended the sound; the intent is pause until the user acts.
    public static let sleep = Suppressions(rawValue: 4)
    /// The sound server is gone and is being looked for; it is reported as a lost route.
    public static let outage = Suppressions(rawValue: 8)

    /// The holds that still silence the sound once a device is open.
    public var lasting: Suppressions { subtracting(.outage) }

    /// The hold that is reported; `nil` if there is none.
    public var first: Suppression? {
        contains(.interruption)
            ? .interruption : !isDisjoint(with: [.routeLost, .outage]) ? .routeLost : contains(.sleep) ? .sleep : nil
    }
}

/// One item, as far as the machine needs to know it.
public struct ItemReference: Sendable, Codable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var title: String
    /// The paths and URLs that open the item again; empty if nothing does (a pipe).
    ///
    /// They are not in the log, because a URL may hold a secret and no decision depends on them.
    public var items: [String] = []
    /// `true` if some of its bytes come from a server.
    public var isRemote: Bool

    private enum CodingKeys: String, CodingKey {
        case uri, kind, title, isRemote
    }

    public init(uri: String, kind: ContentKind, title: String, items: [String], isRemote: Bool? = nil) {
        self.uri = uri
        self.kind = kind
        self.title = title
        self.items = items
        self.isRemote = isRemote ?? ([uri] + items).contains { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    }
}

/// A failure in the form that the user sees: an exit code of `sysexits.h`, and one line.
public struct PlaybackError: Error, Sendable, Codable, Hashable {
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }
}

/// An item with an engine and a position in it.
public struct Playing: Sendable, Codable, Hashable {
    public var item: ItemReference
    public var engine: EngineID
    public var position: MediaPosition
    public var provenance: Provenance

    public init(item: ItemReference, engine: EngineID, position: MediaPosition, provenance: Provenance) {
        self.item = item
        self.engine = engine
        self.position = position
        self.provenance = provenance
    }
}

/// An item that was left, with its owner.
public struct Leaving: Sendable, Codable, Hashable {
    public var owner: OwnerID
    public var playing: Playing
    public var floor: MediaPosition?
    public var pace: Double

    /// The position that was heard when the item was left, which is all that is known if its output fails.
    var heardPlace: MediaPosition? { playing.provenance == .heard ? playing.position : nil }
}

/// An owner from whom audio focus was taken, and what it gets back.
public struct HeldStage: Sendable, Codable, Hashable {
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

/// What an owner had kept without audio focus before it took focus with something else.
public struct ReclaimedStage: Sendable, Codable, Hashable {
    public var stage: HeldStage
    /// Its place among the owners without focus.
    public var index: Int
}

/// A position at which an engine died.
public struct FatalPlace: Sendable, Codable, Hashable {
    public var position: MediaPosition
    /// The number of times that content before it was skipped.
    public var steps: Int
    /// The start of the first of these steps.
    public var origin: MediaPosition?
}

/// The amount of a text that kills the engine that is to speak it.
public struct UnspokenText: Sendable, Codable, Hashable {
    public var sentences: Int
    /// The number of sentences in the whole text; `nil` if they were not counted.
    public var total: Int?
    /// `true` if some of the text was heard before, or in between.
    public var wasHeard: Bool

    public init(sentences: Int, total: Int?, wasHeard: Bool = false) {
        self.sentences = sentences
        self.total = total
        self.wasHeard = wasHeard
    }
}

/// The number of consecutive times that another process of an engine was to continue at the same position.
public struct CarriedOn: Sendable, Codable, Hashable {
    public var position: MediaPosition
    public var times: Int
}

/// The clock that runs, which decides whether something takes too long.
public struct PlaybackClock: Sendable, Codable, Hashable {
    public enum Kind: String, Sendable, Codable, Hashable {
        /// The time from the attempt to play until the item is open.
        case load
        /// The time from there until the device has a stream; it catches an output that misses its own deadlines.
        case open
        /// The time from there to the first audible frame.
        case start
        /// The time without a move of the audible position; the clock fires only then.
        case stuck
        /// The time until the next attempt to reach a lost sound server.
        case reconnect
        /// A long pause.
        case release
    }

    public var id: UInt64
    public var kind: Kind
    public var generation: UInt32
    public var attempt: Int
}

/// Everything that decisions depend on.
public struct PlaybackState: Sendable, Codable, Hashable {
    public internal(set) var intent = Intent.stop
    public internal(set) var phase = Phase.idle
    public internal(set) var suppressions: Suppressions = []
    public internal(set) var stream = Stream.closed
    public internal(set) var owner = OwnerID.main
    public internal(set) var current: Playing?
    /// See ``PlayOrder/handsBack``.
    public internal(set) var handsBack = false
    /// The number of seeks and loads; results of older generations are dropped.
    public internal(set) var generation: UInt32 = 0
    /// `true` if the present stream played something of the present generation, and has no underrun.
    ///
    /// `nil` if it is unknown, in a log of an older version; there a stream that resumes counts as heard.
    public internal(set) var hasSounded: Bool?
    /// `true` if a stream was opened since the engine was last told where to continue; what it took is gone with it.
    public internal(set) var wasOpened = false
    /// `true` if some of the item's bytes come from a server, which is certain once it is open.
    public internal(set) var isRemote = false
    /// A position that was requested while the item was loading, applied as soon as it is open.
    public internal(set) var pendingSeek: MediaPosition?
    /// The command that waits for sound, to be told of success or failure.
    public internal(set) var waiting: UInt64?
    /// Earlier commands that asked for the same sound, oldest first.
    public internal(set) var alsoWaiting: [UInt64]?
    /// The number of attempts to recover a broken engine or stream since sound last continued for a while.
    public internal(set) var attempt = 0
    /// The position from which the last attempt continued.
    public internal(set) var recoveredFrom: MediaPosition?
    /// The position at which the engine last died in this item.
    public internal(set) var fatal: FatalPlace?
    /// The part of this text that could not be spoken.
    public internal(set) var unspoken: UnspokenText?
    /// The position at which the last process of an engine was to continue for another one.
    public internal(set) var carried: CarriedOn?
    /// The error that is reported if the attempts fail.
    public internal(set) var fault: PlaybackError?
    /// The number of position reports since playback became audible.
    public internal(set) var steady = 0
    /// The milliseconds for which a lost sound server has been looked for; then ``Suppressions/outage`` holds the
    /// sound.
    public internal(set) var outage: Int?
    public internal(set) var rate = 1.0
    public internal(set) var volume = 1.0
    public internal(set) var error: PlaybackError?
    /// See ``isUnlocated``.
    public internal(set) var lookUpFailed: Bool?
    /// The furthest position of this item that was heard or chosen, and the units of a second there.
    public internal(set) var floor: MediaPosition?
    public internal(set) var pace = 0.0
    /// The item before the one that is being opened, in case opening fails.
    public internal(set) var displaced: Playing?
    /// `true` while an item is being opened for which audio focus was taken; if opening fails, focus goes back.
    ///
    /// `nil` if it is unknown, in a log of an older version; there focus goes to whoever lost it last.
    public internal(set) var hasTakenFocus: Bool? = false
    /// What the owner had kept, and where among the others, when the item that is being opened took focus for it.
    public internal(set) var reclaimed: ReclaimedStage?
    /// The jump to the item that is being opened; it is made once that is open.
    public internal(set) var pendingJump: Jump?
    /// Items that were left, whose last heard position is still to come from the output.
    public internal(set) var leaving: [UInt32: Leaving] = [:]
    /// The owners from whom audio focus was taken, the last one last.
    public internal(set) var held: [HeldStage] = []
    /// The last item of each kind of each owner.
    public internal(set) var remembered: [OwnerID: [ContentKind: Playing]] = [:]
    /// The kind of each owner's last item.
    ///
    /// `nil` if it is unknown, in a log of an older version; there audio counts as later.
    public internal(set) var lastKinds: [OwnerID: ContentKind]? = [:]
    public internal(set) var sleep: SleepTimer?
    /// The place where the timer that ended the sound was set.
    ///
    /// `undo` leads back there until the user has listened for a while.
    public internal(set) var slept: Playing?
    public internal(set) var lastSleep: UInt64 = 0
    public internal(set) var clock: PlaybackClock?
    public internal(set) var lastClock: UInt64 = 0
    public internal(set) var rules = PlaybackRules()

    public init() {}

    public enum Status: String, Sendable, Codable, Hashable {
        case idle, loading, ready, playing, paused, ended, error
    }

    public var suppression: Suppression? { suppressions.first }

    /// `true` if the state comes from a log of a version that kept less about loads; decisions follow that version.
    var isOfOlderLog: Bool { hasTakenFocus == nil }

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

    /// `true` if an owner listens, or will as soon as a hold is over: a call, a claim, unplugged headphones.
    public var isInUse: Bool {
        intent == .play && (phase == .loading || phase == .ready) || held.contains(where: \.isPlaying)
    }

    /// `true` if the present item has been heard in this session.
    private var wasHeard: Bool { current?.provenance == .heard }

    /// `true` if a stream that is opened now opens silent, because something holds it.
    public var opensSilent: Bool { !suppressions.lasting.isEmpty }

    /// `true` if the place of the named item could not be looked up.
    ///
    /// It is not known where the item is to start, and it starts nowhere before that is known.
    public var isUnlocated: Bool { phase == .failed && lookUpFailed == true && current?.provenance == .unknown }

    /// What the owners without audio focus have, and what the owner with focus had before it took that.
    public var stages: [HeldStage] { held + (reclaimed.map { [$0.stage] } ?? []) }

    /// `true` if sound is wanted and nothing holds it.
    var wantsSound: Bool { intent == .play && suppressions.isEmpty }

    /// Returns the items of an owner without audio focus, starting with the one that its `play` takes.
    public func places(of owner: OwnerID) -> [Playing] {
        let own = held.last { $0.owner == owner }?.playing
        return (own.map { [$0] } ?? []) + lastItems(of: owner)
    }

    /// Returns the last item of each kind of an owner, the latest first.
    public func lastItems(of owner: OwnerID) -> [Playing] {
        let last = lastKinds?[owner] ?? .audio
        return ([last] + ContentKind.allCases.filter { $0 != last }).compactMap { remembered[owner]?[$0] }
    }

    /// Returns what one owner sees: the session's playback while it has audio focus, else its own state.
    public func view(of owner: OwnerID) -> OwnerView {
        if owner == self.owner {
            return OwnerView(
                isOnStage: true, playing: current, status: status, rate: rate, volume: volume,
                suppression: suppression)
        }
        if let held = held.last(where: { $0.owner == owner }) {
            return OwnerView(
                isOnStage: false, playing: held.playing, status: held.playing == nil ? .idle : .paused,
                rate: held.rate, volume: held.volume ?? held.loudness ?? volume,
                suppression: held.isPlaying ? .owner : nil)
        }
        let own = places(of: owner).first
        return OwnerView(
            isOnStage: false, playing: own, status: own == nil ? .idle : .paused, rate: 1, volume: volume,
            suppression: nil)
    }
}

/// Playback as one owner sees it.
public struct OwnerView: Sendable, Hashable {
    public var isOnStage: Bool
    public var playing: Playing?
    public var status: PlaybackState.Status
    public var rate: Double
    public var volume: Double
    public var suppression: Suppression?
}
