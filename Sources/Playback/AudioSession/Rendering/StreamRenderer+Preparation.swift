// SPDX-License-Identifier: Apache-2.0

/// The way from the source through the preparation, if there is one.
extension StreamRenderer {
    /// Returns the next piece that is decided, and reads ahead as far as that requires.
    func prepared(_ preparation: SoundPreparation) -> PCMBlock? {
        while true {
            switch preparation.ready() {
            case .frames(let samples, let count, let index):
                return piece(samples, count, at: index)
            case .done where isInputOver:
                return piece(UnsafePointer(tail), 0, at: preparation.next)
            case .done:
                // Another format needs another stream.
                return readBlock()
            case .awaitsInput:
                guard let block = readBlock() else {
                    releaseLeftOut(preparation)
                    return nil
                }
                if block.frames > 0, block.format != format {
                    if preparation.isFresh { return block }
                    isInputOver = false
                    preparation.finish()
                } else {
                    read(block, preparation)
                }
            }
        }
    }

    private func piece(_ samples: UnsafePointer<Float>, _ frames: Int, at index: Int64) -> PCMBlock {
        PCMBlock(
            samples: samples, frames: frames, format: format, generation: generation, track: 0, position: 0,
            positionEnd: 0, index: index, isEnd: frames == 0, isTrackEnd: false)
    }

    private func read(_ block: PCMBlock, _ preparation: SoundPreparation) {
        if preparation.isFresh { preparation.restart(at: block.index) }
        if isBoundaryDue || block.track != lastTrack { preparation.markBoundary() }
        isBoundaryDue = false
        lastTrack = block.track
        var frames = min(block.frames, preparation.room)
        if let boundary = boundary(in: block), boundary <= frames {
            frames = boundary
            isBoundaryDue = true
        }
        if frames > 0 { preparation.put(block.samples, frames: frames) }
        sources.record(block, frames: frames)
        source.advance(by: frames)
        if block.isEnd, frames == block.frames {
            isInputOver = true
            preparation.finish()
        }
    }

    /// Returns the number of frames of a block before the next chapter, if the chapter begins in the block or right
    /// behind it.
    private func boundary(in block: PCMBlock) -> Int? {
        guard !boundaries.isEmpty, block.positionEnd > block.position else { return nil }
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            let place = boundaries[middle]
            if (place.track, place.units) <= (block.track, block.position) { low = middle + 1 } else { high = middle }
        }
        guard low < boundaries.count, boundaries[low].track == block.track, boundaries[low].units <= block.positionEnd
        else { return nil }
        let units = boundaries[low].units - block.position
        return max(1, Int(Double(block.frames) * Double(units) / Double(block.positionEnd - block.position)))
    }

    /// Releases the engine's space in a silence that is longer than its ring, where nothing is left to hear.
    private func releaseLeftOut(_ preparation: SoundPreparation) {
        guard preparation.jump != nil, heardContent >= ring.end else { return }
        source.release(before: preparation.next)
    }
}
