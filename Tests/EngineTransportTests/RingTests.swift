// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import Testing

@testable import EngineTransport

@Suite struct RingTests {
    @Test func `blocks come out as they went in, with consecutive frame numbers`() throws {
        let ring = try RingFixture()
        #expect(ring.reader.next() == nil)
        #expect(ring.write(100, at: 0))
        #expect(ring.write(50, at: 100, flags: .trackEnd))
        #expect(ring.write(0, at: 150, flags: .end))
        let first = try #require(ring.reader.next())
        #expect(first.frames == 100 && first.index == 0 && first.samples[99] == 99)
        ring.reader.advance(by: 30)
        let rest = try #require(ring.reader.next())
        #expect(rest.frames == 70 && rest.index == 30 && rest.position == 30 && rest.samples[0] == 30)
        ring.reader.advance(by: 70)
        let second = try #require(ring.reader.next())
        #expect(second.header.flags == .trackEnd && second.index == 100)
        ring.reader.advance(by: 50)
        let end = try #require(ring.reader.next())
        #expect(end.header.flags == .end && end.frames == 0 && end.index == 150)
        ring.reader.advance(by: 0)
        #expect(ring.reader.next() == nil)
    }

    @Test func `a ring that wraps many times loses nothing`() throws {
        let ring = try RingFixture()
        var written: Int64 = 0
        var read: Int64 = 0
        // The sizes share no factor with the capacity, so that every kind of wrap occurs.
        let sizes = [8192, 1000, 16_000, 1, 333, 7]
        for round in 0..<3000 {
            let frames = sizes[round % sizes.count]
            #expect(ring.write(frames, at: written))
            written += Int64(frames)
            let block = try #require(ring.reader.next())
            #expect(block.position == read && block.samples[0] == Float(read % 65_536))
            #expect(block.samples[block.frames - 1] == Float((read + Int64(block.frames) - 1) % 65_536))
            read += Int64(block.frames)
            ring.reader.advance(by: block.frames)
            ring.reader.release(before: block.index + Int64(block.frames))
        }
        #expect(!ring.reader.isBroken)
    }

