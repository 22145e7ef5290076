// SPDX-License-Identifier: Apache-2.0

import CAllocationCount
import Testing

@testable import EngineTransport

@Suite struct RingAllocationTests {
    /// An output's thread makes these calls.
    @Test func `the reader allocates nothing, over many blocks, generations and wraps of the ring`() throws {
        let ring = try RingFixture()
        let reader = ring.reader
        var allocations: Int32 = 0
        for round in 0..<400 as Range<Int64> {
            let (position, generation) = (round * 500, UInt32(1 + round / 10))
            _ = reader.arm()
            #expect(ring.write(500, at: position, generation: generation))
            #expect(ring.write(0, at: position + 500, generation: generation, flags: .trackEnd))
            allocation_count_begin()
            reader.acknowledge()
            reader.discard(before: generation)
            while let block = reader.next() { reader.advance(by: block.frames) }
            _ = reader.rewind(to: position + 100)
            _ = reader.next()
            reader.release(before: position + 450)
            _ = reader.rewind(to: position + 500)
            _ = reader.arm()
            reader.acknowledge()
            allocations += allocation_count_end()
        }
        #expect(allocations == 0 && !reader.isBroken)
    }
}
