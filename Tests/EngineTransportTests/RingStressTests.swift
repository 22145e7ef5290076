// SPDX-License-Identifier: Apache-2.0

import CTransport
import Glibc
import RandomTestSupport
import Synchronization
import Testing

@testable import EngineTransport

/// Tests with two threads that sleep whenever they can: a missed wake-up makes the test hang.
@Suite(.timeLimit(.minutes(2)))
struct RingStressTests {
    private struct Ends: @unchecked Sendable { /* the writer goes to one thread, the reader stays on another */
        var ring: RingFixture
    }

    @Test(arguments: [1, 2, 3, 4])
    func `everything arrives in order, and no thread sleeps for ever`(_ seed: UInt64) throws {
        let ends = Ends(ring: try RingFixture(sharedMapping: true))
        let total: Int64 = 3_000_000
        let done = try EventDescriptor()
        let thread = Thread {
            Self.produce(ends.ring, total: total, seed: seed)
            done.signal()
        }
        #expect(thread.start())
        let heard = Self.consume(ends.ring, total: total, seed: seed &+ 100)
        done.wait()
        #expect(heard == total)
        #expect(!ends.ring.reader.isBroken)
    }

    private static func produce(_ ring: RingFixture, total: Int64, seed: UInt64) {
        var random = SplitMix(state: seed)
        var position: Int64 = 0
        while position < total {
            let most = random.next() % 3 == 0 ? 12_000 : 300
            let frames = Int(min(Int64(random.next() % UInt64(most)) + 1, total - position))
            let flags: BlockHeader.Flags = position + Int64(frames) == total ? .end : []
            while !ring.write(frames, at: position, flags: flags) {
                guard !ring.writer.prepareToWait(floats: frames) else { continue }
                ring.memory.woken.wait()
                ring.writer.endWait()
            }
            position += Int64(frames)
        }
    }

    private static func consume(_ ring: RingFixture, total: Int64, seed: UInt64) -> Int64 {
        var random = SplitMix(state: seed)
        var position: Int64 = 0
        while position < total {
            while !ring.reader.arm() {
                var entry = pollfd(fd: ring.reader.readiness, events: Int16(POLLIN), revents: 0)
                poll(&entry, 1, -1)
                ring.reader.acknowledge()
            }
            while let block = ring.reader.next() {
                guard block.position == position, block.index == position else { return -1 }
                let count = min(block.frames, Int(random.next() % 9000) + 1)
                for frame in 0..<count where block.samples[frame] != Float((position + Int64(frame)) % 65_536) {
                    return -2
                }
                ring.reader.advance(by: count)
                position += Int64(count)
                // The reader sometimes holds back a part, as a device does, and releases everything in the end.
                if random.next() % 4 != 0 { ring.reader.release(before: position) }
                if random.next() % 16 == 0 {
                    let back = max(0, position - Int64(random.next() % 500))
                    if ring.reader.rewind(to: back) { position = back }
                }
            }
            ring.reader.release(before: position)
        }
        return position
    }

    /// Starts a plain thread, because both ends block.
    private final class Thread: Sendable {
        private let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func start() -> Bool {
            ctransport_start_thread(
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<Thread>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, Unmanaged.passRetained(self).toOpaque()) == 0
        }
    }
}
