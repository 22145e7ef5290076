// SPDX-License-Identifier: Apache-2.0

/// From the source through the preparation, if there is one.
extension StreamRenderer {
    /// The next piece that is decided; reads ahead as far as that needs.
    func prepared(_ preparation: SoundPreparation) -> PCMBlock? {
        while true {
            switch preparation.ready() {
            case .frames(let samples, let count, let index):
                return piece(samples, count, at: index)
            case .done where isInputOver:
                return piece(UnsafePointer(tail), 0, at: preparation.next)
            case .done:
                // Another format, which is for another stream.
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

    /// How many frames of a block lie before the next chapter, if it begins in the block or right behind it.
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

    /// In a silence longer than the engine's ring nothing is left to hear: its room is the engine's again.
    private func releaseLeftOut(_ preparation: SoundPreparation) {
        guard preparation.jump != nil, heardContent >= ring.end else { return }
        source.release(before: preparation.next)
    }
}
