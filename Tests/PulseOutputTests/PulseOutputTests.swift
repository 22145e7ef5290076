// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Clocks
import Foundation
import Testing

@testable import PulseOutput

/// Tests against a private server whose sink is recorded; what was heard is checked to the sample.
@Suite(
    .enabled(if: PulseServer.isAvailable, "pulseaudio and parec are not installed: Pulse tests skipped"), .serialized,
    .timeLimit(.minutes(2)))
struct PulseOutputTests {
    let source = FakeSource()

    /// Returns an output with a long transit time: these tests check what is heard, on a machine that may be busy.
    private func output(_ server: PulseServer) -> PulseOutput {
        PulseOutput(sink: nil, server: server.address, rewinds: nil, transit: .milliseconds(50))
    }

    /// The number of frames that a null sink with rewinding, unlike ALSA's, drops from its monitor where silence ends,
    /// whoever plays.
    private static let rewound: Int64 = 264

    /// Returns what was heard from the first sound on.
    private func runs(_ recorder: Recorder) -> [PlaceCode.Run] {
        Array(recorder.runs.drop { if case .silence = $0 { true } else { false } })
    }

    private func isSilence(_ run: PlaceCode.Run) -> Bool {
        if case .silence = run { true } else { false }
    }

    private func places(_ run: PlaceCode.Run) -> Range<Int64>? {
        if case .places(let range) = run { range } else { nil }
    }

