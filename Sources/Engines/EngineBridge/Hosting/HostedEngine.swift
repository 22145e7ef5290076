// SPDX-License-Identifier: Apache-2.0

import Atomics
public import AudioSession
public import BookTimeline
import EngineHost
public import EngineTransport
public import MediaPlayback
public import PlaybackCore

/// A running engine behind a socket and a ring, in a process of its own or on threads of this one.
public final class HostedEngine: PlaybackEngine, ClipCutting, PeakSource, SpeakingEngine {
    public let id: EngineID
    public let source: any PCMSource
    private let ring: (memory: RingMemory, reader: RingReader)
    private let outlet: EventOutlet
    private let reactor: EngineReactor
    private let isIsolated: Bool
    /// The key by which the reactor knows the engine.
    private let key: UInt64
    private static let lastKey = ManagedAtomic<UInt64>(0)

    public var events: AsyncStream<EngineEvent> { outlet.stream }

    /// `true` once the engine's process or thread has ended; every call then fails.
    public var isGone: Bool { outlet.isFinished }

    /// Begins to start the engine and returns at once; a failure appears in the first call and in `events`.
    public convenience init(
        _ launch: EngineLaunch, reactor: EngineReactor, deadlines: EngineDeadlines = EngineDeadlines(),
        ringCapacity: Int = RingLayout.defaultCapacity, indexes: (any TrackIndexStore)? = nil,
        trust: @escaping @Sendable () -> WebTrust = { WebTrust() }
    ) throws(EngineError) {
        let memory: RingMemory
        do throws(SystemError) {
            memory = try RingMemory(capacity: ringCapacity)
        } catch {
            throw EngineError(
                number: EngineNumber.unavailable, message: "no memory for the engine \(launch.id): \(error)")
        }
        let reader = RingReader(memory, alarm: reactor.alarm)
        self.init(
            launch, (memory, reader), RingSource(reader), follows: false, reactor: reactor, deadlines: deadlines,
            indexes: indexes, trust: trust)
    }

    /// Starts another process in place of one that is gone.
    ///
    /// The new process has the same ring and the same source, and continues writing behind what the previous one left
    /// there.
    public convenience init(
        _ launch: EngineLaunch, inPlaceOf gone: HostedEngine, reactor: EngineReactor,
        deadlines: EngineDeadlines = EngineDeadlines(), indexes: (any TrackIndexStore)? = nil,
        trust: @escaping @Sendable () -> WebTrust = { WebTrust() }
    ) throws(EngineError) {
        // A thread that was abandoned may still write at any time.
        guard gone.isGone, launch.isIsolated, gone.isIsolated else {
            throw EngineError(
                number: EngineNumber.unavailable, message: "the engine \(launch.id) cannot continue for another process"
            )
        }
        self.init(
            launch, gone.ring, gone.source, follows: true, reactor: reactor, deadlines: deadlines, indexes: indexes,
            trust: trust)
    }

    private init(
        _ launch: EngineLaunch, _ ring: (memory: RingMemory, reader: RingReader), _ source: any PCMSource,
        follows: Bool, reactor: EngineReactor, deadlines: EngineDeadlines, indexes: (any TrackIndexStore)?,
        trust: @escaping @Sendable () -> WebTrust
    ) {
        id = launch.id
        isIsolated = launch.isIsolated
        self.ring = ring
        self.source = source
        self.reactor = reactor
        let (memory, reader) = ring
        outlet = EventOutlet()
        key = Self.lastKey.wrappingIncrementThenLoad(ordering: .relaxed)
        let events = outlet
        let key = key
        reactor.submit { [weak reactor] thread in
            let services = LinkServices(
                openSource: { request, wanted in
                    let isTrack = if case .track = request.subject { true } else { false }
                    // A file system may block for a long time, so the file is not opened on the reactor's thread.
                    let source = wanted.source
                    if case .served(let track) = source {
                        Task { [weak reactor] in
                            let answer = await track.open()
                            let open = { @Sendable [weak reactor] in
                                let opened = SourceOpener.open(answer, trust)
                                reactor?.submit { $0[key]?.opened(request, opened) }
                            }
                            if !HostThread.start("engine-source", open) { open() }
                        }
                        return
                    }
                    let open = { @Sendable [weak reactor] in
                        let opened = SourceOpener.open(source, for: launch.id, isTrack ? indexes : nil, trust)
                        reactor?.submit { $0[key]?.opened(request, opened) }
                    }
                    guard case .script(let position) = request.subject, let making = wanted.making else {
                        if !HostThread.start("engine-source", open) { open() }
                        return
                    }
                    making.whenReached(position) { [weak reactor] outcome in
                        guard case .failure(let error) = outcome else {
                            if !HostThread.start("engine-source", open) { open() }
                            return
                        }
                        reactor?.submit { $0[key]?.opened(request, SourceOpener.failed(error)) }
                    }
                },
                keepIndex: { index, key in
                    guard let indexes else { return }
                    // If no thread can be started, the index is lost, and measuring finds it again.
                    _ = HostThread.start("engine-index") { indexes.keep(index, for: key) }
                },
                leaveBehind: { [unowned thread] in thread.leaveBehind($0) })
            let link = EngineLink(
                id: launch.id, deadlines: deadlines, now: thread.now, ring: RingWatch(reader, follows: follows),
                events: events, services: services)
            thread.add(link, for: key)
            link.start(launch, memory)
        }
    }

