// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization
import Testing
import WaitTestSupport

/// A log of readable lines in order, with a way to wait for one of them.
final class Tape: Sendable {
    private let watched = Watched<[String]>([])

    func add(_ line: String) { watched.change { $0.append(line) } }

    var lines: [String] { watched.value }

    /// Returns when a line with this prefix has been added, or was added before.
    func wait(for prefix: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        if await watched.wait(until: { $0.contains { $0.hasPrefix(prefix) } }) { return }
        didNotCome("“\(prefix)”", lines.joined(separator: "\n"), sourceLocation)
    }
}

/// A source without sound; the calls it receives are on the tape.
final class FakeSource: PCMSource {
    let name: String
    let tape: Tape
    init(name: String, tape: Tape) {
        self.name = name
        self.tape = tape
    }
    func next() -> PCMBlock? { nil }
    func advance(by frames: Int) {}
    func rewind(to index: Int64) -> Bool { false }
    func release(before index: Int64) {}
    func discard(before generation: UInt32) { tape.add("\(name): discard before \(generation)") }
    var readiness: Int32 { -1 }
    func arm() -> Bool { false }
    func acknowledge() {}
}

/// An engine that does as it is told and records it on the tape.
final class FakeEngine: PlaybackEngine {
    let id: EngineID
    let events: AsyncStream<EngineEvent>
    let report: AsyncStream<EngineEvent>.Continuation
    let source: any PCMSource
    let tape: Tape
    let description: MediaDescription
    let failure: EngineError?
    let gate: Gate
    let measuring: Measuring

    /// The results of measuring lengths.
    struct Measuring: Sendable {
        var isAble = true
        var failures: [Int: EngineError] = [:]
        /// The confidence in each track's length before it is measured.
        var confidences: [Confidence] = [.exact]
        /// The files of a recording that cannot be opened.
        var unopened: Set<Int> = []
        /// `true` if the process ends when it is first asked for another position.
        var diesInSeek = false
    }

    init(
        _ id: EngineID, description: MediaDescription, failure: EngineError?, tape: Tape, gate: Gate,
        measuring: Measuring = Measuring()
    ) {
        self.id = id
        self.gate = gate
        self.measuring = measuring
        self.tape = tape
        self.description = description
        self.failure = failure
        source = FakeSource(name: id.rawValue, tape: tape)
        (events, report) = AsyncStream.makeStream()
    }

    func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription {
        tape.add(
            "\(id): load \(request.content.title) at \(request.start.track):\(request.start.units) (\(request.generation))"
        )
        if let voice = request.voice { tape.add("\(id): voice \(voice)") }
        await gate.pass("load")
        await gate.pass("load \(request.content.title)")
        if let failure { throw failure }
        if request.content.kind == .audio, measuring.unopened.contains(request.start.track) {
            throw EngineError(.badContent, message: "cannot open file \(request.start.track + 1)")
        }
        return description
    }
    func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError) {
        tape.add("\(id): seek \(position.track):\(position.units) (\(generation))")
        guard measuring.diesInSeek else { return }
        let error = EngineError(.crashed, message: "signal 11")
        let end = RenderedEnd(generation: generation - 1, position: MediaPosition(track: 0, units: 500), wasIdle: false)
        report.yield(.gone(error, leavesSound: true, end: end))
        throw error
    }
    func setRate(_ rate: Double) async throws(EngineError) { tape.add("\(id): rate \(rate)") }
    func setRange(_ start: MediaPosition, _ end: MediaPosition, loops: Bool) async throws(EngineError) {
        tape.add("\(id): range \(start.track):\(start.units) to \(end.track):\(end.units)\(loops ? ", loops" : "")")
    }
    func describeAll() async throws(EngineError) -> MediaDescription {
        tape.add("\(id): describe all")
        await gate.pass("describe")
        var description = description
        for index in description.tracks.indices where description.tracks[index].timeline.duration == nil {
            description.tracks[index].timeline = TimelineTrack(
                unitsPerSecond: 1000, duration: 20_000, confidence: .container)
        }
        return description
    }
    func measure(track: Int) async throws(EngineError) -> Int64? { nil }
    func measureLater(track: Int) async throws(EngineError) -> Int64? {
        tape.add("\(id): measure later \(track)")
        await gate.pass("measure")
        if let failure = measuring.failures[track] { throw failure }
        return measuring.isAble ? 123_456 : nil
    }
    func unload() async { tape.add("\(id): unload") }
    func shutDown() async {
        tape.add("\(id): shut down")
        report.finish()
    }
}

