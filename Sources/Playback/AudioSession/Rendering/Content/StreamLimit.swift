// SPDX-License-Identifier: Apache-2.0

/// The position before which a stream ends as if the content did.
struct StreamLimit {
    /// `nil` to play to the end of the content.
    private(set) var place: HeardPosition?
    /// `true` if the end that was reached is the limit, not the end of the content.
    private(set) var isReached = false

    init(_ place: HeardPosition?) {
        self.place = place
    }

    mutating func move(to place: HeardPosition?) {
        self.place = place
    }

    /// Returns the part of a block before the limit, marked as the end if the limit lies in or before the block.
    ///
    /// - Parameter begins: `true` if the sound of a generation begins with this block; a limit before it is dropped.
    mutating func cut(_ block: PCMBlock, begins: Bool) -> PCMBlock {
        isReached = false
        guard let place, (block.track, block.positionEnd) > (place.track, place.units) else { return block }
        if begins, (block.track, block.position) >= (place.track, place.units) {
            self.place = nil
            return block
        }
        var limited = block
        limited.isEnd = true
        isReached = true
        let units = block.positionEnd - block.position
        guard block.track == place.track, place.units > block.position, units > 0 else {
            // What is heard ends at the limit, and not where this block would have ended.
            limited.frames = 0
            (limited.track, limited.position, limited.positionEnd) = (place.track, place.units, place.units)
            return limited
        }
        // For audio, a unit is a frame, and this is exact. An engine's units times frames may need more than one word.
        let product = UInt64(block.frames).multipliedFullWidth(by: UInt64(place.units - block.position))
        limited.frames = Int(UInt64(units).dividingFullWidth(product).quotient)
        limited.positionEnd = place.units
        return limited
    }
}