    @Test func `sound that was read can be read again until it is released`() throws {
        let ring = try RingFixture()
        for position in stride(from: Int64(0), to: 1000, by: 100) { #expect(ring.write(100, at: position)) }
        #expect(ring.readAll() == Array(stride(from: 0, to: 1000, by: 100)))
        #expect(ring.reader.rewind(to: 250))
        #expect(ring.reader.next()?.position == 250)
        #expect(ring.reader.next()?.frames == 50)
        #expect(ring.reader.rewind(to: 1000))
        #expect(ring.reader.next() == nil)
        ring.reader.release(before: 300)
        #expect(!ring.reader.rewind(to: 299))
        #expect(ring.reader.next() == nil)
        #expect(ring.reader.rewind(to: 300))
        #expect(ring.reader.next()?.position == 300)
        // A release within a block keeps its space but not its frames.
        ring.reader.release(before: 350)
        #expect(!ring.reader.rewind(to: 349))
        #expect(ring.reader.next()?.position == 350)
        #expect(!ring.reader.rewind(to: 1001))
    }

    @Test func `moving forward reaches blocks that were not read yet`() throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0))
        #expect(ring.write(100, at: 100))
        #expect(ring.reader.rewind(to: 150))
        #expect(ring.reader.next()?.position == 150)
    }

    @Test func `another writer continues where the previous one ended, wherever that was`() throws {
        let ring = try RingFixture()
        var (writer, written, read) = (ring.writer, Int64(0), Int64(0))
        for round in 0..<500 {
            // The writer ends anywhere, even with a reservation that it never filled.
            if round % 3 == 0 { _ = writer.reserve(floats: 4_000) }
            if round % 7 == 6 { writer = try ring.nextWriter() }
            let frames = [8192, 1000, 16_000, 1, 333][round % 5]
            #expect(ring.write(frames, at: written, by: writer))
            written += Int64(frames)
            #expect(ring.reader.newest?.positionEnd == written)
            guard round % 2 == 1 else { continue }
            while let block = ring.reader.next() {
                #expect(block.position == read && block.index == read && block.samples[0] == Float(read % 65_536))
                read += Int64(block.frames)
                ring.reader.advance(by: block.frames)
                ring.reader.release(before: block.index + Int64(block.frames))
            }
        }
        #expect(read == written && !ring.reader.isBroken)
    }

    @Test func `a dead writer's request for space is dropped, and each request of its successor is answered`() throws {
        let ring = try RingFixture()
        var (writer, position) = (ring.writer, Int64(0))
        for _ in 0..<6 {
            while ring.write(16_000, at: position, by: writer) { position += 16_000 }
            #expect(!writer.prepareToWait(floats: 16_000))
            #expect(ring.reader.isAwaited)
            // The writer dies now, or after it was woken.
            writer = try ring.nextWriter()
            #expect(!ring.reader.isAwaited)
            while ring.write(16_000, at: position, by: writer) { position += 16_000 }
            #expect(!writer.prepareToWait(floats: 16_000))
            ring.memory.woken.drain()
            _ = ring.readAll()
            ring.reader.release(before: .max)
            #expect(RingFixture.isReadable(ring.memory.woken.descriptor.rawValue))
        }
    }

    @Test func `the newest block is found without reading, but not in a broken ring`() throws {
        let ring = try RingFixture()
        #expect(ring.reader.newest == nil)
        #expect(ring.write(100, at: 0))
        #expect(ring.write(50, at: 100, flags: .trackEnd))
        #expect(ring.reader.newest?.position == 100 && ring.reader.newest?.flags == .trackEnd)
        #expect(ring.readAll() == [0, 100])
        ring.reader.release(before: 150)
        #expect(ring.reader.newest == nil)
        #expect(ring.write(70, at: 150))
        ring.setHead(1 << 40)
        #expect(ring.reader.newest == nil)
        #expect(throws: SystemError.self) { try ring.nextWriter() }
    }

    @Test func `stale blocks are dropped, both present and future ones`() throws {
        let ring = try RingFixture()
        #expect(ring.write(100, at: 0))
        #expect(ring.write(100, at: 100))
        #expect(ring.reader.next()?.position == 0)
        ring.reader.advance(by: 10)
        ring.reader.discard(before: 2)
        #expect(ring.writer.used == 0)
        #expect(ring.writer.minimumGeneration == 2)
        #expect(!ring.reader.rewind(to: 5))
        #expect(ring.write(100, at: 200))
        #expect(ring.reader.next() == nil)
        #expect(ring.writer.used == 0)
        #expect(ring.write(100, at: 5000, generation: 2))
        #expect(ring.reader.next()?.position == 5000)
        // Frame numbers continue.
        #expect(ring.reader.next()?.index == 100)
    }

    @Test func `the engine is woken once, when half is free`() throws {
        let ring = try RingFixture()
        var position: Int64 = 0
        while ring.write(4000, at: position) { position += 4000 }
        #expect(!ring.writer.prepareToWait(floats: 4000))
        let wake = ring.memory.woken.descriptor.rawValue
        var released: Int64 = 0
        while !RingFixture.isReadable(wake) {
            let block = try #require(ring.reader.next())
            ring.reader.advance(by: block.frames)
            ring.reader.release(before: block.index + Int64(block.frames))
            released += Int64(block.frames)
        }
        #expect(released * 4 > Int64(ring.memory.capacity) / 2 - 17_000)
        #expect(ring.memory.woken.drain())
        _ = ring.readAll()
        ring.reader.release(before: position)
        #expect(!RingFixture.isReadable(wake))
        #expect(ring.writer.reserve(floats: ring.writer.largestReservation) != nil)
    }

    @Test func `the reader is woken once, by the first block after its request`() throws {
        let ring = try RingFixture()
        #expect(ring.write(1, at: 0))
        #expect(!RingFixture.isReadable(ring.reader.readiness))
        #expect(ring.reader.arm())
        #expect(!RingFixture.isReadable(ring.reader.readiness))
        _ = ring.readAll()
        #expect(!ring.reader.arm())
        #expect(ring.write(1, at: 1))
        #expect(RingFixture.isReadable(ring.reader.readiness))
        ring.reader.acknowledge()
        #expect(ring.write(1, at: 2))
        #expect(!RingFixture.isReadable(ring.reader.readiness))
    }

    @Test func `small blocks beyond the size of the table arrive after a release`() throws {
        let ring = try RingFixture(capacity: 1 << 20)
        for position in 0..<Int64(2049) { #expect(ring.write(1, at: position)) }
        #expect(ring.readAll().count == 2048)
        #expect(!ring.reader.arm())
        ring.reader.acknowledge()
        #expect(!ring.reader.arm())
        ring.reader.release(before: 1)
        // Nothing was written since, so the signal is the reader's own.
        #expect(RingFixture.isReadable(ring.reader.readiness))
        #expect(ring.readAll() == [2048])
    }

    @Test func `the engine cannot write to the reader's page, and neither side can shrink the memory`() throws {
        let memory = try RingMemory(capacity: RingLayout.minimumCapacity)
        #expect(
            throws: SystemError.self,
            performing: { () throws in
                _ = try SharedMapping(memory.readerPage, size: RingLayout.readerPageSize, writable: true)
            })
        #expect(ftruncate(memory.ring.rawValue, 0) == -1)
        #expect(ftruncate(memory.readerPage.rawValue, 0) == -1)
        #expect(write(memory.readerPage.rawValue, "x", 1) == -1)
    }
}