/// A provider of five engines.
///
/// `ffmpeg`, `other` and `clip` play audio at 1,000 frames a second; `espeak` and `neural` read text at 10 bytes a
/// second. `clip` promises to open nothing by itself.
final class FakeEngines: EngineProvider {
    let tape: Tape
    let failures: [EngineID: EngineError]
    /// The engine that is no longer installed.
    let missing: EngineID?
    let gate: Gate
    let measuring: FakeEngine.Measuring
    /// The engines that were started, newest last.
    let started = Mutex<[FakeEngine]>([])
    /// The number of files of a recording; describing all finds out the lengths of all but the first.
    let files = Mutex(1)

    init(
        tape: Tape, failures: [EngineID: EngineError] = [:], gate: Gate = Gate(), missing: EngineID? = nil,
        measuring: FakeEngine.Measuring = FakeEngine.Measuring()
    ) {
        self.tape = tape
        self.measuring = measuring
        self.missing = missing
        self.gate = gate
        self.failures = failures
    }

    func installed() async -> [InstalledEngine] {
        [
            Self.engine("ffmpeg", kinds: [.audio], extensions: ["m4b", "mp3"]),
            Self.engine("espeak", kinds: [.text], extensions: ["txt"]),
            Self.engine("clip", kinds: [.audio], extensions: []),
            Self.engine("other", kinds: [.audio], extensions: ["wma"]),
            Self.engine("neural", kinds: [.text], extensions: ["txt"]),
        ].filter { $0.id != missing }
    }

    static func engine(_ id: String, kinds: [ContentKind], extensions: [String]) -> InstalledEngine {
        InstalledEngine(
            id: EngineID(id), name: id, version: "1", vendor: "test", license: "Apache-2.0", abi: "1.0", kinds: kinds,
            extensions: extensions, schemes: [], hosting: .isolated, state: .available, path: "/\(id).engine",
            reason: nil)
    }

    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine {
        tape.add("\(id): start")
        await gate.pass("start \(id)")
        let isText = [EngineID("espeak"), EngineID("neural")].contains(id)
        let known = (isText ? [.estimated] : measuring.confidences).map { confidence in
            TrackDescription(
                timeline: TimelineTrack(
                    unitsPerSecond: isText ? 10 : 1000, duration: isText ? 1000 : 100_000, confidence: confidence),
                format: AudioFormat(sampleRate: isText ? 22_050 : 44_100, channels: 1), encoding: .int16,
                codec: "test", title: nil)
        }
        var unknown = known[0]
        unknown.timeline = TimelineTrack(unitsPerSecond: 1000, duration: nil, confidence: .unknown)
        let tracks = known + Array(repeating: unknown, count: isText ? 0 : files.withLock { $0 } - 1)
        let chapters =
            isText
            ? []
            : [
                Chapter(title: "One", track: 0, start: 0, end: nil, source: "test"),
                Chapter(title: "Two", track: 0, start: 50_000, end: nil, source: "test"),
            ]
        let engine = FakeEngine(
            id,
            description: MediaDescription(
                title: nil, author: nil, tracks: tracks, chapters: chapters, nativeRates: isText ? 0.5...2.5 : nil),
            failure: failures[id], tape: tape, gate: gate, measuring: measuring)
        started.withLock { $0.append(engine) }
        return engine
    }

    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine {
        tape.add("\(id): start in place")
        return try await start(id)
    }

    func endSpare(_ id: EngineID) async { tape.add("\(id): end spare") }
    func prewarm(_ id: EngineID) async { tape.add("\(id): prewarm") }
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String? {
        tape.add("\(id): died")
        return nil
    }

    func report(_ event: EngineEvent) {
        started.withLock { $0.last }?.report.yield(event)
    }
}
