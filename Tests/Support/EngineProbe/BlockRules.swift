// SPDX-License-Identifier: Apache-2.0

/// The contract's rules for consecutive blocks.
struct BlockRules {
    private var track: Int?
    private var position: Int64?
    private var hasEnded = false
    /// The exact position of the next block, if a seek named one.
    private var target: Int64?
    /// The only position to which positions may go back.
    var loopStart: Int64?

    mutating func seek(track: Int, position: Int64?) {
        self.track = track
        self.position = nil
        target = position
        hasEnded = false
    }

    mutating func check(_ block: ProbeBlock, capacity: Int) throws(ProbeFailure) {
        func rule(_ holds: Bool, _ message: @autoclosure () -> String) throws(ProbeFailure) {
            if !holds {
                throw ProbeFailure(
                    0, "track \(block.track), \(block.position)..<\(block.positionEnd): \(message())")
            }
        }
        try rule(!hasEnded, "a block after the end")
        try rule(block.frames > 0 || block.isEnd || block.isTrackEnd, "a block without frames in the middle")
        try rule(block.frames * block.channels <= capacity, "more floats than there is room for")
        try rule((1...8).contains(block.channels), "\(block.channels) channels")
        try rule((1000...384_000).contains(block.sampleRate), "\(block.sampleRate) Hz")
        try rule(block.position >= 0 && block.positionEnd >= block.position, "positions run backwards")
        try rule(!block.isEnd || block.isTrackEnd, "the end is not the end of a track")
        if let track {
            try rule(block.track == track, "track \(track) was due")
        }
        if let position, block.position != loopStart {
            try rule(block.position >= position, "the block before ended at \(position)")
            try rule(block.position == position || block.isDamaged, "a hole after \(position)")
        } else if let target, block.frames > 0 {
            try rule(block.position == target || block.isDamaged, "\(target) was sought")
        }
        try rule(block.samples.allSatisfy(\.isFinite), "a sample that is not a number")
        track = block.isTrackEnd ? block.track + 1 : block.track
        position = block.isTrackEnd ? 0 : block.positionEnd
        target = nil
        hasEnded = block.isEnd
    }
}
