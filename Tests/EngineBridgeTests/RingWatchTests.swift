// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import EngineTransport
import MediaPlayback
import Testing

@testable import EngineBridge

@Suite struct RingWatchTests {
    private let reader: RingReader
    private let writer: RingWriter

    init() throws {
        let capacity = RingLayout.defaultCapacity
        let memory = try RingMemory(capacity: capacity)
        reader = RingReader(memory, alarm: try EventDescriptor())
        writer = try RingWriter(
            ring: memory.ring, readerPage: memory.readerPage, readable: memory.readable, capacity: capacity)
    }

    /// Renders 100 frames of track 1, from position 500 on.
    private func render(_ flags: BlockHeader.Flags = []) {
        #expect(writer.reserve(floats: 100) != nil)
        let isWritten = writer.commit(
            BlockHeader(
                generation: 3, track: 1, flags: flags, sampleRate: 48_000, channels: 1, frames: 100, position: 500,
                positionEnd: 600))
        #expect(isWritten)
    }

    @Test func `sound counts from the last load or seek on`() {
        var watch = RingWatch(reader, follows: false)
        #expect(!watch.leavesSound)
        render()
        #expect(watch.leavesSound)
        watch.noteLoad()
        #expect(!watch.leavesSound)
        render()
        watch.noteSeek()
        #expect(!watch.leavesSound)
    }

    @Test func `sound of the process before counts until the second load`() {
        render()
        var watch = RingWatch(reader, follows: true)
        watch.noteLoad()
        #expect(watch.leavesSound)
        watch.noteLoad()
        #expect(!watch.leavesSound)
    }

    @Test(
        arguments: [
            ([], 2, MediaPosition(track: 1, units: 600)), (.trackEnd, 3, MediaPosition(track: 2, units: 0)),
            (.trackEnd, 2, nil), (.end, 2, nil), ([], 1, nil),
        ] as [(BlockHeader.Flags, Int, MediaPosition?)])
    func `another process continues where the sound ends, if the book does not`(
        _ flags: BlockHeader.Flags, _ trackCount: Int, _ position: MediaPosition?
    ) {
        let watch = RingWatch(reader, follows: false)
        #expect(watch.renderedEnd(trackCount: trackCount) == nil, "there is no sound")
        render(flags)
        let end = position.map { RenderedEnd(generation: 3, position: $0, wasIdle: false) }
        #expect(watch.renderedEnd(trackCount: trackCount) == end)
    }

    @Test func `an engine is pinged if its ring is low, it is not busy, and its time is up`() {
        var watch = RingWatch(reader, follows: false)
        #expect(watch.isLow && !watch.isBroken)
        var pings: [UInt64] = []
        for (now, isBusy) in [(0, true), (20, true), (30, false), (39, false), (40, false), (60, false)] {
            if watch.mustPing(isBusy: isBusy, now: UInt64(now), patience: 10) { pings.append(UInt64(now)) }
            if now == 30 { #expect(watch.deadline == 40) }
        }
        #expect(pings == [40])
    }
}
