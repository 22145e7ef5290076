// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import PulseOutput
import Testing
import WaitTestSupport

/// Tests of sinks that come and go, and of other clients, at a private server.
@Suite(
    .enabled(if: PulseServer.isAvailable, "pulseaudio and parec are not installed: Pulse tests skipped"), .serialized,
    .timeLimit(.minutes(2)))
struct SinkChangeTests {
    let source = FakeSource()
    let server: PulseServer
    let output: PulseOutput
    let log: EventLog

    init() throws {
        server = try PulseServer()
        output = PulseOutput(sink: nil, server: server.address, rewinds: nil, transit: .milliseconds(50))
        log = EventLog(output)
    }

    private func pactl(_ arguments: String...) throws -> String {
        try server.run(["pactl"] + arguments).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Plays the stream into a sink `gone`, and returns the number of the module that provides it.
    private func playElsewhere() async throws -> String {
        let module = try pactl(
            "load-module", "module-null-sink", "sink_name=gone", "rate=48000", "norewinds=1",
            "sink_properties=device.description=Gone")
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        let input = try #require(try pactl("list", "short", "sink-inputs").split(separator: "\t").first)
        _ = try pactl("move-sink-input", String(input), "gone")
        await log.wait(for: "route Gone (moved)")
        return module
    }

    @Test func `a requested move is reported, and playback continues`() async throws {
        _ = try await playElsewhere()
        let recorder = try Recorder(server, sink: "gone")
        await recorder.wait(frames: 9_600)
        let places = recorder.runs.compactMap { if case .places(let range) = $0 { range } else { nil } }
        #expect(places.contains { $0.count > 4_800 }, "\(recorder.runs)")
        await output.shutDown()
        #expect(log.lines == ["started 1", "route Gone (moved)"])
    }

    @Test func `a removed sink causes a lost route and silence, and its return is reported`() async throws {
        let module = try await playElsewhere()
        let recorder = try Recorder(server)
        _ = try pactl("unload-module", module)
        await log.wait(for: "route lost, now Null Output (sinkRemoved)")
        // Its fade may still be heard first.
        await recorder.wait(frames: 9_600)
        let place = await output.heard()
        await recorder.wait(frames: 24_000)
        #expect(await output.heard() == place)
        // The server plays on into the remaining sink until the output has noticed the move.
        let leaked = recorder.samples.count { $0 != 0 } / 2
        // The safety margin (`transit`) costs 50 ms, the sink up to 50 ms, and the first replacement 2 ms.
        #expect(leaked < 6_000, "\(recorder.runs)")
        _ = try pactl(
            "load-module", "module-null-sink", "sink_name=gone", "rate=48000", "norewinds=1",
            "sink_properties=device.description=Gone")
        await log.wait(for: "route returned")
        await output.shutDown()
    }

    @Test(arguments: [false, true])
    func `an interruption names its kind of stream, and its end says whether others play`(
        _ othersPlay: Bool
    ) async throws {
        _ = try pactl("load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=music")
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        // Another client may also play.
        let game = othersPlay ? try server.start(["pacat", "--raw", "--property=media.role=game", "/dev/zero"]) : nil
        let streams = othersPlay ? 2 : 1
        try await until {
            try server.run(["pactl", "list", "short", "sink-inputs"]).split(separator: "\n").count == streams
        }
        let call = try server.start(
            ["pacat", "--raw", "--property=media.role=phone", "--client-name=Caller", "/dev/zero"])
        await log.wait(for: "interruption began for phone of Caller, others play")
        // The server reports the end only to a stream that is paused by then.
        _ = try await output.pause()
        try await until { try server.run(["pactl", "list", "sink-inputs"]).contains("Corked: yes") }
        call.kill()
        await log.wait(for: "interruption ended, \(othersPlay ? "others play" : "nobody else plays")")
        await output.shutDown()
        withExtendedLifetime(game) {}
    }

    @Test func `another client that plays is reported when the session becomes active`() async throws {
        let other = try server.start(["pacat", "--raw", "/dev/zero"])
        try await until { try !pactl("list", "short", "sink-inputs").isEmpty }
        source.supply(generation: 1, from: 0)
        #expect(try await output.open(.test(source)).otherAudioPlaying == true)
        await output.shutDown()
        withExtendedLifetime(other) {}
    }
}
