// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import WaitTestSupport

private final class InTurn: OutputProvider {
    private let left: Mutex<[FakeOutput]>

    init(_ outputs: [FakeOutput]) { left = Mutex(outputs) }

    func outputs(named name: String) -> [any AudioOutput] {
        left.withLock { left in left.isEmpty ? [] : [left.removeFirst()] }
    }
}

/// An output that hangs interrupts the sound for a moment, and affects nothing else.
@Suite(.timeLimit(.minutes(2))) struct `While an output hangs` {
    private let tape = Tape()
    private let gate = Gate()
    private let deadlines = ManualClock()
    private let first: FakeOutput
    private let second: FakeOutput
    private let controller: MediaPlaybackController

    init() {
        first = FakeOutput(tape: tape, gate: gate)
        second = FakeOutput(tape: tape)
        controller = MediaPlaybackController(
            engines: FakeEngines(tape: tape), outputs: InTurn([first, second]), store: FakeStore(tape: tape),
            resolver: FakeResolver(), log: CapturingLog(), outputDeadlines: deadlines)
    }

    private func until(sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async -> Bool) async {
        await WaitTestSupport.until(sourceLocation: sourceLocation, holds) { tape.lines.joined(separator: "\n") }
    }

    private func lapse(_ call: String) async {
        await gate.isReached(call)
        await until { deadlines.sleepers > 0 }
        deadlines.advance(by: .seconds(10))
    }

    @Test func `in a pause, the pause and the status are reported at once, and resume uses a new one`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        first.foretell(20_000)
        gate.close("pause")
        await controller.pause()
        #expect(await controller.snapshot().state.status == .paused)
        await lapse("pause")
        await until { await controller.snapshot().state.stream == .closed }
        try await controller.resume()
        let snapshot = await controller.snapshot()
        #expect(snapshot.state.status == .playing && snapshot.hungOutputs == 1)
        #expect(snapshot.state.current?.position.units == 20_000, "from where the output had said that it was")
        gate.open("pause")
        await until { await controller.snapshot().hungOutputs == 0 }
        // The failure may be reported only now, and another output is opened once more.
        await until { await controller.snapshot().state.status == .playing }
    }

    @Test func `in a change that nobody waits for, a new one is opened`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        gate.close("volume")
        try await controller.setVolume(0.5)
        #expect(await controller.snapshot().state.volume == 0.5)
        await lapse("volume")
        await until { await controller.snapshot().hungOutputs > 0 }
        try await controller.play(Rig.request("article.txt"))
        #expect(await controller.snapshot().state.status == .playing)
        gate.open("volume")
    }

    @Test func `in the close of one book, the next book plays on a new one`() async throws {
        try await controller.play(Rig.request("book.m4b"))
        gate.close("close")
        await controller.stop()
        await lapse("close")
        try await controller.play(Rig.request("article.txt"))
        #expect(await controller.snapshot().state.status == .playing)
        gate.open("close")
    }
}
