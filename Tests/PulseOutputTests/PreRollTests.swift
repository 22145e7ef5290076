// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Foundation
import Testing
import WaitTestSupport

@testable import PulseOutput

/// Tests with a sink that sleeps when nothing plays; a pipe receives what it plays while it is awake.
@Suite(
    .enabled(if: PulseServer.isAvailable, "pulseaudio and parec are not installed: Pulse tests skipped"), .serialized,
    .timeLimit(.minutes(2)))
struct PreRollTests {
    let source = FakeSource()

    private func sleepy(bus: String) throws -> (PulseServer, PulseOutput, Recorder) {
        let server = try PulseServer(extra: ["module-suspend-on-idle timeout=0"])
        let pipe = server.folder.appendingPathComponent("heard").path
        _ = try server.run([
            "pactl", "load-module", "module-pipe-sink", "sink_name=sleepy", "file=\(pipe)", "format=float32le",
            "rate=48000", "channels=2", "use_system_clock_for_timing=yes",
            "sink_properties=device.bus=\(bus)",
        ])
        let output = PulseOutput(sink: "sleepy", server: server.address, rewinds: nil, transit: .milliseconds(50))
        return (server, output, try Recorder(server, pipe: pipe))
    }

    private func until(_ state: String, _ server: PulseServer) async throws {
        try await WaitTestSupport.until {
            try server.run(["pactl", "list", "short", "sinks"]).split(separator: "\n")
                .contains { $0.contains("sleepy") && $0.hasSuffix(state) }
        }
    }

    /// Returns the frames of silence before the first sound, and where the sound begins.
    private func beginning(_ recorder: Recorder) -> (silence: Int, place: Int64?) {
        let frames = recorder.samples.enumerated().first { $0.element != 0 }.map { $0.offset / 2 } ?? 0
        let places = recorder.runs.lazy.compactMap { if case .places(let range) = $0 { range } else { nil } }
        return (frames, places.first?.lowerBound)
    }

    @Test(arguments: [("bluetooth", 1_000), ("usb", 500), ("pci", 0)])
    func `silence precedes the sound of a sink that was asleep, and nothing is lost`(
        _ bus: String, _ milliseconds: Int
    ) async throws {
        let (server, output, recorder) = try sleepy(bus: bus)
        try await until("SUSPENDED", server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait { $0.contains { $0 != 0 } && $0.count > 120_000 }
        let (silence, place) = beginning(recorder)
        await output.shutDown()
        // A sink that wakes may have played a moment of its own silence before the stream came.
        #expect((milliseconds * 48...milliseconds * 48 + 9_600).contains(silence))
        #expect(place == 72)
        #expect(log.lines == (milliseconds > 0 ? ["woke after \(milliseconds) ms"] : []) + ["started 1"])
    }

    @Test func `a sink that is awake plays at once`() async throws {
        let (server, output, _) = try sleepy(bus: "bluetooth")
        let other = try server.start(["pacat", "--raw", "--device=sleepy", "/dev/zero"])
        try await until("RUNNING", server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await output.shutDown()
        #expect(log.lines == ["started 1"])
        withExtendedLifetime(other) {}
    }

    @Test func `a pause lets the sink sleep, and the sound goes on behind the silence where it stopped`() async throws {
        let (server, output, recorder) = try sleepy(bus: "usb")
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait { $0.count > 96_000 }
        let place = try await output.pause()
        try await until("SUSPENDED", server)
        #expect(await output.heard() == place)
        let before = recorder.samples.count
        try await output.resume()
        await recorder.wait { $0.dropFirst(before).contains { $0 != 0 } && $0.count > before + 96_000 }
        await output.shutDown()
        let silence = recorder.samples.dropFirst(before).prefix { $0 == 0 }.count / 2
        #expect((500 * 48...500 * 48 + 9_600).contains(silence))
        // Every stretch continues where the fades around the silence imply.
        var expected: Int64?
        for run in recorder.runs {
            switch run {
            case .places(let range):
                if let expected { #expect(range.lowerBound == expected, "\(recorder.runs)") }
                expected = range.upperBound
            case .mixed(let count): expected = expected.map { $0 + Int64(count) }
            case .silence: break
            }
        }
    }

    @Test func `the request decides how long the silence is`() async throws {
        let (server, output, _) = try sleepy(bus: "bluetooth")
        try await until("SUSPENDED", server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        var request = StreamRequest.test(source)
        request.preRoll = 0
        _ = try await output.open(request)
        await log.wait(for: "started 1")
        await output.shutDown()
        #expect(log.lines == ["started 1"])
    }
}
