// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Clocks
import EngineBridge
import Foundation
import MediaPlayback
import PlaybackCore
import SoftwareOutputs

enum Hosting: String, CaseIterable { case inProcess, isolated }

struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

/// A measurement of the cost of isolation: the same engine with the same file, hosted both ways in turn.
struct Bench {
    let module: String
    let runner: String
    let file: String
    let reactor: EngineReactor

    private var content: Content { Content(uri: file, kind: .audio, tracks: [.file(path: file)], title: "book") }

    func engine(_ hosting: Hosting) throws -> HostedEngine {
        // No licence is given: a caller that gives none vouches for the module, which a test may do and a session may
        // not.
        let launch = EngineLaunch(
            id: EngineID("ffmpeg"), module: module,
            hosting: hosting == .inProcess ? .inProcess : .isolated(runner: runner))
        return try HostedEngine(launch, reactor: reactor)
    }

    private func request(_ generation: UInt32) -> LoadRequest {
        LoadRequest(content: content, start: .start, generation: generation, rate: 1, voice: nil)
    }

    // MARK: Latency

    private static func wait(for source: any PCMSource) throws {
        while !source.arm() {
            var entry = pollfd(fd: source.readiness, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 10_000) > 0 else { throw Failure("no sound within 10 s") }
            source.acknowledge()
        }
    }

    private static func milliseconds(_ body: () async throws -> Void) async throws -> Double {
        let start = MonotonicTime.now()
        try await body()
        return Double(MonotonicTime.now() - start) / 1e6
    }

    /// Returns the milliseconds from a command to the first frames of its generation in the ring.
    private func sound(
        of engine: HostedEngine, _ generation: UInt32, after command: @escaping @Sendable () async throws -> Void
    ) async throws -> Double {
        engine.source.discard(before: generation)
        let start = MonotonicTime.now()
        let task = Task.detached { try await command() }
        try Self.wait(for: engine.source)
        let taken = Double(MonotonicTime.now() - start) / 1e6
        try await task.value
        // Let the engine come to rest before the next command: the ring is full.
        try await Task.sleep(for: .milliseconds(15))
        return taken
    }

    func latencies(commands: Int, loads: Int, starts: Int) async throws -> [Comparison] {
        var seeks = Comparison("seek to first frames in the ring, ms", .milliseconds)
        var answers = Comparison("a request and its answer, ms", .milliseconds)
        var warm = Comparison("load in a warm engine to first frames, ms", .milliseconds)
        var cold = Comparison("no engine yet, to first frames, ms", .milliseconds, isJudged: false)
        for _ in 0..<starts {
            for hosting in Hosting.allCases {
                var started: HostedEngine?
                cold.add(
                    try await Self.milliseconds {
                        let engine = try engine(hosting)
                        started = engine
                        _ = try await engine.load(request(1))
                        try Self.wait(for: engine.source)
                    }, hosting)
                await started?.shutDown()
            }
        }
        let engines = try Hosting.allCases.map { ($0, try engine($0)) }
        var units: Int64 = 0
        for (_, engine) in engines {
            units = try await engine.load(request(1)).tracks.first?.timeline.duration ?? 0
            try Self.wait(for: engine.source)
        }
        guard units > 0 else { throw Failure("\(file) has no length") }
        var generation: UInt32 = 1
        for _ in 0..<loads {
            generation += 1
            for (hosting, engine) in engines {
                let request = request(generation)
                warm.add(try await sound(of: engine, generation) { _ = try await engine.load(request) }, hosting)
            }
        }
        for _ in 0..<commands {
            generation += 1
            let place = MediaPosition(track: 0, units: .random(in: 0..<units * 9 / 10))
            let number = generation
            for (hosting, engine) in engines {
                seeks.add(
                    try await sound(of: engine, number) { try await engine.seek(to: place, generation: number) },
                    hosting)
                answers.add(try await Self.milliseconds { _ = try await engine.describeAll() }, hosting)
            }
        }
        for (_, engine) in engines { await engine.shutDown() }
        return [seeks, warm, answers, cold]
    }

    // MARK: Processor

    /// Returns the processor time of all processes in seconds for an hour of sound, taken by an output with a clock.
    private func cost(_ engine: HostedEngine, _ generation: UInt32, rate: Double, speed: Double) async throws -> Double
    {
        engine.source.discard(before: generation)
        let time = ProcessorTime()
        let start = time.seconds
        let description = try await engine.load(request(generation))
        guard let track = description.tracks.first, let length = track.timeline.duration else {
            throw Failure("\(file) has no length")
        }
        let output = NullOutput(clock: FastClock(speed: speed))
        _ = try await output.open(
            StreamRequest(
                format: track.format, encoding: track.encoding, source: engine.source, generation: generation,
                settings: StreamSettings(rate: rate), title: "book", mode: "audiobook"))
        var hasEnded = false
        for await event in output.events {
            if case .failed(let error, _) = event { throw Failure(error.message) }
            if case .ended = event {
                hasEnded = true
                break
            }
        }
        let used = time.seconds - start
        guard hasEnded else { throw Failure("the output ended before the sound did") }
        await output.shutDown()
        let seconds = Double(length) / track.timeline.unitsPerSecond
        return used / seconds * 3600
    }

    func costs(rates: [Double], repetitions: Int, speed: Double) async throws -> [Comparison] {
        var rows = rates.map { Comparison("processor at rate \($0), s for an hour of sound", .secondsAnHour) }
        var generation: UInt32 = 1
        for repetition in 0..<repetitions {
            // The second one may find warmer caches, or a slower clock, so the order alternates.
            let order = repetition % 2 == 0 ? Hosting.allCases : Hosting.allCases.reversed()
            for (index, rate) in rates.enumerated() {
                for hosting in order {
                    let engine = try engine(hosting)
                    _ = try await engine.load(request(1))
                    try Self.wait(for: engine.source)
                    guard ProcessorTime().children == (hosting == .isolated ? 1 : 0) else {
                        throw Failure("\(hosting): \(ProcessorTime().children) processes of engines")
                    }
                    generation += 1
                    rows[index].add(
                        try await cost(engine, generation, rate: rate, speed: speed), hosting)
                    await engine.shutDown()
                }
            }
        }
        return rows
    }
}
