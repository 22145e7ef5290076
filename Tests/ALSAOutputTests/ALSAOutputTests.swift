// SPDX-License-Identifier: Apache-2.0

import ALSAOutput
import AudioSession
import AudioTestSupport
import Foundation
import Testing

/// Tests over ALSA's own plugins: PulseAudio's, into a private server that is recorded, and the null plugin.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct ALSAOutputTests {
    static let hasPlugin =
        PulseServer.isAvailable
        && FileManager.default.fileExists(atPath: "/usr/lib/x86_64-linux-gnu/alsa-lib/libasound_module_pcm_pulse.so")

    let source = FakeSource()

    /// Configures a PCM `test` for alsa-lib that leads to this server.
    private func configure(_ server: PulseServer) throws {
        try configure(address: server.address, in: server)
    }

    private func configure(address: String, in server: PulseServer) throws {
        let file = server.folder.appendingPathComponent("alsa.conf")
        try """
        pcm.test { type pulse server "\(address)" }
        pcm.nothing { type null }
        """.write(to: file, atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", file.path, 1)
    }

    private func runs(_ recorder: Recorder) -> [PlaceCode.Run] {
        Array(recorder.runs.drop { if case .silence = $0 { true } else { false } })
    }

    @Test(.enabled(if: hasPlugin, "libasound2-plugins or pulseaudio is not installed: ALSA tests skipped"))
    func `sound passes bit for bit, even over pauses and seeks`() async throws {
        let server = try PulseServer()
        try configure(server)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = ALSAOutput(pcm: "test")
        let log = EventLog(output)
        #expect(try await output.connect() == Route(output: "alsa", device: "test"))
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait(frames: 12_000)
        let place = try await output.pause()
        await recorder.wait(frames: 12_000)
        #expect(await output.heard() == place)
        try await output.resume()
        await recorder.wait(frames: 12_000)
        try await output.reposition(to: 2)
        source.supply(generation: 2, from: 2_000_000, to: 2_020_000)
        await log.wait(for: "ended 2")
        await recorder.wait(frames: 9_600)
        await output.shutDown()
        #expect(log.lines == ["started 1", "started 2", "ended 2"])
        let runs = runs(recorder)
        let places = runs.compactMap { if case .places(let range) = $0 { range } else { nil } }
        try #require(places.count == 3, "\(runs)")
        #expect(places[0].lowerBound == 72)
        // The fades take 4 ms down and 2 ms up.
        #expect(abs(places[1].lowerBound - places[0].upperBound - 288) <= 4, "\(runs)")
        #expect(abs(places[2].lowerBound - 2_000_192) <= 2, "\(runs)")
        #expect(places[2].upperBound == 2_020_000)
    }

    @Test(.enabled(if: hasPlugin, "libasound2-plugins or pulseaudio is not installed: ALSA tests skipped"))
    func `a late engine causes a gap, and nothing is lost`() async throws {
        let server = try PulseServer()
        try configure(server)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = ALSAOutput(pcm: "test")
        let log = EventLog(output)
        source.put(9_600, at: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "starved 1")
        source.put(9_600, at: 9_600, isEnd: true)
        await log.wait(for: "ended 1")
        await recorder.wait(frames: 9_600)
        await output.shutDown()
        let runs = runs(recorder)
        #expect(runs.contains(.places(72..<9_600)), "\(runs)")
        #expect(runs.contains(.places(9_672..<19_200)), "\(runs)")
    }

    @Test(.enabled(if: hasPlugin, "libasound2-plugins or pulseaudio is not installed: ALSA tests skipped"))
    func `a device that goes away is reported with the last position`() async throws {
        let server = try PulseServer()
        try configure(server)
        let recorder = try Recorder(server)
        let output = ALSAOutput(pcm: "test")
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait(frames: 9_600)
        server.stop()
        await log.wait(forPrefix: "failed")
        #expect(!log.lines.contains { $0.hasSuffix("at -") })
        await output.shutDown()
    }

    @Test(.enabled(if: hasPlugin, "libasound2-plugins or pulseaudio is not installed: ALSA tests skipped"))
    func `the next file in another format opens the device again`() async throws {
        let server = try PulseServer()
        try configure(server)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = ALSAOutput(pcm: "test")
        let log = EventLog(output)
        source.put(14_400, at: 0, isTrackEnd: true)
        source.put(22_050, track: 1, at: 0, isEnd: true, format: AudioFormat(sampleRate: 44_100, channels: 1))
        _ = try await output.open(.test(source))
        await log.wait(for: "ended 1")
        await recorder.wait(frames: 4_800)
        await output.shutDown()
        #expect(log.lines == ["started 1", "ended 1"])
        #expect(runs(recorder).contains(.places(72..<14_400)))
    }

    @Test(.enabled(if: hasPlugin, "libasound2-plugins or pulseaudio is not installed: ALSA tests skipped"))
    func `a server that does not answer when the format changes costs two seconds and no position`() async throws {
        let server = try PulseServer()
        try configure(server)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = ALSAOutput(pcm: "test")
        let log = EventLog(output)
        let format = AudioFormat(sampleRate: 44_100, channels: 1)
        source.put(14_400, at: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        // Whoever opens it next finds a listener that never answers.
        let mute = try MuteServer(in: server.folder)
        try configure(address: mute.address, in: server)
        source.put(14_400, at: 14_400, isTrackEnd: true)
        source.put(22_050, track: 1, at: 0, isEnd: true, format: format)
        await log.wait(forPrefix: "failed")
        #expect(log.lines.last == "failed timeout at 28800")
        withExtendedLifetime(mute) {}
        await output.shutDown()
    }

    /// With mono and balance, the largest floats used to become values that are not numbers and have no integer.
    @Test func `samples that are not audio reach a device without floats`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rostrum-alsa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("alsa.conf")
        try """
        pcm.nothing { type null }
        pcm.integers { type linear slave { pcm "nothing" format S16_LE } }
        """.write(to: file, atomically: true, encoding: .utf8)
        setenv("ALSA_CONFIG_PATH", file.path, 1)
        for signal in [WildSamples.signal, WildSamples.loudest] {
            let wild = FakeSource(signal: signal)
            let output = ALSAOutput(pcm: "integers")
            let log = EventLog(output)
            wild.supply(generation: 1, from: 0, to: 24_000)
            var request = StreamRequest.test(wild, volume: 0.9)
            request.settings.sound = SoundOptions(isMono: true, balance: 1)
            _ = try await output.open(request)
            await log.wait(for: "ended 1")
            #expect(log.lines == ["started 1", "ended 1"])
            await output.shutDown()
        }
    }

    @Test func `a missing PCM is reported`() async {
        let output = ALSAOutput(pcm: "no-such-pcm")
        await #expect {
            _ = try await output.connect()
        } throws: { error in
            (error as? OutputError)?.code == .unavailable
        }
        await output.shutDown()
    }
}
