// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import PlaybackCore
import Testing

@testable import MediaPlayback

/// The process of an engine is gone, and another one continues behind what it left.
@Suite(.timeLimit(.minutes(1))) struct EngineFollowTests {
    private func gone(at units: Int64, wasIdle: Bool = false, of generation: UInt32 = 1) -> EngineEvent {
        .gone(
            EngineError(.crashed, message: "signal 11"), leavesSound: true,
            end: RenderedEnd(
                generation: generation, position: MediaPosition(track: 0, units: units), wasIdle: wasIdle))
    }

    /// Waits until the next process has replaced the one that is gone.
    private func hasFollowed(_ rig: Rig) async {
        await rig.until { await rig.controller.desk.pool[EngineID("ffmpeg")]?.fallen == nil }
    }

    @Test func `another process continues where a dead engine's sound ends, and nothing else changes`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        let before = await rig.controller.snapshot().state
        rig.engines.report(gone(at: 14_000))
        await rig.tape.wait(for: "ffmpeg: start in place")
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:14000 (1)")
        // The next process is replaced, too; from then on, its successor is asked.
        await hasFollowed(rig)
        rig.engines.report(gone(at: 20_000))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:20000 (1)")
        await hasFollowed(rig)
        let after = await rig.controller.snapshot().state
        #expect(after.status == .playing && after.generation == before.generation && after.attempt == 0)
        #expect(!rig.tape.lines.contains { $0.contains("prewarm") || $0.hasPrefix("output: close") })
        #expect(rig.tape.lines.filter { $0.hasPrefix("output: open") }.count == 1)
        try await rig.controller.seek(.seconds(70))
        await rig.tape.wait(for: "ffmpeg: seek 0:70000 (2)")
    }

    @Test func `an end that is told before the answer to the load is known to be that of the content`() async throws {
        let rig = Rig()
        rig.gate.close("load")
        let play = Task { try await rig.controller.play(Rig.request("book.m4b")) }
        await rig.tape.wait(for: "ffmpeg: load book.m4b")
        rig.engines.report(.gone(EngineError(.crashed, message: "signal 11"), leavesSound: false, end: nil))
        await rig.until { await rig.controller.desk.pool[EngineID("ffmpeg")]?.lossToTell != nil }
        rig.gate.open("load")
        try await play.value
        // The place that ended it is stepped over if it ends the next one, too.
        #expect(await rig.controller.snapshot().state.fatal?.position == .start)
        #expect(rig.tape.lines.filter { $0.hasPrefix("ffmpeg: load") }.count == 2)
    }

    @Test func `a seek that arrives while another process gets ready starts its own process`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.gate.close("load")
        rig.engines.report(gone(at: 14_000))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:14000 (1)")
        async let sought: Void = rig.controller.seek(.seconds(70))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:70000")
        rig.gate.open("load")
        try await sought
        // The process that arrived too late ends.
        await rig.tape.wait(for: "ffmpeg: shut down")
        #expect(await rig.controller.snapshot().state.current?.position.units == 70_000)
    }

    @Test func `a place that also ends the next process is stepped over, after all before it was heard`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        rig.engines.report(gone(at: 14_000))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:14000 (1)")
        await hasFollowed(rig)
        rig.engines.report(gone(at: 14_100))
        await rig.tape.wait(for: "ffmpeg: prewarm")
        #expect(await rig.controller.snapshot().state.status == .playing)
        rig.output.hear(14_100)
        rig.output.report.yield(.starved(generation: 1))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:15100 (2)")
    }

    @Test func `nothing is stepped over if the next process is only late`() async throws {
        let rig = Rig()
        try await rig.controller.play(Rig.request("book.m4b"))
        rig.output.hear(8_000)
        rig.gate.close("load")
        rig.engines.report(gone(at: 14_000))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:14000 (1)")
        rig.output.hear(14_000)
        rig.output.report.yield(.starved(generation: 1))
        await rig.tape.wait(for: "ffmpeg: load book.m4b at 0:14000 (2)")
        rig.gate.open("load")
        await rig.tape.wait(for: "ffmpeg: shut down")
    }
}
