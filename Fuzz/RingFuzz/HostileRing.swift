// SPDX-License-Identifier: Apache-2.0

@testable import EngineTransport

/// Both ends of a ring, one of them hostile.
struct HostileRing {
    private let memory: RingMemory
    private let reader: RingReader
    private let writer: RingWriter
    private var choices: Choices

    init(_ choices: Choices) throws(SystemError) {
        self.choices = choices
        memory = try RingMemory(capacity: RingLayout.minimumCapacity)
        reader = RingReader(memory, alarm: try EventDescriptor())
        writer = try RingWriter(
            ring: memory.ring, readerPage: memory.readerPage, readable: memory.readable, capacity: memory.capacity)
    }

    private var ring: UnsafeMutableRawPointer { memory.ringMapping.address }

    mutating func run() {
        while !choices.areOver {
            switch choices.byte() % 12 {
            case 0: block()
            case 1: store(at: RingLayout.head)
            case 2: store(at: RingLayout.waiting)
            case 3:
                // Overwrite the header of the first record, or any other one.
                store(at: RingLayout.data + Int(choices.byte() % 8) * 8)
            case 4:
                let words = UInt64(memory.capacity / 8)
                store(at: RingLayout.data + Int(choices.word() % words) * 8)
            case 5: _ = reader.rewind(to: Int64(bitPattern: choices.number()))
            case 6: reader.release(before: Int64(bitPattern: choices.number()))
            case 7: reader.discard(before: UInt32(truncatingIfNeeded: choices.number()))
            case 8: _ = reader.arm()
            case 9: reader.acknowledge()
            case 10: reader.advance(by: Int(truncatingIfNeeded: choices.number()))
            default: take()
            }
        }
        for _ in 0..<8 { take() }
    }

    private mutating func store(at offset: Int) {
        SharedWord(at: ring + offset).store(choices.number())
    }

    /// Writes a block as a good engine does, except for the numbers.
    private mutating func block() {
        let frames = Int(choices.word() % 4096)
        let channels = Int(choices.byte() % 8) + 1
        guard writer.reserve(floats: frames * channels) != nil else { return }
        let position = Int64(bitPattern: choices.number())
        writer.commit(
            BlockHeader(
                generation: UInt32(choices.byte()), track: UInt32(choices.byte()),
                flags: BlockHeader.Flags(rawValue: UInt32(choices.byte() % 8)), sampleRate: 48_000,
                channels: UInt32(channels), frames: UInt32(frames), position: position,
                positionEnd: position &+ Int64(bitPattern: choices.number())))
    }

    private func take() {
        guard let block = reader.next() else { return }
        let start = UnsafeRawPointer(block.samples)
        let end = UnsafeRawPointer(block.samples + block.frames * Int(block.header.channels))
        let data = UnsafeRawPointer(ring + RingLayout.data)
        guard start >= data, end >= start, end <= data + memory.capacity else {
            fatalError("a block outside the ring: \(block)")
        }
        guard block.header.isPlausible, block.position >= block.header.position,
            block.position <= block.header.positionEnd
        else { fatalError("an invalid block: \(block)") }
        reader.advance(by: block.frames)
    }
}
