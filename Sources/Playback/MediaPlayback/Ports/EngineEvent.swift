// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

public enum EngineEvent: Sendable {
    /// A word or sentence of the text begins at `position`, in bytes.
    case mark(generation: UInt32, kind: MarkKind, position: Int64, length: Int64)
    /// Rendering failed; no more sound of this generation follows. For `leavesSound`, see `gone`.
    case failed(generation: UInt32, EngineError, leavesSound: Bool)
    /// The process (or thread) is gone.
    ///
    /// `leavesSound` says that it rendered something after it was told where to continue. That sound can still be
    /// heard. `end` is where the sound ends, if another process can continue there.
    case gone(EngineError, leavesSound: Bool, end: RenderedEnd? = nil)
    case log(level: String, message: String)
    /// A stretch of a track could not be decoded, and is left out; it comes before that place is heard.
    case damaged(generation: UInt32, track: Int, Range<Int64>)
    /// More is known about a track now, because the engine looks ahead when it is idle.
    case track(index: Int, TrackDescription)
}

/// The end of the sound that an engine left behind.
public struct RenderedEnd: Sendable, Hashable {
    public var generation: UInt32
    /// The position of the first missing frame.
    public var position: MediaPosition
    /// `true` if the engine was waiting for room; then the content at that position did not end it.
    public var wasIdle: Bool

    public init(generation: UInt32, position: MediaPosition, wasIdle: Bool) {
        self.generation = generation
        self.position = position
        self.wasIdle = wasIdle
    }
}

public enum MarkKind: UInt32, Sendable {
    case word = 1
    case sentence = 2
}
