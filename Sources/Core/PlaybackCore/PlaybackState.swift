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
    /// Nothing is loaded.
    case idle
    /// The engine opens the item.
    case loading
    /// The item is open; sound can begin, or has begun.
    case ready
    /// Heard to its end.
    case ended
    /// The item could not be opened, or went wrong beyond repair. What was loaded is still named.
    case failed
}

/// Why sound is held although the listener wants it.
public enum Suppression: String, Sendable, Codable, Hashable {
    case interruption
    case routeLost
    case owner
    case sleep
}

/// How far the output is with the present item.
public enum Stream: String, Sendable, Codable, Hashable {
    case closed
    case opening
    /// Open, and nothing of the present generation was heard yet.
    case waiting
    case sounding
    case paused
}

/// One item, as the machine needs to know it.
public struct ItemReference: Sendable, Codable, Hashable {
    public var uri: String
    public var kind: ContentKind
    public var title: String
    /// What opens it again: paths and URLs; empty if nothing does (a pipe).
    public var items: [String]

    public init(uri: String, kind: ContentKind, title: String, items: [String]) {
        self.uri = uri
        self.kind = kind
        self.title = title
        self.items = items
    }
}

/// A failure as the listener is told: an exit code of `interface.md`, and one line.
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
}

/// Everything that decisions depend on.
public struct PlaybackState: Sendable, Codable, Hashable {
    public internal(set) var intent = Intent.stop
    public internal(set) var phase = Phase.idle
    public internal(set) var suppression: Suppression?
    public internal(set) var stream = Stream.closed
    public internal(set) var owner = OwnerID.main
    public internal(set) var current: Playing?
    /// Counts seeks and loads; results of older ones are dropped.
    public internal(set) var generation: UInt32 = 0
    /// A place that was asked for while the item was loading, taken up as soon as it is there.
    public internal(set) var pendingSeek: MediaPosition?
    /// The command that waits for sound, to be told of success or failure.
    public internal(set) var waiting: UInt64?
    /// Attempts to bring a broken engine or stream back since something was last heard.
    public internal(set) var recoveries = 0
    public internal(set) var rate = 1.0
    public internal(set) var volume = 1.0
    public internal(set) var error: PlaybackError?
    /// Items that were left, and whose last heard place is still to come from the output.
    public internal(set) var leaving: [UInt32: Leaving] = [:]
    /// The last item of each kind within each owner.
    public internal(set) var remembered: [OwnerID: [ContentKind: Playing]] = [:]

    public init() {}

    /// The status that is published; derived, never stored.
    public var status: Status {
        switch phase {
        case .idle: return .idle
        case .loading: return .loading
        case .failed: return .error
        case .ended: return .ended
        case .ready:
            guard intent == .play else { return stream == .closed && recoveries == 0 && !wasHeard ? .ready : .paused }
            if suppression != nil { return .paused }
            return stream == .sounding ? .playing : .loading
        }
    }

    /// Whether the present item has been heard in this session.
    private var wasHeard: Bool { current?.provenance == .heard }

    public enum Status: String, Sendable, Codable, Hashable {
        case idle, loading, ready, playing, paused, ended, error
    }

    public var isPlaying: Bool { status == .playing }
}
