// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import MediaPlayback

/// The session's view of an engine's ring: whether it is filled when it should be, and what is in it.
struct RingWatch {
    private let reader: RingReader
    private var rendering = RenderWatch()
    /// `true` if this process replaces another, whose sound in the ring is heard first and counts as this one's.
    private var follows: Bool

    init(_ reader: RingReader, follows: Bool) {
        self.reader = reader
        self.follows = follows
    }

    /// `true` once the engine has written invalid data.
    var isBroken: Bool { reader.isBroken }
    var isLow: Bool { reader.isLow }
    /// `true` if something was rendered since the last load or seek.
    var leavesSound: Bool { reader.written != rendering.begun }
    /// The time of the next check in nanoseconds, or `nil` if none is due.
    var deadline: UInt64? { rendering.deadline }

    mutating func noteLoad() {
        if !follows { noteSeek() }
        follows = false
    }

    mutating func noteSeek() { rendering.begin(written: reader.written) }

    /// Checks the ring, and returns `true` if the engine is to be pinged now.
    ///
    /// - Parameters:
    ///   - isBusy: Whether the engine works on something that has a deadline of its own.
    ///   - patience: The time in nanoseconds for which an engine that should render may give nothing.
    mutating func mustPing(isBusy: Bool, now: UInt64, patience: UInt64) -> Bool {
        rendering.mustAsk(isLow: reader.isLow && !isBusy, written: reader.written, now: now, patience: patience)
    }

    /// Returns the position at which another process could continue, or `nil` if there is none.
    ///
    /// Call it only once nothing writes to the ring any more.
    func renderedEnd(trackCount: Int) -> RenderedEnd? {
        guard !isBroken, leavesSound, let last = reader.newest, !last.flags.contains(.end) else { return nil }
        let isTrackEnd = last.flags.contains(.trackEnd)
        let position = MediaPosition(
            track: Int(last.track) + (isTrackEnd ? 1 : 0), units: isTrackEnd ? 0 : last.positionEnd)
        guard (0..<trackCount).contains(position.track) else { return nil }
        return RenderedEnd(generation: last.generation, position: position, wasIdle: reader.isAwaited)
    }
}
