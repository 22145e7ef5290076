// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import BookTimeline
import FileTestSupport
import Foundation
import JSON
import PlaybackCore
import Testing
import TransitionLog
import TransitionRecords
import TransitionReplay

@testable import MediaPlayback

/// A neural engine fails, and the engine that reads texts otherwise goes on.
@Suite(.timeLimit(.minutes(1))) struct `A text whose engine fails` {
    private static let neural = EngineID("neural")
    private static let damaged = EngineError(.failed, message: "the voice is damaged")

    private func request(voice: String? = nil) -> PlayRequest {
        var request = Rig.request("article.txt")
        request.engine = Self.neural
        request.voice = voice
        return request
    }

    private func state(_ rig: Rig) async -> PlaybackState { await rig.controller.snapshot().state }

    @Test func `is read by another one if the voice cannot be loaded, with one message`() async throws {
        let rig = Rig(failures: [Self.neural: Self.damaged])
        try await rig.controller.play(request())
        let shown = await rig.controller.snapshot()
        #expect(shown.state.isPlaying && shown.state.current?.engine == EngineID("espeak"))
        #expect(shown.warning == "espeak goes on in place of neural: the voice is damaged")
        let told = rig.log.entries.filter { $0.fields["action"] == .string("handOver") }
        #expect(told.map(\.cause) == [.recovery])
        #expect(told.first?.fields["errorMessage"] == .string("the voice is damaged"))
    }

    @Test func `keeps the engine that was chosen, which is tried again`() async throws {
        let rig = Rig(failures: [Self.neural: Self.damaged])
        try await rig.controller.play(request())
        rig.output.hear(40)
        await rig.controller.stop()
        await rig.tape.wait(for: "store: article.txt 40")
        try await rig.controller.play(Rig.request("article.txt"))
        #expect(rig.tape.lines.filter { $0.hasPrefix("neural: load") }.count == 2)
        #expect(await state(rig).current?.engine == EngineID("espeak"))
    }

    @Test func `is not read by another one if the voice that was named does not exist`() async throws {
        let rig = Rig(failures: [Self.neural: EngineError(.unknownVoice, message: "no voice nobody")])
        await #expect(throws: PlaybackError(.unavailable, message: "no voice nobody")) {
            try await rig.controller.play(request(voice: "nobody"))
        }
        #expect(!rig.tape.lines.contains { $0.hasPrefix("espeak") })
    }

    @Test(arguments: [
        EngineError(.crashed, message: "signal 11"),
        EngineError(.timedOut, message: "the engine did not render for 1 s"),
    ])
    func `goes on with another one if its engine dies or hangs again and again`(_ error: EngineError) async throws {
        let rig = Rig()
        try await rig.controller.play(request())
        rig.output.hear(300)
        // It is given three attempts.
        for generation in UInt32(1)...4 {
            await rig.isAudible(generation)
            #expect(await state(rig).current?.engine == Self.neural)
            rig.engines.report(.gone(error, leavesSound: false))
        }
        await rig.tape.wait(for: "espeak: load article.txt at 0:300 (5)")
        await rig.isAudible(5)
        let warning = "espeak goes on in place of neural: \(error.message)"
        #expect(await rig.controller.snapshot().warning == warning)
    }

    @Test func `is read by another one if the engine hangs as it opens it`() async throws {
        let clock = ManualClock()
        let rig = Rig(clock: clock)
        rig.gate.close("load")
        async let playing: Void = rig.controller.play(request())
        await rig.tape.wait(for: "neural: load article.txt")
        await rig.until { await state(rig).recovery.standIn != nil }
        await rig.until { clock.sleepers > 0 }
        clock.advance(by: .seconds(10))
        await rig.tape.wait(for: "espeak: load article.txt")
        rig.gate.open("load")
        try await playing
        #expect(await state(rig).current?.engine == EngineID("espeak"))
    }

    @Test func `leaves a log that replays`() async throws {
        let folder = try TemporaryFolder()
        let mirror = StateMirror()
        let path = folder.path + "/transitions.jsonl"
        let log = TransitionLog(path: path, limit: 8 << 20) { mirror.snapshot }
        let rig = Rig(failures: [Self.neural: Self.damaged], log: log, mirror: mirror)
        try await rig.controller.play(Rig.request("book.m4b"))
        try await rig.controller.play(request())
        rig.output.hear(40)
        try await rig.controller.switchEngine(to: Self.neural)
        await rig.controller.stop()
        await rig.controller.shutDown()
        await log.close()
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: UInt8(ascii: "\n"))
        var replay = TransitionReplay()
        for line in lines { try replay.take(Array(line)) }
        try replay.finish()
        #expect(lines.count { String(decoding: $0, as: UTF8.self).contains("handOver(neural to espeak)") } == 2)
    }
}
