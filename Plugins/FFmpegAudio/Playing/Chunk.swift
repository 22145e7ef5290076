// SPDX-License-Identifier: Apache-2.0

import EngineSDK

/// Samples that are ready in the converter.
struct Chunk {
    /// The number of frames to skip at the converter's start.
    private var offset = 0
    private var frames = 0
    private var position: Int64 = 0
    private var sampleRate = 0
    private var channels = 0
    private var isDamaged = false

    var isEmpty: Bool { frames == 0 }

    init() {}

    /// Creates a chunk of a converted frame.
    ///
    /// - Parameters:
    ///   - range: The frames in it that are part of the track.
    ///   - position: The unit of the first of them.
    ///   - isDamaged: Whether something is missing before it.
    init(_ range: Range<Int>, at position: Int64, sampleRate: Int, channels: Int, isDamaged: Bool) {
        offset = range.lowerBound
        frames = range.count
        self.position = position
        self.sampleRate = sampleRate
        self.channels = channels
        self.isDamaged = isDamaged
    }

    /// Moves as much as fits into a block, which has one format and no holes.
    ///
    /// - Parameter samples: The samples of the converter.
    /// - Returns: `false` if the block is complete.
    mutating func move(_ samples: [Float], to block: inout Block) -> Bool {
        if block.frames == 0 {
            block.sampleRate = sampleRate
            block.channels = channels
            block.position = position
            block.positionEnd = position
            block.isDamaged = isDamaged
        } else if sampleRate != block.sampleRate || channels != block.channels || position != block.positionEnd
            || isDamaged
        {
            return false
        }
        let room = block.capacity / channels - block.frames
        let count = min(room, frames)
        guard count > 0 else { return false }
        let start = offset * channels
        samples.withUnsafeBufferPointer { samples in
            for index in 0..<count * channels {
                block.samples[block.frames * channels + index] = samples[start + index]
            }
        }
        block.frames += count
        block.positionEnd += Int64(count)
        offset += count
        frames -= count
        position += Int64(count)
        isDamaged = false
        return block.frames < block.capacity / channels
    }
}
