// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import SoftwareOutputs
import Testing

@Suite struct NullOutputTests {
    let clock = ManualClock()
    let recording = Recording()
    let source = FakeSource()

    func output(latency: Duration = .zero, faults: NullFaults = NullFaults()) -> NullOutput {
        NullOutput(clock: clock, latency: latency, depth: .seconds(1), faults: faults) { [recording] samples, _ in
            recording.append(samples)
        }
    }

    /// Lets time pass in steps like a device's periods.
    func play(_ output: NullOutput, milliseconds: Int) async {
        for _ in 0..<max(1, milliseconds / 10) {
            clock.advance(by: .milliseconds(min(10, milliseconds)))
            _ = await output.heard()
        }
    }

    @Test func `playback runs in real time, and the position follows the clock`() async throws {
        let output = output(latency: .milliseconds(20))
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        #expect(await output.heard() == nil)
        await play(output, milliseconds: 500)
        #expect(await output.heard()?.units == 24_000 - 960)
        await play(output, milliseconds: 2_500)
        #expect(await output.heard()?.units == 144_000 - 960)
        #expect(recording.runs.last == .places(72..<144_000))
        await output.shutDown()
    }

    @Test func `a jump of the clock is filled with sound`() async throws {
        let output = output()
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        clock.advance(by: .seconds(10))
        #expect(await output.heard()?.units == 480_000)
        await output.shutDown()
    }

    @Test func `pause returns the position, and resume continues there`() async throws {
        let output = output()
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        #expect(try await output.pause()?.units == 24_000 + 192)
        await play(output, milliseconds: 1_000)
        #expect(await output.heard()?.units == 24_192)
        try await output.resume()
        await play(output, milliseconds: 500)
        let heard = try #require(await output.heard())
        #expect((47_000...49_000).contains(heard.units))
        guard case .places(let after)? = recording.runs.last else {
            Issue.record("\(recording.runs)")
            return
        }
        #expect(after.lowerBound == 24_192 + 96)
        await output.shutDown()
    }

    @Test func `a position is unknown until the seek is audible, and then exact`() async throws {
        let output = output()
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        try await output.reposition(to: 2)
        #expect(await output.heard() == nil)
        source.supply(generation: 2, from: 1_000_000)
        await play(output, milliseconds: 500)
        #expect(await output.heard()?.generation == 2)
        guard case .places(let after)? = recording.runs.last else {
            Issue.record("\(recording.runs)")
            return
        }
        #expect(after.lowerBound == 1_000_192)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "started 2"])
    }

    @Test func `old sound stops if the new one does not arrive`() async throws {
        let output = output()
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        try await output.reposition(to: 2)
        await play(output, milliseconds: 500)
        guard case .silence(let frames)? = recording.runs.last else {
            Issue.record("\(recording.runs)")
            return
        }
        #expect(frames > 4_800)
        source.supply(generation: 2, from: 1_000_000)
        await play(output, milliseconds: 500)
        #expect(await output.heard()?.generation == 2)
        await output.shutDown()
    }

    @Test func `the end is reported when it is heard, not when it is read`() async throws {
        let output = output(latency: .milliseconds(100))
        let log = EventLog(output)
        source.supply(generation: 1, from: 0, to: 24_000)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        #expect(await output.heard()?.units == 24_000 - 4_800)
        await play(output, milliseconds: 150)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "ended 1"])
    }

    @Test func `a late engine is reported once, and sound continues`() async throws {
        let output = output()
        let log = EventLog(output)
        source.put(4_800, at: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 300)
        source.put(4_800, at: 4_800, isEnd: true)
        await play(output, milliseconds: 300)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "starved 1", "started 1", "ended 1"])
        #expect(recording.runs.contains(.places(72..<4_800)))
        #expect(recording.runs.last == .places(4_800 + 72..<9_600))
    }

    @Test func `a lost device is reported with the last position`() async throws {
        var faults = NullFaults()
        faults.lostAfter = 10_000
        let output = output(faults: faults)
        let log = EventLog(output)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        #expect(await output.heard() == nil)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "failed lost at 10000"])
    }

    @Test func `a slow and a stalled device report correct positions`() async throws {
        var faults = NullFaults()
        faults.pace = 0.5
        faults.stall = .init(frame: 4_800, duration: .milliseconds(100))
        let output = output(faults: faults)
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        #expect(await output.heard()?.units == 4_800 + 4_800)
        await output.shutDown()
    }

    @Test func `a device that refuses reports it`() async {
        var faults = NullFaults()
        faults.refusal = OutputError(.refused, source: "null", message: "no")
        let output = output(faults: faults)
        await #expect(throws: OutputError.self) { _ = try await output.connect() }
        await #expect(throws: OutputError.self) { _ = try await output.open(.test(source)) }
        await output.shutDown()
    }

    @Test func `the next file in another format continues in its own format`() async throws {
        let output = output()
        let log = EventLog(output)
        source.put(9_600, at: 0, isTrackEnd: true)
        source.put(22_050, track: 1, at: 0, isEnd: true, format: AudioFormat(sampleRate: 44_100, channels: 1))
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 400)
        let heard = try #require(await output.heard())
        #expect(heard.track == 1)
        #expect(abs(heard.units - 8_820) <= 441)
        await play(output, milliseconds: 400)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "ended 1"])
    }

    @Test func `sound in an unannounced format is heard from its first frame`() async throws {
        let output = output()
        let log = EventLog(output)
        source.put(22_050, at: 0, isEnd: true, format: AudioFormat(sampleRate: 44_100, channels: 1))
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 600)
        await output.shutDown()
        await log.wait(for: "over")
        #expect(log.lines == ["started 1", "ended 1"])
    }

    @Test func `a new rate applies to what is heard next, and nothing is skipped`() async throws {
        let output = output()
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 500)
        try await output.set(.rate(2))
        #expect(await output.heard()?.units == 24_000)
        await play(output, milliseconds: 500)
        let heard = try #require(await output.heard())
        #expect(abs(heard.units - 72_000) < 2_400)
        await output.shutDown()
    }

    @Test func `an output that is opened paused is silent until resume`() async throws {
        let output = output()
        source.supply(generation: 1, from: 500)
        _ = try await output.open(.test(source, isPaused: true))
        await play(output, milliseconds: 200)
        #expect(recording.samples.isEmpty)
        try await output.resume()
        await play(output, milliseconds: 100)
        #expect(recording.samples.count == 9_600)
        #expect(await output.heard()?.units == 500 + 4_800)
        await output.shutDown()
    }

    @Test func `close returns the position, and nothing if it is repeated`() async throws {
        let output = output()
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await play(output, milliseconds: 100)
        #expect(await output.close()?.units == 4_800)
        #expect(await output.close() == nil)
        await output.shutDown()
    }
}
