// SPDX-License-Identifier: Apache-2.0

import EngineSDK
import Testing

@testable import FFmpegAudio

/// Tests with stereo frames whose samples count up, and blocks of ten frames.
@Suite struct ChunkTests {
    private static let samples = (0..<40).map(Float.init)

    private func chunk(
        _ range: Range<Int>, at position: Int64, rate: Int = 48_000, isDamaged: Bool = false
    ) -> Chunk {
        Chunk(range, at: position, sampleRate: rate, channels: 2, isDamaged: isDamaged)
    }

    /// Moves chunks to a block one after the other until it is complete.
    ///
    /// Returns what the block has, and how many chunks are empty.
    private func block(_ chunks: [Chunk]) -> (samples: [Float], span: Range<Int64>, isDamaged: Bool, emptied: Int) {
        var chunks = chunks
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 20)
        defer { memory.deallocate() }
        var block = Block(samples: memory, capacity: 20)
        for index in chunks.indices {
            if !chunks[index].move(Self.samples, to: &block) { break }
        }
        let samples = Array(UnsafeBufferPointer(start: memory, count: block.frames * 2))
        return (samples, block.position..<block.positionEnd, block.isDamaged, chunks.count(where: \.isEmpty))
    }

    @Test func `the part of a frame that is heard goes into the block`() {
        let block = block([chunk(3..<5, at: 70)])
        #expect(block.samples == [6, 7, 8, 9] && block.span == 70..<72 && !block.isDamaged && block.emptied == 1)
    }

    @Test func `a block is complete when it is full, and the rest stays`() {
        let block = block([chunk(0..<8, at: 0), chunk(0..<8, at: 8), chunk(0..<8, at: 16)])
        #expect(block.span == 0..<10 && block.samples.suffix(4) == [0, 1, 2, 3] && block.emptied == 1)
    }

    @Test(
        arguments: [
            ("a hole", 9, 48_000, false), ("another rate", 8, 44_100, false), ("damage", 8, 48_000, true),
        ] as [(String, Int64, Int, Bool)])
    func `a block ends before a hole, another rate or damage`(
        _ what: String, _ position: Int64, _ rate: Int, _ isDamaged: Bool
    ) {
        let block = block([chunk(0..<8, at: 0), chunk(0..<1, at: position, rate: rate, isDamaged: isDamaged)])
        #expect(block.span == 0..<8 && !block.isDamaged && block.emptied == 1, "\(what)")
    }

    @Test func `damage is told with the first samples behind it, and once`() {
        var rest = chunk(0..<12, at: 0, isDamaged: true)
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 20)
        defer { memory.deallocate() }
        var damaged: [Bool] = []
        while !rest.isEmpty {
            var block = Block(samples: memory, capacity: 20)
            _ = rest.move(Self.samples, to: &block)
            damaged.append(block.isDamaged)
        }
        #expect(damaged == [true, false])
    }
}
