// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineBridge
import Foundation
import MediaPlayback
import PlaybackCore
import Testing

extension EngineBridgeTests {
    /// Measurements that are printed; they run with `ROSTRUM_MEASURE=1`, on a release build for meaningful figures.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment["ROSTRUM_MEASURE"] != nil, "set ROSTRUM_MEASURE=1"))
    struct LatencyTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        private func milliseconds(_ body: () async throws -> Void) async throws -> Double {
            let start = EngineReactor.monotonic()
            try await body()
            return Double(EngineReactor.monotonic() - start) / 1e6
        }

        private func report(_ what: String, _ values: [Double]) {
            let sorted = values.sorted()
            let text = [0, sorted.count / 2, sorted.count - 1].map { String(format: "%.2f", sorted[$0]) }
            print("\(what): min \(text[0]) ms, median \(text[1]) ms, max \(text[2]) ms")
        }

        @Test func `time to the first sound: cold, warm and after a seek`() async throws {
            var cold: [Double] = []
            var loads: [Double] = []
            var warm: [Double] = []
            var seeks: [Double] = []
            for _ in 0..<20 {
                var engine: HostedEngine?
                let start = EngineReactor.monotonic()
                cold.append(
                    try await milliseconds {
                        let started = try HostedEngine(BuildProducts.tone(.isolated), reactor: reactor)
                        engine = started
                        _ = try await started.load(LoadRequest(tones()))
                        loads.append(Double(EngineReactor.monotonic() - start) / 1e6)
                        #expect(started.source.waitForSound())
                    })
                guard let engine else { continue }
                engine.source.discard(before: 2)
                warm.append(
                    try await milliseconds {
                        _ = try await engine.load(LoadRequest(tones(), generation: 2))
                        #expect(engine.source.waitForSound())
                    })
                for generation in UInt32(3)..<53 {
                    engine.source.discard(before: generation)
                    seeks.append(
                        try await milliseconds {
                            async let done: Void = engine.seek(
                                to: MediaPosition(track: 0, units: 1000), generation: generation)
                            #expect(engine.source.waitForSound())
                            try await done
                        })
                }
                await engine.shutDown()
            }
            report("spawn to loaded", loads)
            report("spawn to first sound", cold)
            report("load in a warm engine to first sound", warm)
            report("seek to first sound", seeks)
        }

        @Test func `memory of a runner that plays`() async throws {
            let engine = try HostedEngine(BuildProducts.tone(.isolated), reactor: reactor)
            _ = try await engine.load(LoadRequest(tones()))
            while let block = engine.source.take(), !block.isEnd {}
            for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
                guard let name = try? String(contentsOfFile: "/proc/\(entry)/comm", encoding: .utf8),
                    name.hasPrefix("rostrum-engine"),
                    let status = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
                    status.split(separator: " ").count > 3, status.split(separator: " ")[3] == "\(getpid())",
                    let rollup = try? String(contentsOfFile: "/proc/\(entry)/smaps_rollup", encoding: .utf8)
                else { continue }
                for line in rollup.split(separator: "\n") where line.hasPrefix("Pss") || line.hasPrefix("Rss") {
                    print(line)
                }
            }
            await engine.shutDown()
        }
    }
}
