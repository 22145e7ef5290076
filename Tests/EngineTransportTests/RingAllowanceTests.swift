// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EngineTransport

@Suite struct RingAllowanceTests {
    private static let most = Int(Limits.tracks)

    /// Returns how many times something is allowed, up to a number of tries.
    private func count(_ tries: Int = 100_000, _ isAllowed: () -> Bool) -> Int {
        (0..<tries).first { _ in !isAllowed() } ?? tries
    }

    @Test(arguments: [
        (0, most, "each costs one, and there may be as many as tracks"),
        (1, 100_000, "a frame costs nothing"),
        (4_096, 100_000, "sound costs nothing"),
    ])
    func `blocks are counted if they have no frames`(_ frames: Int, _ allowed: Int, _ why: String) {
        var allowance = RingAllowance()
        let found = count { allowance.allowsBlock(frames: frames) }
        #expect(found == allowed, "\(why)")
    }

    @Test func `a signal without new data is allowed a thousand times`() {
        var allowance = RingAllowance()
        // The first is for data that was not there before.
        let allowed = count { allowance.allowsRing(head: 64) }
        #expect(allowed == 1 + 1_000)
    }

    @Test func `a signal with new data costs sixteen empty blocks`() {
        var (allowance, head) = (RingAllowance(), UInt64(0))
        let allowed = count {
            head += 64
            return allowance.allowsRing(head: head)
        }
        #expect(allowed == Self.most / 16)
    }

    @Test(arguments: [(63, false), (64, true)])
    func `sixty-four frames pay for a signal`(_ frames: Int, _ pays: Bool) {
        var (allowance, head) = (RingAllowance(), UInt64(0))
        let allowed = count {
            head += 64
            return allowance.allowsRing(head: head) && allowance.allowsBlock(frames: frames)
        }
        #expect((allowed == 100_000) == pays)
    }

    @Test func `a new generation restores what was used`() {
        var allowance = RingAllowance()
        let before = count { allowance.allowsBlock(frames: 0) }
        allowance.renew()
        let after = count { allowance.allowsBlock(frames: 0) }
        #expect(before == Self.most && after == Self.most)
    }
}
