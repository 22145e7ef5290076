// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import JSON
import MediaPlayback
import PlaybackCore
import Testing
import TransitionRecords
import WaitTestSupport

@Suite(.timeLimit(.minutes(1))) struct `A render` {
    private let tape = Tape()
    private let gate = Gate()
    private let deadlines = ManualClock()
    private let output: FakeOutput
    private let log = CapturingLog()

    init() { output = FakeOutput(tape: tape, gate: gate, isRender: true) }

    private func controller(_ engines: FakeEngine.Measuring = FakeEngine.Measuring()) -> MediaPlaybackController {
        MediaPlaybackController(
            engines: FakeEngines(tape: tape, measuring: engines), outputs: OneOutput(output: output),
            store: FakeStore(tape: tape), resolver: FakeResolver(), log: log, outputDeadlines: deadlines)
    }

    /// Returns the error, if there was one.
    private func render(_ controller: MediaPlaybackController, _ request: PlayRequest) async -> PlaybackError? {
        do throws(PlaybackError) {
            try await controller.render(request, to: "fake")
            return nil
        } catch {
            return error
        }
    }

    /// Lets the deadline of the call expire in which the output hangs.
    private func lapse(_ call: String) async {
        await gate.isReached(call)
        await until {
            deadlines.sleepers > 0
        } otherwise: {
            tape.lines.joined(separator: "\n")
        }
        deadlines.advance(by: .seconds(10))
    }

    @Test func `ends when its output has written the end`() async {
        async let error = render(controller(), Rig.request("book.m4b"))
        await tape.wait(for: "output: open")
        output.report.yield(.ended(generation: 1))
        #expect(await error == nil)
        #expect(tape.lines.suffix(2) == ["output: close", "ffmpeg: shut down"])
    }

    @Test(arguments: ["connect", "open"]) func `ends with a one-line error if its output does not answer`(
        _ call: String
    ) async throws {
        gate.close(call)
        async let ended = render(controller(), Rig.request("book.m4b"))
        await lapse(call)
        let error = try #require(await ended)
        #expect(error.kind == .io)
        #expect(
            error.message == "fake did not answer within \(call == "open" ? 8 : 6) s (\(call)); check what blocks it")
        #expect(tape.lines.contains("ffmpeg: shut down"))
        #expect(log.entries.last { $0.fields["event"] == "render" }?.fields["action"] == "ended")
        gate.open(call)
    }

    @Test func `reports that its file could not be completed`() async throws {
        gate.close("close")
        async let ended = render(controller(), Rig.request("book.m4b"))
        await tape.wait(for: "output: open")
        output.report.yield(.ended(generation: 1))
        await lapse("close")
        #expect(try #require(await ended).message == "fake did not answer within 6 s (close); check what blocks it")
        gate.open("close")
    }

    @Test func `ends when it is given up, even if its output hangs while it writes`() async throws {
        gate.close("shutDown")
        let controller = controller()
        let rendering = Task { await render(controller, Rig.request("book.m4b")) }
        await tape.wait(for: "output: open")
        rendering.cancel()
        await lapse("shutDown")
        let error = try #require(await rendering.value)
        #expect(error.kind == .unavailable && error.message.hasPrefix("cancelled"))
        #expect(tape.lines.contains("ffmpeg: shut down"))
        gate.open("shutDown")
    }

    @Test func `starts at its start even if the engine dies before it gets there`() async {
        var request = Rig.request("book.m4b", start: .at(.seconds(30)))
        request.volume = 1
        async let error = render(controller(FakeEngine.Measuring(diesInSeek: true)), request)
        await tape.wait(for: "output: open book.m4b at rate 1.0 (2)")
        output.report.yield(.started(generation: 2))
        output.report.yield(.ended(generation: 2))
        #expect(await error == nil)
        let lines = tape.lines
        #expect(lines.contains("ffmpeg: start in place") && lines.contains("ffmpeg: load book.m4b at 0:30000 (2)"))
    }
}
