// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BookTimeline
import MediaPlayback
import PlaybackCore
import Synchronization

/// What happened, in order, as readable lines; and a way to wait for one of them.
final class Tape: Sendable {
    private struct State {
        var lines: [String] = []
        var waiters: [(String, CheckedContinuation<Void, Never>)] = []
    }

    /// Locked for an append or a copy.
    private let state = Mutex(State())

    func add(_ line: String) {
        let woken = state.withLock { state in
            state.lines.append(line)
            let woken = state.waiters.filter { line.hasPrefix($0.0) }
            state.waiters.removeAll { line.hasPrefix($0.0) }
            return woken
        }
        for (_, waiter) in woken { waiter.resume() }
    }

    var lines: [String] { state.withLock(\.lines) }

    /// Returns when a line that begins so has been added, or was added before.
    func wait(for prefix: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.contains(where: { $0.hasPrefix(prefix) }) { return true }
                state.waiters.append((prefix, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// A source without sound; what it is told is on the tape.
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

/// An engine that does as it is told and writes it down.
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

    /// What finding out lengths comes to.
    struct Measuring: Sendable {
        var isAble = true
        var failures: [Int: EngineError] = [:]
        /// How sure the engine is of each track before.
        var confidences: [Confidence] = [.exact]
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
        if let failure { throw failure }
        return description
    }
    func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError) {
        tape.add("\(id): seek \(position.track):\(position.units) (\(generation))")
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

/// Two engines: `ffmpeg` plays audio at 1,000 frames a second, `espeak` reads text at 10 bytes a second.
final class FakeEngines: EngineProvider {
    let tape: Tape
    let failures: [EngineID: EngineError]
    /// Not installed any more.
    let missing: EngineID?
    let gate: Gate
    let measuring: FakeEngine.Measuring
    /// The engines that were started, newest last.
    let started = Mutex<[FakeEngine]>([])
    /// Files of a recording; the lengths of all but the first are found out by describing all.
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
        let isText = id == EngineID("espeak")
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

    func endSpare(_ id: EngineID) async {}
    func prewarm(_ id: EngineID) async { tape.add("\(id): prewarm") }
    func died(_ id: EngineID, _ error: EngineError, item: String?, leavesSound: Bool) async -> String? {
        tape.add("\(id): died")
        return nil
    }

    func report(_ event: EngineEvent) {
        started.withLock { $0.last }?.report.yield(event)
    }
}

/// An output whose ear is told by the test what it hears.
final class FakeOutput: AudioOutput {
    let name = "fake"
    let isRender = false
    let events: AsyncStream<OutputEvent>
    let report: AsyncStream<OutputEvent>.Continuation
    let tape: Tape
    private let failure: OutputError?
    private let gate: Gate
    /// Written by calls of the coordinator, which come one at a time, and read by the test.
    private let state = Mutex<(generation: UInt32, heard: HeardPosition?)>((0, nil))

    init(tape: Tape, failure: OutputError? = nil, gate: Gate = Gate()) {
        self.tape = tape
        self.gate = gate
        self.failure = failure
        (events, report) = AsyncStream.makeStream()
    }

    func hear(_ units: Int64) {
        state.withLock { $0.heard = HeardPosition(generation: $0.generation, track: 0, units: units) }
    }

    private func begin(_ generation: UInt32) {
        state.withLock { $0 = (generation, nil) }
        report.yield(.started(generation: generation))
    }

    func connect() async throws(OutputError) -> Route {
        if let failure { throw failure }
        return Route(output: "fake", device: "ear")
    }
    func open(_ request: StreamRequest) async throws(OutputError) -> Route {
        tape.add("output: open \(request.title) at rate \(request.rate) (\(request.generation))")
        if request.sound != SoundOptions() { tape.add("output: opened with \(request.sound.words)") }
        begin(request.generation)
        return Route(output: "fake", device: "ear")
    }
    func pause() async throws(OutputError) -> HeardPosition? {
        tape.add("output: pause")
        return state.withLock(\.heard)
    }
    func resume() async throws(OutputError) { tape.add("output: resume") }
    func reposition(to generation: UInt32) async throws(OutputError) {
        tape.add("output: reposition (\(generation))")
        begin(generation)
    }
    func setRate(_ rate: Double) async throws(OutputError) { tape.add("output: rate \(rate)") }
    func setVolume(_ volume: Double) async throws(OutputError) { tape.add("output: volume \(volume)") }
    func setSound(_ sound: SoundOptions) async throws(OutputError) { tape.add("output: sound \(sound.words)") }
    func setLimit(_ limit: HeardPosition?) async throws(OutputError) {
        tape.add("output: limit \(limit.map { "\($0.track):\($0.units)" } ?? "none")")
    }
    func heard() async -> HeardPosition? {
        let heard = state.withLock(\.heard)
        await gate.pass("heard")
        return heard
    }
    func close() async -> HeardPosition? {
        tape.add("output: close")
        await gate.pass("close")
        return state.withLock(\.heard)
    }
    func shutDown() async { report.finish() }
}

extension SoundOptions {
    /// What is on.
    fileprivate var words: String {
        let loudness = loudness.map { " loudness \($0)" } ?? ""
        let silence = silence.map { " silence \($0)" } ?? ""
        let all = (isMono ? " mono" : "") + (balance == 0 ? "" : " balance \(balance)") + loudness + silence
        return all.isEmpty ? "as recorded" : String(all.dropFirst())
    }
}

struct OneOutput: OutputProvider {
    let output: FakeOutput
    func outputs(named name: String) -> [any AudioOutput] { [output] }
}

/// Places in memory.
final class FakeStore: PlaceStore {
    let tape: Tape
    /// Locked for one access.
    private let state = Mutex<(places: [String: SavedPlace], last: [ContentKind: LastItem])>(([:], [:]))
    /// Locked for one access.
    private let settings = Mutex<[SettingKey: String]>([:])
    private let failsLookup: Mutex<Bool>
    private let saveFailure = Mutex<PlaceStoreError?>(nil)

    init(tape: Tape, failsLookup: Bool = false, selectedEngine: String? = nil) {
        self.tape = tape
        self.failsLookup = Mutex(failsLookup)
        settings.withLock { $0[.selectedEngine] = selectedEngine }
    }

    func set(failsLookup: Bool) { self.failsLookup.withLock { $0 = failsLookup } }

    func prepare() async -> [String] { [] }
    func place(of uri: String, owner: OwnerID) async -> PlaceLookup {
        if failsLookup.withLock({ $0 }) { return .failed(PlaceStoreError(.unavailable, "the disk is gone")) }
        return state.withLock { $0.places[uri] }.map { .progress($0) } ?? .empty
    }
    func save(_ place: SavedPlace, durably: Bool) async throws(PlaceStoreError) {
        tape.add(
            "store: \(place.uri) \(place.position.units)\(place.finished ? " finished" : "") (\(place.provenance))")
        if let failure = saveFailure.withLock({ $0 }) { throw failure }
        state.withLock { $0.places[place.uri] = place }
    }
    func lastItem(of kind: ContentKind, owner: OwnerID) async throws(PlaceStoreError) -> LastItem? {
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        return state.withLock { $0.last[kind] }
    }
    func fail(saves: PlaceStoreError?) { saveFailure.withLock { $0 = saves } }
    func setLastItem(_ item: LastItem) async throws(PlaceStoreError) {
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        state.withLock { $0.last[item.kind] = item }
    }
    func remember(_ habit: ListeningHabit, of uri: String, owner: OwnerID) async throws(PlaceStoreError) {
        state.withLock { state in
            guard var place = state.places[uri] else { return }
            place.rate = habit.rate ?? place.rate
            place.volume = habit.volume ?? place.volume
            place.engine = habit.engine ?? place.engine
            place.voice = habit.voice ?? place.voice
            state.places[uri] = place
        }
    }
    func setting(_ key: SettingKey) async throws(PlaceStoreError) -> String? {
        if failsLookup.withLock({ $0 }) { throw PlaceStoreError(.unavailable, "the disk is gone") }
        return settings.withLock { $0[key] }
    }
    func set(_ key: SettingKey, to value: String?) async throws(PlaceStoreError) {
        if let failure = saveFailure.withLock({ $0 }) { throw failure }
        settings.withLock { $0[key] = value }
    }
}

/// Takes a name for what it says: `.txt` is a text, all else audio; `missing` is not there.
struct FakeResolver: ItemResolving {
    var gate = Gate()

    func resolve(_ request: ItemRequest) async throws(ItemError) -> ResolvedItem {
        let name = request.items.first ?? ""
        await gate.pass("resolve")
        guard !name.contains("missing") else { throw ItemError(.missing, "no such file: \(name)") }
        let tracks = request.items.map { item in
            item.hasPrefix("https:") ? TrackSource.url(item, headers: []) : .file(path: item)
        }
        return ResolvedItem(
            content: Content(
                uri: name, kind: name.hasSuffix(".txt") || request.asText ? .text : .audio,
                tracks: tracks, title: name),
            items: request.items, notes: [])
    }
}

/// Keeps what is recorded.
final class CapturingRecorder: TransitionRecorder {
    /// Locked for an append or a copy.
    private let state = Mutex<[TransitionEntry]>([])
    var entries: [TransitionEntry] { state.withLock { $0 } }
    func record(_ entry: TransitionEntry) { state.withLock { $0.append(entry) } }
    func flush() async {}
    func subscribe() -> AsyncStream<String> { AsyncStream { $0.finish() } }
}

/// A controller with everything around it faked.
struct Rig {
    let tape = Tape()
    let gate = Gate()
    let engines: FakeEngines
    let output: FakeOutput
    let store: FakeStore
    let recorder = CapturingRecorder()
    let controller: MediaPlaybackController

    init(
        failures: [EngineID: EngineError] = [:], outputFailure: OutputError? = nil, failsLookup: Bool = false,
        selectedEngine: String? = nil, settings: PlaybackSettings = PlaybackSettings(),
        recorder: (any TransitionRecorder)? = nil, mirror: StateMirror = StateMirror(),
        history: FakeHistory? = nil, keepsJournal: Bool = false, wallClock: HandClock? = nil,
        measuring: FakeEngine.Measuring = FakeEngine.Measuring(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        engines = FakeEngines(tape: tape, failures: failures, gate: gate, measuring: measuring)
        output = FakeOutput(tape: tape, failure: outputFailure, gate: gate)
        store = FakeStore(tape: tape, failsLookup: failsLookup, selectedEngine: selectedEngine)
        controller = MediaPlaybackController(
            engines: engines, outputs: OneOutput(output: output), store: store, resolver: FakeResolver(gate: gate),
            recorder: recorder ?? self.recorder, mirror: mirror, settings: settings, clock: clock, history: history,
            places: keepsJournal ? FakePlaceJournal(tape: tape) : nil,
            wallClock: wallClock.map { hand in { @Sendable in hand.now } })
    }

    static func request(_ names: String..., start: PlayRequest.Start = .saved) -> PlayRequest {
        PlayRequest(item: ItemRequest(items: names, extensions: KnownExtensions(audio: [])), start: start)
    }
}

/// A journal that says what it follows.
struct FakePlaceJournal: PlaceJournal {
    let tape: Tape

    func follow(_ subject: JournalSubject?, feed: HeardFeed) async {
        guard let subject else { return tape.add("journal: nothing") }
        tape.add(
            "journal: \(subject.uri) (\(subject.generation)) from \(subject.floor.map { "\($0.units)" } ?? "-")")
    }
}

/// A time of day that the test sets.
final class HandClock: Sendable {
    /// Locked for one access.
    private let state = Mutex<Int64>(1_700_000_000_000)
    var now: Int64 { state.withLock { $0 } }
    func advance(seconds: Int64) { state.withLock { $0 += seconds * 1000 } }
}

/// A history in memory.
final class FakeHistory: HistoryStore {
    /// Locked for one access.
    private let state = Mutex<(entries: [HistoryEntry], spans: [ListeningSpan])>(([], []))
    let failure: PlaceStoreError?

    init(failure: PlaceStoreError? = nil) { self.failure = failure }

    func record(_ entry: HistoryEntry) async throws(PlaceStoreError) {
        if let failure { throw failure }
        state.withLock { state in
            var entry = entry
            entry.id = Int64(state.entries.count + 1)
            state.entries.append(entry)
        }
    }
    func history(limit: Int) async throws(PlaceStoreError) -> [HistoryEntry] {
        state.withLock { Array($0.entries.reversed().prefix(limit)) }
    }
    func lastJump() async throws(PlaceStoreError) -> HistoryEntry? {
        state.withLock { $0.entries.last { !$0.isUndone && $0.jump.cause != .undo } }
    }
    func markUndone(_ id: Int64) async throws(PlaceStoreError) {
        state.withLock { state in
            for index in state.entries.indices where state.entries[index].id == id {
                state.entries[index].isUndone = true
            }
        }
    }
    func record(_ span: ListeningSpan) async throws(PlaceStoreError) { state.withLock { $0.spans.append(span) } }
    func spans(limit: Int) async throws(PlaceStoreError) -> [ListeningSpan] {
        state.withLock { Array($0.spans.reversed().prefix(limit)) }
    }
}
