// SPDX-License-Identifier: Apache-2.0

import Foundation
import RandomTestSupport
import Testing

@testable import EngineTransport

/// Tests that an engine that writes nonsense is detected and never believed.
@Suite struct HostileRingTests {
    @Test(arguments: [
        1, 63, 65, 1 << 20, UInt64.max, UInt64.max - 63, 1 << 63, UInt64(RingLayout.minimumCapacity) + 64,
    ])
    func `an impossible head breaks the ring`(_ head: UInt64) throws {
        let ring = try RingFixture()
        ring.setHead(head)
        #expect(ring.reader.next() == nil)
        #expect(ring.reader.isBroken)
        #expect(RingFixture.isReadable(ring.alarm.descriptor.rawValue))
        // It reads as empty from then on.
        _ = ring.write(10, at: 0)
        #expect(ring.reader.next() == nil)
        #expect(!ring.reader.arm())
    }

    @Test func `a decreasing head breaks the ring`() throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0))
        _ = ring.readAll()
        ring.setHead(0)
        #expect(ring.reader.next() == nil)
        #expect(ring.reader.isBroken)
    }

    /// Each case changes one field of a good header, given as its word in the header.
    static let magic = UInt64(BlockHeader.magic)
    static let headers: [(Int, UInt64, String)] = [
        (0, 0, "no magic"),
        (0, magic, "no size"),
        (0, magic | 63 << 32, "a size that is not of whole lines"),
        (0, magic | 64 << 32, "too small for its frames"),
        (0, magic | 0xFFFF_FFC0 << 32, "beyond the head"),
        (1, 1 | 8 << 32, "an unknown flag"),
        (1, 1 | 1 << 63, "a skip in the middle"),
        (2, 0 | 1 << 32, "no rate"),
        (2, 384_001 | 1 << 32, "too high a rate"),
        (2, 48_000 | 0 << 32, "no channels"),
        (2, 48_000 | 9 << 32, "nine channels"),
        (3, 0xFFFF_FFFF, "more frames than there can be"),
        (3, 0, "no frames and no end"),
        (3, 100 | 65_536 << 32, "a track beyond all"),
        (4, UInt64(bitPattern: -1), "a position before the beginning"),
        (5, UInt64(bitPattern: -1), "an end before its position"),
        (5, 1 << 53 + 1, "an end beyond all"),
        (5, 1 << 63 - 1, "an end far beyond all"),
        (6, 64, "another record's place"),
    ]

    @Test(arguments: headers)
    func `an impossible header breaks the ring`(_ word: Int, _ value: UInt64, _ what: String) throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0))
        SharedWord(at: ring.raw + RingLayout.data + word * 8).store(value.littleEndian)
        #expect(ring.reader.next() == nil, "\(what)")
        #expect(ring.reader.isBroken, "\(what)")
    }

    @Test func `a decreasing generation breaks the ring`() throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0, generation: 3))
        #expect(ring.write(100, at: 100, generation: 2))
        #expect(ring.readAll() == [0])
        #expect(ring.reader.isBroken)
    }

    @Test func `a change of a header after it was read has no effect`() throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0))
        #expect(ring.reader.next()?.frames == 100)
        for word in 0..<8 { SharedWord(at: ring.raw + RingLayout.data + word * 8).store(.max) }
        #expect(ring.reader.next()?.frames == 100)
        ring.reader.advance(by: 40)
        #expect(ring.reader.rewind(to: 0))
        #expect(ring.reader.next()?.frames == 100)
        #expect(!ring.reader.isBroken)
    }

    @Test func `releasing behind an empty block leaves no negative size`() throws {
        let ring = try RingFixture()
        #expect(ring.write(0, at: 0, flags: .trackEnd))
        #expect(ring.write(100, at: 0, track: 1))
        #expect(ring.reader.rewind(to: 20))
        #expect(ring.reader.rewind(to: 0))
        ring.reader.release(before: 20)
        #expect(ring.reader.next()?.frames == 0)
    }

    /// Covers everything that the reader does with what the engine also holds, on a thread that may hang.
    @Test func `an engine that makes its doorbells block delays nobody`() throws {
        let ring = try RingFixture(capacity: 1 << 20)
        let returned = try EventDescriptor()
        for descriptor in ring.memory.handedOver {
            let flags = fcntl(descriptor.rawValue, F_GETFL)
            _ = fcntl(descriptor.rawValue, F_SETFL, flags & ~O_NONBLOCK)
        }
        for position in 0..<Int64(2049) { #expect(ring.write(1, at: position)) }
        let (reader, memory) = (ring.reader, ring.memory)
        nonisolated(unsafe) let fixture = ring
        Thread.detachNewThread {
            // The doorbell rings and is drained before the reader checks.
            memory.readable.signal()
            memory.readable.drain()
            reader.acknowledge()
            // The doorbell is full when the reader rings for what did not fit its table.
            memory.readable.fill()
            _ = fixture.readAll()
            _ = reader.arm()
            reader.release(before: 1)
            reader.acknowledge()
            // Nobody takes the reader's signals about space.
            _ = fixture.readAll()
            for wish in 1...10_000 as ClosedRange<UInt64> {
                SharedWord(at: fixture.raw + RingLayout.waiting).store(wish)
                reader.release(before: 2049)
            }
            returned.signal()
        }
        var entry = pollfd(fd: returned.descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 30_000) == 1)
        #expect(RingFixture.isReadable(ring.memory.woken.descriptor.rawValue))
    }

    @Test func `an engine that rings for nothing is detected, and one that rings late is not`() throws {
        let ring = try RingFixture()
        for position in 0..<Int64(3_000) {
            #expect(!ring.reader.arm())
            #expect(ring.write(200, at: position * 200))
            ring.reader.acknowledge()
            _ = ring.readAll()
            ring.reader.release(before: position * 200 + 200)
            // This is the writer's late signal for sound that was already found.
            ring.memory.readable.signal()
            ring.reader.acknowledge()
        }
        #expect(!ring.reader.isBroken)
        for _ in 0..<2_000 {
            _ = ring.reader.arm()
            ring.memory.readable.signal()
            ring.reader.acknowledge()
        }
        #expect(ring.reader.isBroken)
    }

    @Test func `tracks without a frame may reach the limit of tracks and no more`() throws {
        let ring = try RingFixture()
        func empty(_ count: Int) throws {
            for _ in 0..<count {
                guard !ring.reader.isBroken else { return }
                #expect(ring.write(0, at: 0, flags: .trackEnd))
                let block = ring.reader.next()
                ring.reader.advance(by: 0)
                ring.reader.release(before: block?.index ?? 0)
            }
        }
        try empty(Int(Limits.tracks) - 2)
        #expect(!ring.reader.isBroken)
        // One more track that has hardly any sound changes nothing.
        #expect(ring.write(1, at: 0))
        _ = ring.readAll()
        try empty(4)
        #expect(ring.reader.isBroken)
    }

    @Test func `sound that arrives one frame at a time, each with a ring of the doorbell, is detected`() throws {
        let ring = try RingFixture()
        var position: Int64 = 0
        while !ring.reader.isBroken, position < 100_000 {
            _ = ring.reader.arm()
            #expect(ring.write(1, at: position))
            ring.reader.acknowledge()
            _ = ring.readAll()
            position += 1
            ring.reader.release(before: position)
        }
        #expect(position > 4_000 && position < 10_000)
    }

    @Test func `random bytes never cause a trap, whatever is called`() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = SplitMix(state: seed)
            let ring = try RingFixture()
            let words = ring.raw + RingLayout.data
            for _ in 0..<4 { _ = ring.write(Int(random.next() % 3000) + 1, at: 0) }
            for _ in 0..<random.next() % 40 {
                // Half of the writes hit near the beginning, where headers are.
                let span = random.next() % 2 == 0 ? 64 : UInt64(RingLayout.minimumCapacity) / 8
                SharedWord(at: words + Int(random.next() % span) * 8).store(random.next() >> (random.next() % 64))
            }
            if random.next() % 2 == 0 { ring.setHead(random.next() >> (random.next() % 64)) }
            SharedWord(at: ring.raw + RingLayout.waiting).store(random.next())
            for _ in 0..<50 {
                let number = Int64(bitPattern: random.next() >> (random.next() % 64))
                switch random.next() % 7 {
                case 0: _ = ring.reader.rewind(to: number)
                case 1: ring.reader.release(before: number % 10_000)
                case 2: ring.reader.discard(before: UInt32(truncatingIfNeeded: random.next() % 8))
                case 3: _ = ring.reader.arm()
                case 4: ring.reader.acknowledge()
                case 5: ring.reader.advance(by: Int(truncatingIfNeeded: number))
                default:
                    guard let block = ring.reader.next() else { continue }
                    let end = UnsafeRawPointer(block.samples + block.frames * Int(block.header.channels))
                    #expect(end <= UnsafeRawPointer(ring.raw + RingLayout.data + ring.memory.capacity))
                    ring.reader.advance(by: block.frames)
                }
            }
        }
    }
}

extension EventDescriptor {
    /// Fills the count: whoever adds to it now blocks, or gets an error that says so.
    func fill() {
        var most = UInt64.max - 1
        _ = write(descriptor.rawValue, &most, MemoryLayout<UInt64>.size)
    }
}
