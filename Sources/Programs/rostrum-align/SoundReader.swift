// SPDX-License-Identifier: Apache-2.0

import AudioSession
import BlockingCalls
import BookTimeline
import CGNUSource
import Glibc
import MediaPlayback
import Synchronization

/// Reads what an engine renders, as fast as it does.
final class SoundReader: Sendable {
    /// A block of sound, mixed to one channel.
    struct Block: Sendable {
        var samples: [Float]
        var sampleRate: Int
        /// The positions of its first frame and of the one behind it, in units of the track.
        var position: Int64
        var end: Int64
    }

    /// The blocks that were read.
    struct Portion: Sendable {
        var blocks: [Block] = []
        var isEnd = false
    }

    private let engine: any PlaybackEngine
    private let queue = BlockingQueue(label: "rostrum.align.sound")
    private let generation = Atomic<UInt32>(0)
    private let failure = Mutex<EngineError?>(nil)
    private let listener: Mutex<Task<Void, Never>?>

    init(_ engine: any PlaybackEngine) {
        self.engine = engine
        listener = Mutex(nil)
        let task = Task { [weak self] in
            for await event in engine.events {
                switch event {
                case .failed(_, let error, _), .gone(let error, _, _): self?.failure.withLock { $0 = $0 ?? error }
                case .mark, .log, .track, .damaged: break
                }
            }
        }
        listener.withLock { $0 = task }
    }

    /// Loads content; what is read from now on is its sound.
    func load(_ content: Content, at start: MediaPosition, voice: String?) async throws(EngineError) -> MediaDescription
    {
        let next = generation.add(1, ordering: .relaxed).newValue
        failure.withLock { $0 = nil }
        engine.source.discard(before: next)
        return try await engine.load(
            LoadRequest(content: content, start: start, generation: next, rate: 1, voice: voice))
    }

    /// Returns some seconds of sound, or what is left.
    func read(frames: Int) async throws(EngineError) -> Portion {
        let source = engine.source
        let generation = generation.load(ordering: .relaxed)
        let failed = { @Sendable [self] in failure.withLock { $0 } }
        // No deadline: the engine has its own, and is ended if it does not keep them.
        let portion = await queue.run(within: .seconds(3600)) {
            Self.read(source, frames, generation) { failed() != nil }
        }
        if let portion, portion.isEnd || !portion.blocks.isEmpty { return portion }
        throw failed() ?? EngineError(.timedOut, message: "the engine \(engine.id) renders nothing")
    }

    private static func read(
        _ source: any PCMSource, _ limit: Int, _ generation: UInt32, hasFailed: () -> Bool
    ) -> Portion {
        var portion = Portion()
        var count = 0
        while count < limit {
            guard let block = source.next() else {
                if hasFailed(), source.next() == nil { return portion }
                if source.arm() { continue }
                var descriptor = pollfd(fd: source.readiness, events: Int16(POLLIN), revents: 0)
                if gnu_poll(&descriptor, 1, 200) > 0 { source.acknowledge() }
                continue
            }
            if block.generation == generation {
                if block.frames > 0 { portion.blocks.append(Block(block)) }
                count += block.frames
                portion.isEnd = block.isEnd
            }
            source.advance(by: block.frames)
            source.release(before: block.index + Int64(block.frames))
            if portion.isEnd { break }
        }
        return portion
    }

    func shutDown() async {
        listener.withLock { $0?.cancel() }
        await engine.shutDown()
    }
}

extension SoundReader.Block {
    init(_ block: PCMBlock) {
        let channels = max(1, block.format.channels)
        var samples = [Float](repeating: 0, count: block.frames)
        for frame in 0..<block.frames {
            var sum: Float = 0
            for channel in 0..<channels { sum += block.samples[frame * channels + channel] }
            samples[frame] = sum / Float(channels)
        }
        self.init(
            samples: samples, sampleRate: block.format.sampleRate, position: block.position, end: block.positionEnd)
    }
}
