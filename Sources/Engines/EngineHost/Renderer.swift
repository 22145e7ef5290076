// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import Glibc

/// Fills the ring from one engine, and holds the engine to the contract while it does.
struct Renderer {
    enum Progress { case published, noRoom, commandWaits, over }

    private let writer: RingWriter
    private let content: HostMessage.Load
    private let startFormat: (sampleRate: UInt32, channels: UInt32)
    private(set) var generation: UInt32

    /// Nothing more comes of this generation: the end, or a failure.
    private(set) var isOver = false
    private var isFirst = true
    private var emptyBlocks = 0
    /// Where the last block ended; positions within a track only grow.
    private var last: (track: UInt32, position: Int64)?
    /// The one place to which positions may go back: the start of a clip that is played again and again.
    private var loopStart: (track: UInt32, position: Int64)?
    /// That of the range that counts from the next seek on.
    var nextLoopStart: (track: UInt32, position: Int64)?

    /// Small, so that the first sound after a seek comes at once; the least that the contract allows.
    private static let firstBlock = 8 * 1024
    /// Deep, so that few records and signals carry an hour.
    private static let laterBlock = 32 * 1024
    /// Blocks are not shorter than this if the engine has more to give.
    private static let fewFrames: UInt32 = 256
    /// What moving samples behind a second header may cost.
    private static let slack = 32
    /// A text's positions are exact at the ends of a block only, so its blocks stay short: 1/20 s.
    private static let textFrames: UInt32 = 1024

    init(_ writer: RingWriter, _ content: HostMessage.Load, start: WireTrack) {
        self.writer = writer
        self.content = content
        startFormat = (start.sampleRate, start.channels)
        generation = content.generation
    }

    mutating func restart(generation: UInt32) {
        self.generation = generation
        isOver = false
        isFirst = true
        emptyBlocks = 0
        last = nil
        loopStart = nextLoopStart
    }

    var trackCount: UInt32 { content.trackCount }

    mutating func stop() { isOver = true }

    /// Floats that the next block asks for.
    var wanted: Int { min(writer.largestReservation, (isFirst ? Self.firstBlock : Self.laterBlock) + Self.slack) }

    /// False also if the session has said that it will drop what comes: a seek is on its way.
    var wantsToRender: Bool { !isOver && writer.minimumGeneration <= generation }

    /// Renders one record's worth.
    ///
    /// Calls that give little are put together.
    mutating func step(_ engine: EngineInstance) throws(WireFailure) -> Progress {
        let wanted = wanted
        guard let room = writer.reserve(floats: wanted) else { return .noRoom }
        var whole: BlockHeader?
        var used = 0
        repeat {
            let samples = room + used
            let part: BlockHeader
            do throws(WireFailure) {
                part = try render(engine, samples, capacity: wanted - Self.slack - used)
            } catch {
                if let whole { publish(whole) }
                if error == EngineInstance.interrupted { return .commandWaits }
                isOver = true
                throw error
            }
            let floats = Int(part.frames) * Int(part.channels)
            guard let before = whole else {
                whole = part
                used = floats
                continue
            }
            guard let joined = before.joined(with: part) else {
                publish(before)
                // It lies where the first record's rest was; there is room for its own header.
                if let moved = writer.reserve(floats: floats) {
                    memmove(moved, samples, floats * MemoryLayout<Float>.size)
                    publish(part)
                }
                return isOver ? .over : .published
            }
            whole = joined
            used += floats
        } while wanted - Self.slack - used >= Self.firstBlock && mayGrow(whole)
        if let whole { publish(whole) }
        return isOver ? .over : .published
    }

    private func mayGrow(_ block: BlockHeader?) -> Bool {
        guard let block else { return true }
        if !block.flags.isDisjoint(with: [.end, .trackEnd]) { return false }
        // While there is little in the ring, what was rendered does not wait for what may take long.
        if isFirst || writer.used < writer.capacity / 4 { return block.frames < Self.fewFrames }
        return content.kind == ROSTRUM_KIND_AUDIO || block.frames < Self.textFrames
    }

    private mutating func publish(_ block: BlockHeader) {
        guard block.frames > 0 || !block.flags.isDisjoint(with: [.end, .trackEnd]) else { return }
        writer.commit(block)
        isFirst = false
        if block.flags.contains(.end) { isOver = true }
    }

    private mutating func render(
        _ engine: EngineInstance, _ samples: UnsafeMutablePointer<Float>, capacity: Int
    ) throws(WireFailure) -> BlockHeader {
        var block = rostrum_block()
        block.size = UInt32(MemoryLayout<rostrum_block>.size)
        block.samples = samples
        block.capacity = UInt32(capacity)
        try engine.render(into: &block, generation: generation)
        if block.frames == 0, !(1_000...384_000).contains(block.sample_rate) || !(1...8).contains(block.channels) {
            (block.sample_rate, block.channels) = startFormat
        }
        let header = BlockHeader(
            generation: generation, track: block.track, flags: BlockHeader.Flags(rawValue: block.flags & 7),
            sampleRate: block.sample_rate, channels: block.channels, frames: block.frames, position: block.position,
            positionEnd: block.position_end)
        if let wrong = complaint(header, capacity) {
            throw WireFailure(code: -4, message: "the engine \(engine.name) rendered a block with \(wrong)")
        }
        emptyBlocks = header.frames == 0 ? emptyBlocks + 1 : 0
        last = (header.track, header.positionEnd)
        return header
    }

    private func complaint(_ block: BlockHeader, _ capacity: Int) -> String? {
        guard (1_000...384_000).contains(block.sampleRate) else { return "\(block.sampleRate) frames a second" }
        guard (1...8).contains(block.channels) else { return "\(block.channels) channels" }
        guard Int(block.frames) * Int(block.channels) <= capacity else {
            return "\(block.frames) frames where there was no room for them"
        }
        guard block.track < content.trackCount else { return "track \(block.track) of \(content.trackCount)" }
        guard block.position >= 0, block.positionEnd >= block.position else {
            return "positions \(block.position) to \(block.positionEnd)"
        }
        if content.kind == ROSTRUM_KIND_AUDIO, block.positionEnd - block.position != Int64(block.frames) {
            return "\(block.frames) frames from \(block.position) to \(block.positionEnd)"
        }
        let loops = loopStart.map { $0.track == block.track && $0.position == block.position } ?? false
        if let last, last.track == block.track, block.position < last.position, !loops {
            return "position \(block.position) after \(last.position)"
        }
        guard block.frames > 0 || !block.flags.isDisjoint(with: [.end, .trackEnd]) || emptyBlocks < 64 else {
            return "nothing in it, again and again"
        }
        return nil
    }
}

extension BlockHeader {
    /// Both as one block, if they follow each other without a seam.
    func joined(with next: BlockHeader) -> BlockHeader? {
        if frames == 0, flags.isEmpty { return next }
        guard next.track == track, next.sampleRate == sampleRate, next.channels == channels,
            next.position == positionEnd, !flags.contains(.trackEnd), !next.flags.contains(.damaged),
            next.generation == generation
        else { return nil }
        var joined = self
        joined.frames += next.frames
        joined.positionEnd = next.positionEnd
        joined.flags.formUnion(next.flags)
        return joined
    }
}
