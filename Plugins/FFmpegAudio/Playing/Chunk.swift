// SPDX-License-Identifier: Apache-2.0

import EngineSDK

extension OpenTrack {
    /// Writes what comes next into a block, as long as it has one format and no holes.
    ///
    /// Returns `false` at the end of the track, where the block may still have frames.
    func fill(_ block: inout Block) throws(EngineFailure) -> Bool {
        while true {
            if chunk.frames == 0 {
                guard try advance() else { return false }
            }
            if block.frames == 0 {
                block.sampleRate = chunk.sampleRate
                block.channels = chunk.channels
                block.position = chunk.position
                block.positionEnd = chunk.position
                block.isDamaged = chunk.isDamaged
            } else if chunk.sampleRate != block.sampleRate || chunk.channels != block.channels
                || chunk.position != block.positionEnd || chunk.isDamaged
            {
                return true
            }
            let room = block.capacity / chunk.channels - block.frames
            let frames = min(room, chunk.frames)
            guard frames > 0 else { return true }
            let start = chunk.offset * chunk.channels
            converter.samples.withUnsafeBufferPointer { samples in
                for index in 0..<frames * chunk.channels {
                    block.samples[block.frames * chunk.channels + index] = samples[start + index]
                }
            }
            block.frames += frames
            block.positionEnd += Int64(frames)
            chunk.offset += frames
            chunk.frames -= frames
            chunk.position += Int64(frames)
            chunk.isDamaged = false
            if block.frames == block.capacity / chunk.channels { return true }
        }
    }
}
