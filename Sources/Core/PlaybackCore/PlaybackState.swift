// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// What the listener wants.
public enum Intent: String, Sendable, Codable, Hashable, CaseIterable {
    case play
    case pause
    case stop
}

/// What the engine can do.
public enum Phase: String, Sendable, Codable, Hashable {
    /// Nothing is open. What is named all the same was there before something that could not be opened.
    case idle
    /// The engine opens the item.
    case loading
    /// The item is open; sound can begin, or has begun.
    case ready
    /// Heard to its end.
    case ended
    /// Went wrong beyond repair. What was there is still named, with its place.
    case failed
}

/// How far the output is with the present item.
public enum Stream: String, Sendable, Codable, Hashable {
    case closed
    case opening
    /// Open, and nothing of the present generation was heard yet.
    case waiting
    case sounding
    /// The engine is late: silence where sound should be.
    case starved
    case paused
}

/// Why sound is held although the listener wants it.
public enum Suppression: String, Sendable, Codable, Hashable, CaseIterable {
    case interruption
    case routeLost
    case owner
    case sleep
}

/// Everything that holds the sound; it goes on when nothing does.
public struct Suppressions: OptionSet, Sendable, Codable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let interruption = Suppressions(rawValue: 1)
    public static let routeLost = Suppressions(rawValue: 2)
    /// The sleep timer ended it; the intent is a pause until somebody wakes up.
    public static let sleep = Suppressions(rawValue: 4)
    /// The sound server is gone, and looked for; told as a lost route.
    public static let outage = Suppressions(rawValue: 8)

    /// What still holds the sound once a device is open.
    public var lasting: Suppressions { subtracting(.outage) }

    /// The one that is told; nil: nothing holds it.
    public var first: Suppression? {
        contains(.interruption)
            ? .interruption : !isDisjoint(with: [.routeLost, .outage]) ? .routeLost : contains(.sleep) ? .sleep : nil
    }
}

/// One item, as the machine needs to know it.
public struct ItemReference: Sendable, Codable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var title: String
    /// What opens it again: paths and URLs; empty if nothing does (a pipe).
    ///
    /// Not in the log: a URL may hold a secret, and nothing is decided by it.
    public var items: [String] = []
    /// Some of its bytes come from a server.
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

/// A failure as the listener is told: an exit code of `sysexits.h`, and one line.
public struct PlaybackError: Error, Sendable, Codable, Hashable {
    public var code: Int32
    public var message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }
}

/// An item with an engine and a place in it.
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

    /// What was heard when it was left: if its output fails, that is all there is.
    var heardPlace: MediaPosition? { playing.provenance == .heard ? playing.position : nil }
}

/// An owner from whom the stage was taken, and what he gets back.
public struct HeldStage: Sendable, Codable, Hashable {
    public var owner: OwnerID
    public var playing: Playing?
    public var rate: Double
    /// nil: nobody brought a volume of his own.
    public var volume: Double?
    /// He was playing, or was about to.
    public var isPlaying: Bool
    /// See ``PlayOrder/handsBack``.
    public var handsBack: Bool
    /// What holds the sound since he lost the stage: unless it is an outage alone, it is not handed back playing.
    public var holds: Suppressions?
    /// What he had before the item that was being opened for him, in case that cannot be.
    public var displaced: Playing?
    /// How loud he had it; nil: not known, in a log of an older version.
    public var loudness: Double?
}

/// A place at which an engine died.
public struct FatalPlace: Sendable, Codable, Hashable {
    public var position: MediaPosition
    /// How often it was stepped over what lay before it.
    public var steps: Int
    /// Where the first of these steps began.
    public var origin: MediaPosition?
}

/// How much of a text ends the engine that is to speak it.
public struct UnspokenText: Sendable, Codable, Hashable {
    public var sentences: Int
    /// Of the whole text; nil: they were not counted.
    public var total: Int?
    /// Some of the text was heard before, or in between.
    public var wasHeard: Bool

    public init(sentences: Int, total: Int?, wasHeard: Bool = false) {
        self.sentences = sentences
        self.total = total
        self.wasHeard = wasHeard
    }
}

/// How often in a row one process of an engine was to go on for another at the same place.
public struct CarriedOn: Sendable, Codable, Hashable {
    public var position: MediaPosition
    public var times: Int
}

