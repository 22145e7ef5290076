// SPDX-License-Identifier: Apache-2.0

import PlaybackCore
import Testing

@testable import MediaPlayback

@Suite(.timeLimit(.minutes(1))) struct `The calls to the output` {
    /// An owner of the part, which notes the calls that have returned.
    private actor Owner {
        var turn = OutputTurn()
        var returned: [String] = []

        func call(_ name: String, _ gate: Gate) -> Task<Void, Never> {
            turn.append(on: self) { owner in
                await gate.pass(name)
                owner.returned.append(name)
                owner.turn.ended()
            }
        }

        var isIdle: Bool { turn.isIdle }
        var last: Task<Void, Never>? { turn.last }
    }

    private let owner = Owner()
    private let gate = Gate()

    @Test func `are made one after the other, and the last one ends last`() async {
        gate.close("open")
        let open = await owner.call("open", gate)
        let pause = await owner.call("pause", gate)
        #expect(await owner.last == pause)
        await gate.isReached("open")
        #expect(await owner.returned == [])
        gate.open("open")
        await owner.last?.value
        #expect(await owner.returned == ["open", "pause"])
        await open.value
    }

    @Test func `are over when each of them has returned`() async {
        #expect(await owner.isIdle)
        gate.close("pause")
        let open = await owner.call("open", gate)
        let pause = await owner.call("pause", gate)
        await open.value
        await gate.isReached("pause")
        #expect(await !owner.isIdle, "one of two has returned")
        gate.open("pause")
        await pause.value
        #expect(await owner.isIdle)
    }

    @Test func `leave the last task known after it has ended`() async {
        #expect(await owner.last == nil)
        let open = await owner.call("open", gate)
        await open.value
        #expect(await owner.last == open)
    }

    @Test func `are accompanied by one listener`() {
        var turn = OutputTurn()
        var started = 0
        for _ in 1...3 {
            turn.listen {
                started += 1
                return Task {}
            }
        }
        #expect(started == 1)
    }

    @Test func `take the sound of the engine for which a stream opened last, until it closes`() {
        let (ffmpeg, espeak) = (EngineID("ffmpeg"), EngineID("espeak"))
        var turn = OutputTurn()
        #expect(!turn.takesSound(of: ffmpeg))
        turn.opens(for: ffmpeg)
        #expect(turn.takesSound(of: ffmpeg) && !turn.takesSound(of: espeak))
        turn.opens(for: espeak)
        #expect(!turn.takesSound(of: ffmpeg) && turn.takesSound(of: espeak))
        turn.closed()
        #expect(!turn.takesSound(of: espeak))
    }
}
