// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `Sound that was replaced` {
    private let format = AudioFormat(sampleRate: 1_000, channels: 2)

    /// A ring of frames with 1 on the left and 0.5 on the right.
    private func ring(_ frames: Int) -> ContentRing {
        let ring = ContentRing(frames: 100, channels: 2)
        let (target, _) = ring.room()
        for frame in 0..<frames { (target[frame * 2], target[frame * 2 + 1]) = (1, 0.5) }
        ring.commit(frames)
        return ring
    }

    private func keep(_ frames: Int, of ring: ContentRing, from first: Int64, _ sound: SoundOptions = SoundOptions())
        -> ReplacedSound
    {
        var replaced = ReplacedSound(format: format)
        let kept = replaced.keep(frames, of: ring, from: first, gain: 1, ChannelMix(sound, channels: 2))
        #expect(replaced.left == kept)
        return replaced
    }

    @Test func `fades out below what replaces it`() {
        var replaced = keep(2, of: ring(50), from: 10)
        let first = changed([0.1, 0.2]) { replaced.add(to: $0, frames: 1) }
        #expect(first == [0.1 + 0.84375, 0.2 + 0.421875])
        let second = changed([0, 0]) { replaced.add(to: $0, frames: 1) }
        #expect(second == [0.15625, 0.078125])
        #expect(replaced.left == 0)
    }

    @Test(arguments: [(10, 5), (46, 4), (49, 1), (50, 0), (60, 0)] as [(Int64, Int)])
    func `is no longer than 5 ms, or what there is`(from first: Int64, frames: Int) {
        #expect(keep(99, of: ring(50), from: first).left == frames)
    }

    @Test func `keeps its own mono and balance`() {
        var replaced = keep(1, of: ring(9), from: 0, SoundOptions(isMono: true, balance: -1))
        #expect(changed([0, 0]) { replaced.add(to: $0, frames: 1) } == [0.375, 0])
    }

    @Test func `is dropped with what would have replaced it`() {
        var replaced = keep(4, of: ring(9), from: 0)
        replaced.drop()
        #expect(replaced.left == 0)
    }
}
