// SPDX-License-Identifier: Apache-2.0

import EngineABI
import EngineLoader

/// The result of one call of `render`.
struct RenderedBlock {
    var frames: Int
    var sampleRate: Int
    var channels: Int
    var track: Int
    var position: Int64
    var positionEnd: Int64
    var isEnd: Bool
    var isTrackEnd: Bool
    var isDamaged: Bool
    /// The samples, interleaved.
    var samples: [Float]
    /// The number of marks that came before this block, since the last seek or load.
    var marks: Int

    var place: String { "track \(track), units \(position) to \(positionEnd)" }
}

extension Subject {
    static let smallest = 8 * 1024
    /// The number of guard floats behind the room of a block.
    private static let guardFloats = 64
    private static let canary = Float(bitPattern: 0x7FA5_5A5A)

    /// Renders the next block, or returns `nil` if the call was interrupted.
    ///
    /// It checks only what memory safety depends on: the number of frames, and that nothing was written behind the
    /// room.
    func render(capacity: Int = smallest) throws(Finding) -> RenderedBlock? {
        let room = UnsafeMutablePointer<Float>.allocate(capacity: capacity + Self.guardFloats)
        defer { room.deallocate() }
        room.initialize(repeating: Self.canary, count: capacity + Self.guardFloats)
        var block = rostrum_block()
        block.size = UInt32(MemoryLayout<rostrum_block>.size)
        block.samples = room
        block.capacity = UInt32(capacity)
        let result = call(.render) { functions.render(engine, &block) }
        for index in capacity..<capacity + Self.guardFloats where room[index].bitPattern != Self.canary.bitPattern {
            throw .fault(
                "render (a block with room for \(capacity) floats)", expected: "nothing written behind it",
                came: "a float at \(index)", .capacity)
        }
        if result == ROSTRUM_ERROR_INTERRUPTED { return nil }
        try mustBeOK(result, "render", .render)
        try expect(
            block.samples == room && block.capacity == UInt32(capacity)
                && block.size == UInt32(MemoryLayout<rostrum_block>.size), "render",
            expected: "a block whose size, samples and capacity are the host's", came: "others", .hostMembers)
        let (frames, channels) = (Int(block.frames), Int(block.channels))
        try expect(
            frames == 0 || (1...8).contains(channels), "render", expected: "1 to 8 channels", came: "\(channels)",
            .channels)
        try expect(
            frames * max(channels, 1) <= capacity, "render (a block with room for \(capacity) floats)",
            expected: "no more than that", came: "\(frames) frames of \(channels) channels", .capacity)
        return RenderedBlock(
            frames: frames, sampleRate: Int(block.sample_rate), channels: channels, track: Int(block.track),
            position: block.position, positionEnd: block.position_end,
            isEnd: block.flags & ROSTRUM_BLOCK_END != 0, isTrackEnd: block.flags & ROSTRUM_BLOCK_TRACK_END != 0,
            isDamaged: block.flags & ROSTRUM_BLOCK_DAMAGED != 0,
            samples: Array(UnsafeBufferPointer(start: room, count: frames * channels)), marks: host.marks.count)
    }

    /// Returns the next block with frames in it, or the end.
    func nextBlock(capacity: Int = smallest) throws(Finding) -> RenderedBlock {
        for _ in 0..<Rendering.emptyBlocks {
            guard let block = try render(capacity: capacity) else { throw Self.wasNotInterrupted }
            if block.frames > 0 || block.isEnd { return block }
        }
        throw .fault(
            "render", expected: "frames, or the end", came: "\(Rendering.emptyBlocks) blocks with nothing in them",
            .render)
    }

    static var wasNotInterrupted: Finding {
        .fault("render", expected: "a block", came: "ROSTRUM_ERROR_INTERRUPTED; nobody had interrupted", .interrupt)
    }
}