    /// Shuts down an engine that is no longer referenced.
    deinit {
        let key = key
        reactor.submit { thread in thread[key]?.shutDown {} }
    }

    private func ask(
        _ body: @escaping @Sendable (EngineLink, @escaping EngineLink.Completion) -> Void
    ) async throws(EngineError) -> EngineLink.Reply {
        let key = key
        let id = id
        let result: Result<EngineLink.Reply, EngineError> = await withCheckedContinuation { continuation in
            reactor.submit { thread in
                guard let link = thread[key] else {
                    let gone = EngineError(number: EngineNumber.unavailable, message: "the engine \(id) is gone")
                    return continuation.resume(returning: .failure(gone))
                }
                body(link) { continuation.resume(returning: $0) }
            }
        }
        return try result.get()
    }

    private func describe(
        _ body: @escaping @Sendable (EngineLink, @escaping EngineLink.Completion) -> Void
    ) async throws(EngineError) -> MediaDescription {
        guard case .description(let description) = try await ask(body) else {
            throw EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) gave an unexpected answer")
        }
        return description
    }

    public func load(_ request: LoadRequest) async throws(EngineError) -> MediaDescription {
        try await describe { $0.load(request, $1) }
    }

    public func describeAll() async throws(EngineError) -> MediaDescription {
        try await describe { $0.describeAll($1) }
    }

    public func seek(to position: MediaPosition, generation: UInt32) async throws(EngineError) {
        _ = try await ask {
            $0.seek(track: position.track, units: position.units, generation: generation, $1)
        }
    }

    public func setRate(_ rate: Double) async throws(EngineError) {
        _ = try await ask { $0.setRate(rate, $1) }
    }

    public func setRange(_ start: MediaPosition, _ end: MediaPosition, loops: Bool) async throws(EngineError) {
        _ = try await ask { $0.setRange(start, end, loops: loops, $1) }
    }

    public func measure(track: Int) async throws(EngineError) -> Int64? {
        guard case .duration(let duration) = try await ask({ $0.measure(track: track, $1) }) else { return nil }
        return duration
    }

    public func measureLater(track: Int) async throws(EngineError) -> Int64? {
        guard case .duration(let duration) = try await ask({ $0.measureLater(track: track, $1) }) else { return nil }
        return duration
    }

    public func cover(track: Int) async throws(EngineError) -> CoverPicture? {
        guard case .cover(let picture) = try await ask({ $0.cover(track: track, $1) }) else { return nil }
        return picture
    }

    public func cut(_ cut: ClipCut) async throws(EngineError) -> CutResult {
        guard case .cut(let result) = try await ask({ $0.cut(cut, $1) }) else {
            throw EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) gave an unexpected answer")
        }
        return result
    }

    public func peaks(
        track: Int, framesPerPeak: Int, first: Int64, count: Int
    ) async throws(EngineError) -> [Peak] {
        let reply = try await ask {
            $0.peaks(track: track, framesPerPeak: framesPerPeak, first: first, count: count, $1)
        }
        guard case .peaks(let peaks) = reply else {
            throw EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) gave an unexpected answer")
        }
        return peaks
    }

    public func voices() async throws(EngineError) -> [EngineVoice] {
        guard case .voices(let voices) = try await ask({ $0.voices($1) }) else {
            throw EngineError(number: EngineNumber.misbehaved, message: "the engine \(id) gave an unexpected answer")
        }
        return voices
    }

    public func unload() async {
        _ = try? await ask { $0.unload($1) }
    }

    public func shutDown() async {
        let key = key
        await withCheckedContinuation { continuation in
            reactor.submit { thread in
                guard let link = thread[key] else { return continuation.resume() }
                link.shutDown { continuation.resume() }
            }
        }
    }
}
