// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Testing

@testable import AudioSession

@Suite(.timeLimit(.minutes(1))) struct `The speed of a stream` {
    private static let format = AudioFormat(sampleRate: 48_000, channels: 1)

    @Test(arguments: [(1, true), (0.25, true), (4, true), (0.2, false), (4.1, false)] as [(Double, Bool)])
    func `changes within the limits of the stage, and otherwise stays as it was`(_ rate: Double, isPossible: Bool) {
        var tempo = StreamTempo(format: Self.format)
        _ = tempo.restart(at: 2)
        let done = tempo.restart(at: rate)
        #expect(done == isPossible && tempo.supports(rate) == isPossible)
        #expect(tempo.rate == (isPossible ? rate : 2))
    }

    @Test func `other than 1 is not possible in a format that no stage has`() {
        var tempo = StreamTempo(format: AudioFormat(sampleRate: 384_000, channels: 2))
        let done = tempo.restart(at: 2)
        #expect(!done && !tempo.supports(2))
        #expect(tempo.rate == 1 && tempo.shift == 0)
        #expect(tempo.put(.unread(9, units: 0..<9)) == 0, "it takes nothing, and does not trap")
    }

    @Test(arguments: [0.5, 1.5, 3])
    func `changes the length of the sound in proportion, and loses none of it`(_ rate: Double) {
        var tempo = StreamTempo(format: Self.format)
        let done = tempo.restart(at: rate)
        #expect(done && !tempo.isEmptied)
        let source = FakeSource(format: Self.format)
        source.supply(generation: 1, from: 0, to: 30_000)
        var out = [Float](repeating: 0, count: 4_096)
        var taken = 0
        func drain() {
            while true {
                let frames = tempo.take(&out, frames: out.count)
                guard frames > 0 else { return }
                taken += frames
            }
        }
        while let block = source.next(), block.frames > 0 {
            source.advance(by: tempo.put(block))
            drain()
        }
        tempo.finish()
        #expect(tempo.isFinished && tempo.isEmptied)
        drain()
        #expect(taken == Int((30_000 / rate).rounded()))
        tempo.reopen()
        #expect(!tempo.isFinished)
    }
}