    @Test(arguments: [false, true]) func `sound passes bit for bit and without a gap`(_ rewinds: Bool) async throws {
        let server = try PulseServer(rewinds: rewinds)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0, to: 60_000)
        #expect(try await output.connect().device == "Null Output")
        #expect(try await output.open(.test(source)).otherAudioPlaying == false)
        await log.wait(for: "ended 1")
        await recorder.wait(frames: 4_800)
        let range = try #require(runs(recorder).compactMap(places).first)
        #expect(range.upperBound == 60_000)
        #expect(rewinds ? range.lowerBound < 72 + Self.rewound : range.lowerBound == 72)
        #expect(log.lines == ["started 1", "ended 1"])
        await output.shutDown()
    }

    @Test(arguments: [false, true]) func `pause and resume lose and repeat nothing`(_ rewinds: Bool) async throws {
        let server = try PulseServer(rewinds: rewinds)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        for _ in 0..<8 {
            await recorder.wait(frames: 7_000)
            let place = try await output.pause()
            await recorder.wait(frames: 7_000)
            #expect(await output.heard() == place)
            try await output.resume()
        }
        await recorder.wait(frames: 7_000)
        await output.shutDown()
        // Every stretch continues where the fades around the silence imply.
        var expected: Int64?
        var pauses = 0
        for run in runs(recorder) {
            switch run {
            case .places(let range):
                if let expected {
                    let lost = range.lowerBound - expected
                    #expect(lost == 0 || (rewinds && lost > 0 && lost < Self.rewound), "\(runs(recorder))")
                }
                expected = range.upperBound
            case .mixed(let count): expected = expected.map { $0 + Int64(count) } ?? Int64(count)
            case .silence: pauses += 1
            }
        }
        #expect(pauses >= 8)
    }

    @Test(arguments: [false, true]) func `a seek lands on its frame, with no gap and nothing old after it`(
        _ rewinds: Bool
    ) async throws {
        let server = try PulseServer(rewinds: rewinds)
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        for generation in UInt32(2)...9 {
            await recorder.wait(frames: 9_000)
            try await output.reposition(to: generation)
            source.supply(generation: generation, from: Int64(generation) * 1_000_000)
            await log.wait(for: "started \(generation)")
        }
        await recorder.wait(frames: 20_000)
        await output.shutDown()
        let places = runs(recorder).compactMap(places)
        #expect(places.count == 9, "\(runs(recorder))")
        for (index, range) in places.enumerated().dropFirst() {
            #expect(abs(range.lowerBound - Int64(index + 1) * 1_000_000 - 192) <= 2, "\(runs(recorder))")
        }
        #expect(!runs(recorder).dropLast().contains(where: isSilence))
    }

    @Test func `sound that arrives late after a seek begins at its first frame`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait(frames: 9_000)
        try await output.reposition(to: 2)
        await recorder.wait(frames: 24_000)
        #expect(await output.heard() == nil)
        source.supply(generation: 2, from: 1_000_000)
        await log.wait(for: "started 2")
        await recorder.wait(frames: 24_000)
        await output.shutDown()
        let range = try #require(runs(recorder).compactMap(places).last)
        #expect(abs(range.lowerBound - 1_000_072) <= 2, "\(runs(recorder))")
    }

    @Test func `a late engine causes a gap, and nothing is lost`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.put(9_600, at: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "starved 1")
        await recorder.wait(frames: 9_600)
        source.put(9_600, at: 9_600, isEnd: true)
        await log.wait(for: "ended 1")
        await recorder.wait(frames: 9_600)
        await output.shutDown()
        let runs = runs(recorder)
        #expect(runs.contains(.places(72..<9_600)), "\(runs)")
        #expect(runs.contains(.places(9_672..<19_200)), "\(runs)")
        #expect(log.lines == ["started 1", "starved 1", "started 1", "ended 1"])
    }

    @Test func `the reported position is what the recorder hears`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        var last: Int64 = -1
        for _ in 0..<20 {
            await recorder.wait(frames: 2_000)
            let before = recorder.samples.count
            let heard = try #require(await output.heard()).units
            let after = recorder.samples.count
            #expect(heard >= last)
            last = heard
            let samples = recorder.samples
            let low = PlaceCode.position(left: samples[before - 2], right: samples[before - 1]) ?? 0
            let high = PlaceCode.position(left: samples[after - 2], right: samples[after - 1]) ?? 0
            // The recorder receives a block when the sink takes it, up to 5 ms early, and may read late itself.
            #expect(heard > low - 480 && heard < high + 4_800, "\(low) \(heard) \(high)")
        }
        await output.shutDown()
    }

    @Test func `a missing server is reported quickly`() async {
        let output = PulseOutput(sink: nil, server: "unix:/nonexistent/native")
        await #expect {
            _ = try await output.connect()
        } throws: { error in
            (error as? OutputError)?.code == .unavailable
        }
        await output.shutDown()
    }

    @Test func `a missing sink is reported`() async throws {
        let server = try PulseServer()
        let output = PulseOutput(sink: "none", server: server.address)
        await #expect {
            _ = try await output.connect()
        } throws: { error in
            (error as? OutputError)?.code == .unavailable
        }
        await output.shutDown()
    }

    @Test func `a server that dies is reported with the last position`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait(frames: 9_600)
        server.stop()
        await log.wait(forPrefix: "failed lost at")
        #expect(!log.lines.contains("failed lost at -"))
        #expect(await output.heard() == nil)
        await #expect(throws: OutputError.self) { _ = try await output.connect() }
        await output.shutDown()
    }

    private func isTimeout(_ error: any Error) -> Bool { (error as? OutputError)?.code == .timeout }

    @Test func `a server that accepts connections and never answers is given up`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rostrum-mute-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mute = try MuteServer(in: folder)
        let output = PulseOutput(sink: nil, server: mute.address)
        let log = EventLog(output)
        let began = MonotonicTime.now()
        await #expect {
            _ = try await output.connect()
        } throws: { error in
            isTimeout(error)
        }
        #expect(MonotonicTime.now() - began < 15 * MonotonicTime.second)
        withExtendedLifetime(mute) {}
        await output.shutDown()
        #expect(log.lines.isEmpty)
    }

    @Test func `a server that freezes delays no command for long and can be left`() async throws {
        let server = try PulseServer()
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        server.freeze()
        let began = MonotonicTime.now()
        let next = FakeSource()
        next.supply(generation: 2, from: 1_000_000)
        await #expect {
            _ = try await output.open(.test(next, generation: 2))
        } throws: { error in
            isTimeout(error)
        }
        #expect(await output.heard() == nil)
        await output.shutDown()
        #expect(MonotonicTime.now() - began < 15 * MonotonicTime.second)
    }

    @Test func `the next file in another format continues at once`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.put(14_400, at: 0, isTrackEnd: true)
        source.put(22_050, track: 1, at: 0, isEnd: true, format: AudioFormat(sampleRate: 44_100, channels: 1))
        _ = try await output.open(.test(source))
        await log.wait(for: "ended 1")
        await recorder.wait(frames: 4_800)
        await output.shutDown()
        #expect(log.lines == ["started 1", "ended 1"])
        var runs = runs(recorder)
        while let last = runs.last, isSilence(last) { runs.removeLast() }
        #expect(runs.contains(.places(72..<14_400)))
        let holes = runs.compactMap { if case .silence(let frames) = $0 { frames } else { nil } }
        // At most 20 ms, with one sound at a time.
        #expect(holes.reduce(0, +) < 960, "\(runs)")
    }

    @Test func `the next stream is silent until the one before it has faded out`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        await recorder.wait(frames: 12_000)
        let next = FakeSource()
        next.supply(generation: 2, from: 2_000_000)
        _ = try await output.open(.test(next, generation: 2))
        await log.wait(for: "started 2")
        await recorder.wait(frames: 12_000)
        await output.shutDown()
        let runs = runs(recorder)
        let both = runs.reduce(0) { if case .mixed(let frames) = $1 { $0 + frames } else { $0 } }
        // At most two fades of 1.5 ms up and 4 ms down: only fades are mixtures. Depending on the sink's turns, one
        // sound may begin under the fade of the other.
        #expect(both <= 2 * (72 + 192), "\(runs)")
        #expect(
            runs.contains {
                if case .places(let range) = $0 {
                    range.lowerBound <= 2_000_192 && range.lowerBound >= 2_000_000
                } else {
                    false
                }
            }, "\(runs)")
    }

    /// The closed stream ends before the one that fades out, and libpulse frees it during that wait.
    @Test func `a stream that is closed while another one fades out is not used again`() async throws {
        let server = try PulseServer()
        let output = output(server)
        let log = EventLog(output)
        for round in UInt32(0)..<10 {
            let (first, second) = (FakeSource(), FakeSource())
            first.supply(generation: 2 * round + 1, from: 0)
            _ = try await output.open(.test(first, generation: 2 * round + 1))
            await log.wait(for: "started \(2 * round + 1)")
            // A stream without frames has nothing to fade.
            _ = try await output.open(.test(second, generation: 2 * round + 2))
            _ = await output.close()
        }
        #expect(try server.run(["pactl", "list", "short", "sink-inputs"]) == "")
        await output.shutDown()
    }

    @Test func `close leaves no stream behind`() async throws {
        let server = try PulseServer()
        let output = output(server)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await log.wait(for: "started 1")
        #expect(await output.close() != nil)
        #expect(await output.close() == nil)
        #expect(try server.run(["pactl", "list", "short", "sink-inputs"]) == "")
        await output.shutDown()
        #expect(try !server.run(["pactl", "list", "clients"]).contains("Rostrum"))
    }
}
