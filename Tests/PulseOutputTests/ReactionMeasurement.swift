// SPDX-License-Identifier: Apache-2.0

import AudioSession
import AudioTestSupport
import Foundation
import Testing

@testable import PulseOutput

/// Measures how soon commands are heard and how often the thread wakes; it judges nothing.
@Suite(
    .enabled(
        if: PulseServer.isAvailable && ProcessInfo.processInfo.environment["ROSTRUM_MEASURE"] != nil,
        "set ROSTRUM_MEASURE to measure"), .serialized)
struct ReactionMeasurement {
    let rounds = 20

    private func voluntarySwitches(of name: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for task in tasks {
            let folder = "/proc/self/task/\(task)/"
            guard (try? String(contentsOfFile: folder + "comm", encoding: .utf8))?.hasPrefix(name) == true else {
                continue
            }
            let status = (try? String(contentsOfFile: folder + "status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary") }
            return line.flatMap { $0.split(separator: "\t").last }.flatMap { Int($0) } ?? 0
        }
        return 0
    }

    private func report(_ what: String, _ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return print("\(what): nothing") }
        func text(_ value: Double) -> String { String(format: "%.1f", value) }
        print("\(what): median \(text(sorted[sorted.count / 2])) (\(text(first))-\(text(last))) n=\(sorted.count)")
    }

    private func milliseconds(_ from: UInt64, _ to: UInt64?) -> Double? {
        to.map { (Double($0) - Double(from)) / 1e6 }
    }

    @Test func `reaction`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = PulseOutput(sink: nil, server: server.address)
        let log = EventLog(output)
        let source = FakeSource()
        source.supply(generation: 1, from: 0)
        _ = try await output.connect()
        var values: [Double] = []
        var start = DispatchTime.now().uptimeNanoseconds
        _ = try await output.open(.test(source))
        await recorder.wait { $0.suffix(2_000).contains { $0 != 0 } }
        let first = recorder.samples.firstIndex { $0 != 0 } ?? 0
        report("open -> first sound, ms", [milliseconds(start, recorder.time(ofFrame: first / 2)) ?? -1])

        var late: [Double] = []
        for generation in UInt32(2)..<UInt32(2 + rounds) {
            await recorder.wait(frames: 9_000 + Int(generation) * 37)
            let begin = recorder.samples.count / 2
            start = DispatchTime.now().uptimeNanoseconds
            try await output.reposition(to: generation)
            source.supply(generation: generation, from: Int64(generation) * 1_000_000)
            await log.wait(for: "started \(generation)")
            await recorder.wait(frames: 2_400)
            let samples = recorder.samples
            for frame in begin..<samples.count / 2 {
                let place = PlaceCode.position(left: samples[frame * 2], right: samples[frame * 2 + 1])
                guard let place, place >= Int64(generation) * 1_000_000, place < Int64(generation + 1) * 1_000_000
                else {
                    continue
                }
                let into = Int(place) - Int(generation) * 1_000_000
                late.append(Double(max(0, into - 192)) / 48)
                if let time = milliseconds(start, recorder.time(ofFrame: frame - min(into, 192))) {
                    values.append(time)
                }
                break
            }
        }
        report("seek -> new sound, ms", values)
        report("seek: missing at the beginning, ms", late)

        var pauses: [Double] = []
        var resumes: [Double] = []
        for round in 0..<rounds {
            await recorder.wait(frames: 9_000 + round * 41)
            start = DispatchTime.now().uptimeNanoseconds
            _ = try await output.pause()
            await recorder.wait(frames: 4_800)
            let samples = recorder.samples
            if let last = samples.lastIndex(where: { $0 > 0.004 }) {
                if let time = milliseconds(start, recorder.time(ofFrame: last / 2)) { pauses.append(time) }
            }
            let begin = samples.count
            start = DispatchTime.now().uptimeNanoseconds
            try await output.resume()
            await recorder.wait(frames: 4_800)
            if let first = recorder.samples[begin...].firstIndex(where: { $0 > 0.004 }) {
                if let time = milliseconds(start, recorder.time(ofFrame: first / 2)) { resumes.append(time) }
            }
        }
        report("pause -> silence, ms", pauses)
        report("resume -> sound, ms", resumes)

        await recorder.wait(frames: 96_000)
        let before = voluntarySwitches(of: "pulse-output")
        await recorder.wait(frames: 480_000)
        print("wake-ups a second, playing: \(Double(voluntarySwitches(of: "pulse-output") - before) / 10)")
        _ = try await output.pause()
        await recorder.wait(frames: 24_000)
        let paused = voluntarySwitches(of: "pulse-output")
        await recorder.wait(frames: 240_000)
        print("wake-ups a second, paused: \(Double(voluntarySwitches(of: "pulse-output") - paused) / 5)")
        await output.shutDown()
    }

    @Test func `rate`() async throws {
        let server = try PulseServer()
        let recorder = try Recorder(server)
        await recorder.wait(frames: 1)
        let output = PulseOutput(sink: nil, server: server.address)
        // A tone of 500 Hz that grows louder with its position.
        let source = FakeSource { position, _ in
            Float(sin(Double(position) * 2 * .pi * 500 / 48_000)) * (0.2 + Float(position) / 1e7)
        }
        source.supply(generation: 1, from: 0)
        _ = try await output.open(.test(source))
        await recorder.wait(frames: 48_000)
        try await output.set(.rate(2))
        await recorder.wait(frames: 96_000)
        let samples = recorder.samples.suffix(96_000)
        let left = stride(from: samples.startIndex, to: samples.endIndex, by: 2).map { samples[$0] }
        let crossings = zip(left, left.dropFirst()).count { $0 < 0 && $1 >= 0 }
        print("pitch at 2x: \(Double(crossings)) Hz for 500")
        let place = await output.heard()?.units ?? 0
        print("heard at 2x: \(place)")
        await output.shutDown()
    }
}
