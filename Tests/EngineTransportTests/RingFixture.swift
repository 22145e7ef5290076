// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import EngineTransport

/// A ring with both ends in this process.
struct RingFixture {
    let memory: RingMemory
    let reader: RingReader
    let writer: RingWriter
    let alarm: EventDescriptor

    /// Creates a ring; with one mapping for both ends, so that a thread sanitizer sees them meet.
    init(capacity: Int = RingLayout.minimumCapacity, sharedMapping: Bool = false) throws {
        memory = try RingMemory(capacity: capacity)
        alarm = try EventDescriptor()
        reader = RingReader(memory, alarm: alarm)
        writer =
            try sharedMapping
            ? RingWriter(
                ring: memory.ringMapping, page: memory.readerMapping, readable: memory.readable, capacity: capacity)
            : RingWriter(
                ring: memory.ring, readerPage: memory.readerPage, readable: memory.readable, capacity: capacity)
    }

    /// Writes one mono block whose samples count up from its position; returns `false` if there is no space.
    func write(
        _ frames: Int, at position: Int64, generation: UInt32 = 1, flags: BlockHeader.Flags = [], track: UInt32 = 0,
        by other: RingWriter? = nil
    ) -> Bool {
        let writer = other ?? writer
        guard let samples = writer.reserve(floats: frames) else { return false }
        for frame in 0..<frames { samples[frame] = Float((position + Int64(frame)) % 65_536) }
        return writer.commit(
            BlockHeader(
                generation: generation, track: track, flags: flags, sampleRate: 48_000, channels: 1,
                frames: UInt32(frames), position: position, positionEnd: position + Int64(frames)))
    }

    /// Returns the other end for another process, when the previous one is gone.
    func nextWriter() throws -> RingWriter {
        try RingWriter(
            ring: memory.ring, readerPage: memory.readerPage, readable: memory.readable, capacity: memory.capacity)
    }

    /// Reads everything that is there and returns the positions of the blocks.
    func readAll() -> [Int64] {
        var positions: [Int64] = []
        while let block = reader.next() {
            positions.append(block.position)
            reader.advance(by: block.frames)
        }
        return positions
    }

    /// Returns `true` if a file descriptor has a signal.
    static func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    var raw: UnsafeMutableRawPointer { memory.ringMapping.address }
    func setHead(_ value: UInt64) { SharedWord(at: raw + RingLayout.head).store(value) }
}
