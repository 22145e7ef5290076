// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineTransport
import Glibc

/// A renderer that fills the ring from one engine, and holds the engine to the contract while it does so.
struct Renderer {
    enum Progress { case published, noRoom, commandWaits, over }

    private let writer: RingWriter
    private let content: HostMessage.Load
    private let startFormat: (sampleRate: UInt32, channels: UInt32)
    private(set) var generation: UInt32

    /// `true` if nothing more of this generation follows, because of the end or a failure.
    private(set) var isOver = false
    private var isFirst = true
    private var emptyBlocks = 0
    /// The stretches that were left out as damaged since they were last taken.
    private var damages: [(track: UInt32, range: Range<Int64>)] = []
    /// The place that was sought last.
    private var target: (track: UInt32, position: Int64)
    /// The end of the last block; positions within a track only grow.
    private var last: (track: UInt32, position: Int64)?
    /// The only position to which positions may go back: the start of a clip that loops.
    private var loopStart: (track: UInt32, position: Int64)?
    /// The start of the looping range that applies from the next seek on.
    var nextLoopStart: (track: UInt32, position: Int64)?

    /// The room for the first block, in floats: the least that the contract allows, so that the first sound after a
    /// seek comes at once.
    private static let firstBlock = 8 * 1024
    /// The room for later blocks, in floats: large, so that an hour needs few records and signals.
    private static let laterBlock = 32 * 1024
    /// The minimum length of a block, in frames, if the engine has more to give.
    private static let fewFrames: UInt32 = 256
    /// The room, in floats, that is kept for moving samples behind a second header.
    private static let slack = 32
    /// The maximum length of a text's block, in frames.
    ///
    /// Positions in a text are exact only at the ends of a block, so its blocks stay short: 1/20 s.
    private static let textFrames: UInt32 = 1024

    init(_ writer: RingWriter, _ content: HostMessage.Load, start: WireTrack) {
        self.writer = writer
        self.content = content
        startFormat = (start.sampleRate, start.channels)
        generation = content.generation
        target = (content.startTrack, content.start)
    }

    /// Begins anew at a place that the engine has sought.
    mutating func restart(generation: UInt32, track: UInt32, position: Int64) {
        self.generation = generation
        target = (track, position)
        isOver = false
        isFirst = true
        emptyBlocks = 0
        last = nil
        loopStart = nextLoopStart
    }

    var trackCount: UInt32 { content.trackCount }

    mutating func stop() { isOver = true }

    /// The number of floats to reserve for the next block.
    var wanted: Int { min(writer.largestReservation, (isFirst ? Self.firstBlock : Self.laterBlock) + Self.slack) }

    /// `true` if the renderer should run.
    ///
    /// It is also `false` if the session has announced that it will drop what follows, because a seek is under way.
    var wantsToRender: Bool { !isOver && writer.minimumGeneration <= generation }

    /// Renders one record, which combines several calls of `render` if each gives little.
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
                // The samples are in the rest of the first record's room, and there is room for a header of their own.
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
        // While there is little in the ring, publish what was rendered instead of waiting for more.
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
            throw WireFailure(
                code: EngineNumber.misbehaved, message: "the engine \(engine.name) rendered a block with \(wrong)")
        }
        noteDamage(before: header)
        emptyBlocks = header.frames == 0 ? emptyBlocks + 1 : 0
        last = (header.track, header.positionEnd)
        return header
    }

    /// Notes what is missing between two blocks, or before the first one.
    private mutating func noteDamage(before block: BlockHeader) {
        let end = last ?? target
        // A whole file that was left out has neither frames nor a length.
        if content.kind == ROSTRUM_KIND_AUDIO, block.flags.isSuperset(of: [.damaged, .trackEnd]), block.frames == 0,
            block.position == 0, block.track != end.track, damages.count < Self.mostDamages
        {
            damages.append((block.track, 0..<0))
            return
        }
        // Where time stamps are counted, as in MPEG audio, what is missing takes no time.
        guard content.kind == ROSTRUM_KIND_AUDIO, block.flags.contains(.damaged), end.track == block.track,
            last == nil ? end.position < block.position : end.position <= block.position,
            damages.count < Self.mostDamages
        else { return }
        damages.append((block.track, end.position..<block.position))
    }

    private static let mostDamages = 64

    /// Returns what was left out since the last call.
    mutating func takeDamages() -> [(track: UInt32, range: Range<Int64>)] {
        defer { damages = [] }
        return damages
    }

    private func complaint(_ block: BlockHeader, _ capacity: Int) -> String? {
        guard (1_000...384_000).contains(block.sampleRate) else { return "\(block.sampleRate) frames a second" }
        guard (1...8).contains(block.channels) else { return "\(block.channels) channels" }
        guard Int(block.frames) * Int(block.channels) <= capacity else {
            return "\(block.frames) frames, for which there was no room"
        }
        guard block.track < content.trackCount else { return "track \(block.track) of \(content.trackCount)" }
        guard block.position >= 0, block.positionEnd >= block.position, block.positionEnd <= Limits.units else {
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
            return "no frames, for the 64th time in a row"
        }
        return nil
    }
}

extension BlockHeader {
    /// Returns both blocks as one if they follow each other without a seam, otherwise `nil`.
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
