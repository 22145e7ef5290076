// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EngineTransport

/// Tests of the place of reading, over blocks that are drawn by their numbers of frames.
@Suite struct BlockCursorTests {
    /// A cursor over blocks, each with its generation; a block begins at a hundred times its number in the ring.
    private final class Reading {
        private var cursor: BlockCursor

        init(_ blocks: [(frames: UInt32, generation: UInt32)], capacity: Int = 8) {
            cursor = BlockCursor(capacity: capacity)
            for (number, block) in blocks.enumerated() {
                cursor.append(
                    BlockHeader(
                        generation: block.generation, track: 0, flags: block.frames == 0 ? .trackEnd : [],
                        sampleRate: 48_000, channels: 1, frames: block.frames, position: 0,
                        positionEnd: Int64(block.frames)),
                    start: UInt64(number * 100))
            }
        }

        convenience init(_ frames: UInt32...) { self.init(frames.map { ($0, 1) }) }

        /// The block to continue with, and what of it is consumed, as `BLOCK+FRAMES`.
        var place: String {
            guard let (block, consumed) = cursor.current else { return "end" }
            return "\(block.start / 100)+\(consumed)"
        }
        /// The number of the oldest block.
        var oldest: UInt64? { cursor.oldestStart.map { $0 / 100 } }
        var count: Int { cursor.count }
        var end: Int64 { cursor.end }
        var isFull: Bool { cursor.isFull }

        func advance(by frames: Int) { cursor.advance(by: frames) }
        func move(to index: Int64) -> Bool { cursor.move(to: index) }
        func release(before index: Int64) { cursor.release(before: index) }
        func discard(before generation: UInt32) { cursor.discard(before: generation) }
    }

    @Test(
        arguments: [
            ([30], "0+30"), ([100], "1+0"), ([1_000], "1+0"), ([-5], "0+0"), ([100, 0], "2+0"), ([100, 7], "2+0"),
            ([100, 0, 20], "2+20"), ([100, 0, 50], "end"), ([100, 0, 50, 9], "end"),
            ([Int.max, Int.max, Int.max], "end"),
        ] as [([Int], String)])
    func `frames are consumed block by block, and an empty block by any number`(_ steps: [Int], _ expected: String) {
        let reading = Reading(100, 0, 50)
        for step in steps { reading.advance(by: step) }
        #expect(reading.place == expected)
    }

    @Test(
        arguments: [
            (-1, false, "0+0"), (0, true, "0+0"), (99, true, "0+99"), (100, true, "1+0"), (101, true, "2+1"),
            (150, true, "end"), (151, false, "0+0"), (Int64.max, false, "0+0"), (Int64.min, false, "0+0"),
        ] as [(Int64, Bool, String)])
    func `a move reaches every frame, and an empty block before its frame`(
        _ index: Int64, _ moves: Bool, _ expected: String
    ) {
        let reading = Reading(100, 0, 50)
        #expect(reading.move(to: index) == moves)
        #expect(reading.place == expected)
    }

    /// The frames released and read; then the oldest block, the place to continue, and the first frame to read again.
    @Test(
        arguments: [
            (0, 0, 0, "0+0", 0), (40, 0, 0, "0+40", 40), (40, 70, 0, "0+70", 40),
            (100, 0, 1, "1+0", 100), (120, 0, 1, "1+0", 120), (120, 130, 2, "2+30", 120),
            (Int64.max, 150, nil, "end", 150), (Int64.min, 30, 0, "0+30", 0),
        ] as [(Int64, Int64, UInt64?, String, Int64)])
    func `a release keeps the rest of a block, and an empty block that was not read`(
        _ released: Int64, _ read: Int64, _ oldest: UInt64?, _ expected: String, _ first: Int64
    ) {
        let reading = Reading(100, 0, 50)
        #expect(reading.move(to: read))
        reading.release(before: released)
        #expect(reading.oldest == oldest)
        #expect(reading.place == expected)
        #expect(!reading.move(to: first - 1))
        #expect(reading.move(to: first))
    }

    @Test(
        arguments: [
            (1, "0+10", 4), (2, "1+0", 3), (3, "3+0", 1), (4, "end", 0),
        ] as [(UInt32, String, Int)])
    func `older generations are dropped from the beginning`(_ generation: UInt32, _ expected: String, _ count: Int) {
        let reading = Reading([(100, 1), (50, 2), (0, 2), (20, 3)])
        reading.advance(by: 10)
        reading.discard(before: generation)
        #expect(reading.place == expected)
        #expect(reading.count == count)
        #expect(reading.end == 170)
        #expect(reading.move(to: 0) == (generation == 1))
    }

    @Test func `a full table has room again after a release, and numbers go on`() {
        let reading = Reading([(10, 1), (10, 1)], capacity: 2)
        #expect(reading.isFull)
        reading.advance(by: 10)
        reading.release(before: 10)
        #expect(!reading.isFull && reading.count == 1 && reading.oldest == 1)
        reading.advance(by: 10)
        #expect(reading.place == "end" && reading.end == 20)
    }
}