/// The clock that runs, as an answer to the question whether something takes too long.
public struct PlaybackClock: Sendable, Codable, Hashable {
    public enum Kind: String, Sendable, Codable, Hashable {
        /// From the attempt to play until the item is open.
        case load
        /// From there until the device has a stream; an output has deadlines of its own, and this is for one that keeps none.
        case open
        /// From there to the first audible frame.
        case start
        /// The audible place has not moved for this long. Rings only then.
        case stuck
        /// The next attempt to reach a sound server that went away.
        case reconnect
        /// A pause that is long.
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
    /// Counts seeks and loads; results of older ones are dropped.
    public internal(set) var generation: UInt32 = 0
    /// Something of the present generation was heard from the present stream, and it is not out of sound.
    ///
    /// nil: not known, in a log of an older version; there a stream that goes on counts as heard.
    public internal(set) var hasSounded: Bool?
    /// A stream was opened since the engine was last told where to go on: what it took is gone with it.
    public internal(set) var wasOpened = false
    /// Some of its bytes come from a server: known for sure once it is open.
    public internal(set) var isRemote = false
    /// A place that was asked for while the item was loading, taken up as soon as it is there.
    public internal(set) var pendingSeek: MediaPosition?
    /// The command that waits for sound, to be told of success or failure.
    public internal(set) var waiting: UInt64?
    /// Earlier commands that asked for the same sound, oldest first.
    public internal(set) var alsoWaiting: [UInt64]?
    /// Attempts to bring a broken engine or stream back, since sound last went on for a while.
    public internal(set) var attempt = 0
    /// From where the last attempt went on.
    public internal(set) var recoveredFrom: MediaPosition?
    /// Where the engine died last, in this item.
    public internal(set) var fatal: FatalPlace?
    /// What of this text could not be spoken.
    public internal(set) var unspoken: UnspokenText?
    /// Where the last process of an engine was to go on for another one.
    public internal(set) var carried: CarriedOn?
    /// What is told if the attempts fail.
    public internal(set) var fault: PlaybackError?
    /// How often the place was told since sound began.
    public internal(set) var steady = 0
    /// Milliseconds for which a lost sound server has been looked for; then ``Suppressions/outage`` holds the sound.
    public internal(set) var outage: Int?
    public internal(set) var rate = 1.0
    public internal(set) var volume = 1.0
    public internal(set) var error: PlaybackError?
    /// See ``isUnlocated``.
    public internal(set) var lookUpFailed: Bool?
    /// The furthest place of this item that was heard, or that somebody chose; units of a second there.
    public internal(set) var floor: MediaPosition?
    public internal(set) var pace = 0.0
    /// What was there before the item that is being opened, in case that cannot be.
    public internal(set) var displaced: Playing?
    /// Items that were left, and whose last heard place is still to come from the output.
    public internal(set) var leaving: [UInt32: Leaving] = [:]
    /// Owners from whom the stage was taken, the last one last.
    public internal(set) var held: [HeldStage] = []
    /// The last item of each kind within each owner.
    public internal(set) var remembered: [OwnerID: [ContentKind: Playing]] = [:]
    /// Of which kind each owner's last item is.
    ///
    /// `nil`: not known, in a log of an older version; there audio counts as later.
    public internal(set) var lastKinds: [OwnerID: ContentKind]? = [:]
    public internal(set) var sleep: SleepTimer?
    /// Where the timer was set that ended it, until the listener has listened on for a while: `undo` leads back there.
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

    /// The status that is published; derived, never stored.
    public var status: Status {
        switch phase {
        case .idle: return current == nil ? .idle : .paused
        // Nobody waits for it: no spinner (document 000, watchdog 5).
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

    /// Somebody listens, or will as soon as what holds the sound is over: a call, a claim, headphones that are out.
    public var isInUse: Bool {
        intent == .play && (phase == .loading || phase == .ready) || held.contains(where: \.isPlaying)
    }

    /// Whether the present item has been heard in this session.
    private var wasHeard: Bool { current?.provenance == .heard }

    /// A stream that is opened now opens silent, because something holds it.
    ///
    public var opensSilent: Bool { !suppressions.lasting.isEmpty }

    /// What is named could not be looked up: nobody knows where it is to begin, and it begins nowhere before that is known.
    public var isUnlocated: Bool { phase == .failed && lookUpFailed == true && current?.provenance == .unknown }

    /// Sound is wanted, and nothing holds it.
    var wantsSound: Bool { intent == .play && suppressions.isEmpty }

    /// The items of an owner who does not hold the stage, the one that his `play` takes first.
    public func places(of owner: OwnerID) -> [Playing] {
        let own = held.last { $0.owner == owner }?.playing
        return (own.map { [$0] } ?? []) + lastItems(of: owner)
    }

    /// The last item of each kind of an owner, the later one first.
    public func lastItems(of owner: OwnerID) -> [Playing] {
        let last = lastKinds?[owner] ?? .audio
        return ([last] + ContentKind.allCases.filter { $0 != last }).compactMap { remembered[owner]?[$0] }
    }

    /// What one owner sees: the stage while he holds it, else what is his own.
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

/// Playback as one owner sees it (document 002, “Local-first UI state”).
public struct OwnerView: Sendable, Hashable {
    public var isOnStage: Bool
    public var playing: Playing?
    public var status: PlaybackState.Status
    public var rate: Double
    public var volume: Double
    public var suppression: Suppression?
}
