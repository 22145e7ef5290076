// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import Foundation
import MediaPlayback
import PlaybackCore
import Synchronization

/// An engine of a room: it plays files of ``SignalFile``, and cuts passages out of them.
final class RoomEngine: PlaybackEngine, ClipCutting {
    let id: EngineID
    let events: AsyncStream<EngineEvent>
    let source: any PCMSource
    /// Tells this process apart from others.
    let number: Int
    private let report: AsyncStream<EngineEvent>.Continuation
    private let stage: RoomStage

    private struct State {
        var isDead = false
        /// The number of loads.
        var turn = 0
        var open: (uri: String, path: String, length: Int64)?
        var range: Range<Int64>?
        var loops = false
    }

    /// Locked for one access.
    private let state = Mutex(State())

    init(_ id: EngineID, on stage: RoomStage) {
        self.id = id
        self.stage = stage
        number = stage.nextEngine()
        source = NumberedSource(readiness: Int32(number))
        (events, report) = AsyncStream.makeStream()
    }

    private static let crashed = EngineError(.crashed, message: "signal 11")

    /// Ends the process; what it had rendered is heard first.
    func crash() {
        state.withLock { $0.isDead = true }
        report.yield(.gone(Self.crashed, leavesSound: true))
    }

    private func live<Value>(_ body: (inout State) throws(EngineError) -> Value) throws(EngineError) -> Value {
        try state.withLock { state throws(EngineError) in
            if state.isDead { throw Self.crashed }
            return try body(&state)
        }
    }

    func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription {
        let turn = try live { state in
            state.turn += 1
            return state.turn
        }
        // A cut loads the whole recording, beside what the door is for.
        await stage.pass(request.content.clip == nil ? "load \(id) whole" : "load \(id)")
        // What waited longer at the door is given up for what was asked for last.
        guard try live({ $0.turn }) == turn else {
            throw EngineError(.failed, message: "something later took its place")
        }
        guard case .file(let path)? = request.content.tracks.first, let length = SignalFile.length(of: path) else {
            throw EngineError(.noInput, message: "no such file")
        }
        try live { state in
            state.open = (request.content.uri, path, length)
            state.range = nil
        }
        try render(request.generation, from: request.start)
        let track = TrackDescription(
            timeline: TimelineTrack(
                unitsPerSecond: Double(SignalFile.rate), duration: length, confidence: .exact),
            format: AudioFormat(sampleRate: SignalFile.rate, channels: 1), encoding: .int32, codec: "pcm", title: nil)
        return MediaDescription(title: nil, author: nil, tracks: [track], chapters: [], nativeRates: nil)
    }

    func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError) {
        try render(generation, from: position)
    }

    private func render(_ generation: UInt32, from position: MediaPosition) throws(EngineError) {
        let rendered = try live { state throws(EngineError) in
            guard let open = state.open else { throw EngineError(.usage, message: "nothing is open") }
            return RoomStage.Rendered(
                uri: open.uri, start: position.units, range: state.range, loops: state.loops,
                length: open.length)
        }
        stage.render(RoomStage.Source(engine: number, generation: generation), rendered)
    }

    func setRate(_ rate: Double) async throws(EngineError) {}

    func setRange(_ start: MediaPosition, _ end: MediaPosition, loops: Bool) async throws(EngineError) {
        try live { state in (state.range, state.loops) = (start.units..<end.units, loops) }
    }

    func describeAll() async throws(EngineError) -> MediaDescription {
        let length = try live { $0.open?.length }
        let track = TrackDescription(
            timeline: TimelineTrack(
                unitsPerSecond: Double(SignalFile.rate), duration: length, confidence: .exact),
            format: AudioFormat(sampleRate: SignalFile.rate, channels: 1), encoding: .int32, codec: "pcm", title: nil)
        return MediaDescription(title: nil, author: nil, tracks: [track], chapters: [], nativeRates: nil)
    }

    func measure(track: Int) async throws(EngineError) -> Int64? { try live { $0.open?.length } }
    func unload() async { state.withLock { $0.open = nil } }
    func shutDown() async {
        state.withLock { $0.isDead = true }
        report.finish()
    }

    func cut(_ cut: ClipCut) async throws(EngineError) -> CutResult {
        await stage.pass("cut")
        let path = try live { $0.open?.path } ?? ""
        guard cut.start.track == 0, cut.end.track == 0, cut.start < cut.end,
            let length = SignalFile.length(of: path), cut.end.units <= length,
            let source = FileHandle(forReadingAtPath: path)
        else { throw EngineError(.failed, message: "no such passage") }
        // The samples are those of the source, so that a passage of another file is noticed.
        _ = try? source.seek(toOffset: UInt64(44 + cut.start.units * 4))
        let first = (try? source.read(upToCount: 4))?.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) } ?? -1
        let count = cut.end.units - cut.start.units
        let bytes = SignalFile.bytes(from: first, count: count)
        let file = FileHandle(fileDescriptor: cut.file.rawValue, closeOnDealloc: false)
        if stage.takeCutFailure() {
            file.write(Data(bytes.prefix(bytes.count / 2)))
            throw Self.crashed
        }
        file.write(Data(bytes))
        return CutResult(isEncoded: false, frames: count, sampleRate: SignalFile.rate, fileExtension: "wav")
    }
}

/// A source without sound, which says whose it is.
private final class NumberedSource: PCMSource {
    let readiness: Int32

    init(readiness: Int32) { self.readiness = readiness }

    func next() -> PCMBlock? { nil }
    func advance(by frames: Int) {}
    func rewind(to index: Int64) -> Bool { false }
    func release(before index: Int64) {}
    func discard(before generation: UInt32) {}
    func arm() -> Bool { false }
    func acknowledge() {}
}

/// The engines of a room: `ffmpeg` plays what it is given, `clip` parts of it.
final class RoomEngines: EngineProvider, PeakSourceProvider {
    private let stage: RoomStage
    /// Locked for one access.
    private let started = Mutex<[RoomEngine]>([])

    init(_ stage: RoomStage) { self.stage = stage }

    func installed() async -> [InstalledEngine] {
        [("ffmpeg", ["wav"]), ("clip", [])].map { id, extensions in
            InstalledEngine(
                id: EngineID(id), name: id, version: "1", vendor: "test", license: "Apache-2.0", abi: "1.0",
                kinds: [.audio], extensions: extensions, schemes: [], hosting: .isolated, state: .available,
                path: "/\(id).engine", reason: nil)
        }
    }

    func start(_ id: EngineID) async throws(EngineError) -> any PlaybackEngine {
        let engine = RoomEngine(id, on: stage)
        started.withLock { $0.append(engine) }
        return engine
    }

    func start(_ id: EngineID, inPlaceOf gone: any PlaybackEngine) async throws(EngineError) -> any PlaybackEngine {
        throw EngineError(.unavailable, message: "it left no end")
    }

    func prewarm(_ id: EngineID) async {}
    func endSpare(_ id: EngineID) async {}
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String? { nil }

    func startPeakSource(_ id: EngineID) async throws(EngineError) -> any PeakSource {
        throw EngineError(.unavailable, message: "no peaks here")
    }

    /// Ends the process that is audible now.
    ///
    /// - Returns: `false` if none is.
    func crash() -> Bool {
        guard let number = stage.crash(), let engine = started.withLock({ $0.first { $0.number == number } }) else {
            return false
        }
        engine.crash()
        stage.starve(number)
        return true
    }
}
