// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import EngineTransport
import Foundation
import MediaPlayback
import PlaybackCore
import ProcessTestSupport
import Synchronization
import Testing

@testable import EngineBridge

extension EngineBridgeTests {
    /// Tests that peaks get from an engine to the session, and nothing that cannot be peaks.
    @Suite(.timeLimit(.minutes(1)))
    struct PeakTransferTests {
        let reactor: EngineReactor

        init() throws { reactor = try EngineReactor() }

        private func load(
            _ mode: String, _ hosting: TestHosting, deadlines: EngineDeadlines = EngineDeadlines()
        ) async throws -> HostedEngine {
            let engine = try HostedEngine(FixtureModule.launch(hosting), reactor: reactor, deadlines: deadlines)
            _ = try await engine.load(LoadRequest(fixture(mode, tracks: 2)))
            return engine
        }

        private func read(_ engine: HostedEngine, from first: Int64, count: Int) async throws(EngineError) -> [Peak] {
            try await engine.peaks(track: 0, framesPerPeak: 512, first: first, count: count)
        }

        @Test(arguments: TestHosting.allCases)
        func `peaks arrive in order up to the end of the track`(_ hosting: TestHosting) async throws {
            let engine = try await load("peaks", hosting)
            var all: [Peak] = []
            for first in stride(from: 0, to: 12_288, by: 4096) {
                all += try await read(engine, from: Int64(first), count: 4096)
            }
            let expected: [Peak] = (0..<10_000).map { number in
                Peak(minimum: Int16(-number), maximum: Int16(number), rms: UInt16(number / 2))
            }
            #expect(all == expected)
            #expect(try await read(engine, from: 10_000, count: 1).isEmpty)
            #expect(try await read(engine, from: 9_999, count: 2).count == 1)
            await engine.shutDown()
        }

        @Test(
            arguments: [(64, -1, 1), (63, 0, 1), (65_537, 0, 1), (64, 0, 0), (64, 0, 4097), (0, 0, 1), (64, .max, 1)]
                as [(Int, Int64, Int)])
        func `a request that no engine may get is refused`(_ frames: Int, _ first: Int64, _ count: Int) async throws {
            let engine = try await load("peaks", .inProcess)
            let error = await failure { () throws(EngineError) in
                _ = try await engine.peaks(track: 0, framesPerPeak: frames, first: first, count: count)
            }
            #expect(error?.number == -102)
            let other = await failure { () throws(EngineError) in
                _ = try await engine.peaks(track: 2, framesPerPeak: 512, first: 0, count: 1)
            }
            #expect(other?.number == -102)
            await engine.shutDown()
        }

        @Test(arguments: ["peaks-many", "peaks-upside-down", "peaks-loud"], TestHosting.allCases)
        func `impossible peaks are refused, and the engine keeps working`(_ mode: String, _ hosting: TestHosting)
            async throws
        {
            let engine = try await load(mode, hosting)
            let error = await failure { () throws(EngineError) in _ = try await read(engine, from: 0, count: 4) }
            #expect(error?.kind == .misbehaved)
            #expect(error?.message.contains("impossible peaks of track 0") == true)
            #expect(try await engine.measure(track: 0) == 200_000)
            await engine.shutDown()
        }

        @Test(arguments: TestHosting.allCases)
        func `an engine's own reason is reported`(_ hosting: TestHosting) async throws {
            let engine = try await load("peaks-fail", hosting)
            let error = await failure { () throws(EngineError) in _ = try await read(engine, from: 0, count: 4) }
            #expect(error?.message == "the peaks are damaged")
            await engine.shutDown()
        }

        @Test(arguments: [("peaks-hang", EngineError.Kind.timedOut), ("peaks-die", .crashed)])
        func `an engine that hangs or dies of peaks is ended`(_ mode: String, _ kind: EngineError.Kind) async throws {
            var deadlines = EngineDeadlines()
            deadlines.peaks = .milliseconds(200)
            let engine = try await load(mode, .isolated, deadlines: deadlines)
            let error = await failure { () throws(EngineError) in _ = try await read(engine, from: 0, count: 4) }
            #expect(error?.kind == kind)
            await engine.shutDown()
        }

        @Test func `after a request for peaks nothing is rendered until the next seek`() async throws {
            let engine = try await load("peaks", .isolated)
            _ = try await read(engine, from: 0, count: 1)
            engine.source.discard(before: 2)
            #expect(engine.source.take() == nil)
            _ = try await read(engine, from: 1, count: 1)
            #expect(engine.source.take() == nil)
            try await engine.seek(to: MediaPosition(track: 0, units: 7), generation: 2)
            _ = try await engine.measure(track: 0)
            #expect(engine.source.take()?.position == 7)
            await engine.shutDown()
        }

        @Test func `a background process has the lowest priority of processor and disk`() async throws {
            var launch = try FixtureModule.launch(.isolated)
            #expect(launch.priority.arguments.isEmpty)
            launch.priority = .background
            let others = Set(try children(named: "rostrum-engine"))
            let engine = try HostedEngine(launch, reactor: reactor)
            _ = try await engine.load(LoadRequest(fixture("peaks", tracks: 1)))
            let process = try #require(Set(try children(named: "rostrum-engine")).subtracting(others).first)
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            #expect(threads.count >= 2)
            for thread in threads {
                // proc(5): behind the name in brackets, the 17th field is the niceness and the 39th the policy.
                let line = try String(contentsOfFile: "/proc/\(process)/task/\(thread)/stat", encoding: .utf8)
                let fields = line.split(separator: ")").last?.split(separator: " ") ?? []
                #expect(fields.count > 38 && fields[16] == "19")
                // SCHED_BATCH is 3 on Linux.
                #expect(fields.count > 38 && fields[38] == "3")
                #expect(try diskClass(of: thread) == "idle")
            }
            await engine.shutDown()
        }

        private func diskClass(of thread: String) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/ionice")
            process.arguments = ["-p", thread]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        /// Returns the outcome of a request for 3 peaks, number 1, that is answered with this message.
        private func outcome(_ message: EngineMessage) throws -> Result<EngineLink.Reply, EngineError>? {
            let reader = RingReader(try RingMemory(capacity: RingLayout.defaultCapacity), alarm: reactor.alarm)
            let link = EngineLink(
                id: EngineID("liar"), deadlines: EngineDeadlines(), now: { 0 }, ring: RingWatch(reader, follows: false),
                events: EventOutlet(),
                services: LinkServices(openSource: { _, _ in }, keepIndex: { _, _ in }, leaveBehind: { _ in }))
            let box = Box()
            link.peaks(track: 0, framesPerPeak: 512, first: 0, count: 3) { outcome in
                box.result.withLock { $0 = outcome }
            }
            link.take(message)
            return box.result.withLock { $0 }
        }

        private final class Box: Sendable {
            // The lock is needed because a completion may be called on any thread.
            let result = Mutex<Result<EngineLink.Reply, EngineError>?>(nil)
        }

        private static let peak = WirePeak(minimum: -1, maximum: 2, rms: 1)

        @Test(
            arguments: [
                .peaks(request: 1, Array(repeating: peak, count: 4)), .peaks(request: 2, [peak]),
                .cover(request: 1, mediaType: nil), .measured(request: 1, duration: 4),
            ] as [EngineMessage])
        func `an engine's process that answers something else is ended`(_ message: EngineMessage) throws {
            guard case .failure(let error) = try outcome(message) else {
                Issue.record("it was believed")
                return
            }
            #expect(error.kind == .misbehaved)
        }
    }
}
