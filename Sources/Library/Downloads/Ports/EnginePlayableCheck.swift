// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BlockingCalls
import BookTimeline
import CGNUSource
import Glibc
public import MediaPlayback
public import PlaybackCore
import Synchronization

/// Decodes the ends of files in an engine's process that is started for that and ended afterwards.
public struct EnginePlayableCheck: PlayableCheck {
    /// The frames that are decoded at each end, in seconds.
    private static let share: Int64 = 1
    private static let limit = Duration.seconds(30)

    private let provider: any EngineProvider
    private let resolver: any ItemResolving
    private let start: @Sendable (EngineID) async throws(EngineError) -> any PlaybackEngine
    private let queue = BlockingQueue(label: "rostrum.downloads.check")

    /// - Parameter start: Starts a process that is not in the way of what plays.
    public init(
        provider: any EngineProvider, resolver: any ItemResolving,
        start: @escaping @Sendable (EngineID) async throws(EngineError) -> any PlaybackEngine
    ) {
        self.provider = provider
        self.resolver = resolver
        self.start = start
    }

    public func check(_ path: String) async -> PlayableVerdict {
        let installed = await provider.installed()
        let content: Content
        do throws(ItemError) {
            let request = ItemRequest(items: [path], extensions: KnownExtensions(of: installed))
            content = try await resolver.resolve(request).content
        } catch { return .broken(error.message) }
        guard content.kind == .audio, let name = content.tracks.first.map(Self.ending),
            let choice = Self.choice(installed, name)
        else { return .broken("no installed engine plays it") }
        do throws(EngineError) {
            let engine = try await start(choice.id)
            let verdict = await ends(of: content, with: engine)
            await engine.shutDown()
            return verdict
        } catch { return Self.verdict(error) }
    }

    private static func ending(_ track: TrackSource) -> String {
        guard case .file(let path) = track, let dot = path.lastIndex(of: ".") else { return "" }
        return path[path.index(after: dot)...].lowercased()
    }

    /// Returns the engine that would play a file with this extension.
    private static func choice(_ installed: [InstalledEngine], _ name: String) -> InstalledEngine? {
        let able = installed.filter { $0.state == .available && $0.kinds.contains(.audio) }
        return able.first { $0.extensions.contains(name) } ?? able.first { $0.opensByContent }
    }

    private static func verdict(_ error: EngineError) -> PlayableVerdict {
        switch error.kind {
        case .badContent, .noInput, .failed: .broken(error.message)
        case .unavailable, .timedOut, .crashed, .misbehaved, .refused, .usage, .neverReady, .io, .unknownVoice,
            .interrupted:
            .unknown(error.message)
        }
    }

    private func ends(of content: Content, with engine: any PlaybackEngine) async -> PlayableVerdict {
        let failure = SharedFailure()
        let listening = Task {
            for await event in engine.events {
                switch event {
                case .failed(_, let error, _), .gone(let error, _, _): failure.note(error)
                case .mark, .log, .track, .damaged: break
                }
            }
        }
        defer { listening.cancel() }
        do throws(EngineError) {
            let description = try await engine.load(
                LoadRequest(content: content, start: .start, generation: 1, rate: 1, voice: nil))
            guard let track = description.tracks.first else { return .broken("it has no sound") }
            let second = max(1, Int64(track.timeline.unitsPerSecond))
            let wanted = track.format.sampleRate
            let first = await heard(engine.source, generation: 1, frames: wanted, failure)
            if let fault = failure.error { return Self.verdict(fault) }
            guard first > 0 else { return .broken("nothing of its beginning can be decoded") }
            guard let duration = track.timeline.duration, duration > 2 * second, first >= wanted else { return .plays }
            engine.source.discard(before: 2)
            try await engine.seek(
                to: MediaPosition(track: 0, units: max(0, duration - Self.share * second)), generation: 2)
            let last = await heard(engine.source, generation: 2, frames: wanted, failure)
            if let fault = failure.error { return Self.verdict(fault) }
            return last > 0 ? .plays : .broken("nothing of its last second can be decoded")
        } catch { return Self.verdict(error) }
    }

    /// Reads some frames, or what there is to the end, and returns how many there were.
    private func heard(
        _ source: any PCMSource, generation: UInt32, frames: Int, _ failure: SharedFailure
    ) async -> Int {
        // The loop ends by itself when the engine fails or the time is up.
        let limit = 300
        return await queue.run(within: Self.limit + .seconds(10)) {
            var (count, idle) = (0, 0)
            while count < frames, idle < limit {
                guard let block = source.next() else {
                    if failure.error != nil, source.next() == nil { return count }
                    if source.arm() { continue }
                    var descriptor = pollfd(fd: source.readiness, events: Int16(POLLIN), revents: 0)
                    if gnu_poll(&descriptor, 1, 100) > 0 { source.acknowledge() } else { idle += 1 }
                    continue
                }
                let isOurs = block.generation == generation
                if isOurs { count += block.frames }
                let isEnd = isOurs && block.isEnd
                source.advance(by: block.frames)
                source.release(before: block.index + Int64(block.frames))
                if isEnd { return count }
            }
            return count
        } ?? 0
    }
}

/// The first failure of an engine, which one task notes and another thread reads.
private final class SharedFailure: Sendable {
    // The lock is held for one access.
    private let value = Mutex<EngineError?>(nil)

    var error: EngineError? { value.withLock { $0 } }
    func note(_ error: EngineError) { value.withLock { $0 = $0 ?? error } }
}
