// SPDX-License-Identifier: Apache-2.0

/// The way from the source through the tempo stage into the content ring.
extension StreamRenderer {
    /// Produces up to `frames` more content frames, and returns the reason if there are fewer.
    func produce(_ frames: Int) -> Condition {
        var wanted = frames
        while wanted > 0 {
            let held = Int(ring.end - min(heardContent, ring.end))
            guard held < ring.capacity else { return .held }
            let (target, run) = ring.room()
            let room = min(wanted, run, ring.capacity - held)
            switch rate == 1 ? copy(into: target, room) : stretch(into: target, room) {
            case .frames(let count):
                ring.commit(count)
                wanted -= count
            case .stopped(let condition):
                return condition
            }
        }
        return .complete
    }

    private enum Step {
        case frames(Int)
        case stopped(Condition)
    }

    /// Returns the next block, as it is to sound.
    private func nextBlock() -> PCMBlock? {
        guard let preparation else { return readBlock() }
        return prepared(preparation)
    }

    /// Returns the next current block of the source, and drops stale ones.
    func readBlock() -> PCMBlock? {
        guard !isCrossing else { return nil }
        while let block = source.next() {
            if block.generation == generation, block.frames >= 0 { return limited(block) }
            guard Int32(bitPattern: block.generation &- generation) < 0 else { return nil }
            source.advance(by: max(0, block.frames))
        }
        return nil
    }

    /// Returns the part of a block before the limit, marked as the end if the limit lies in or before the block.
    private func limited(_ block: PCMBlock) -> PCMBlock {
        isAtLimit = false
        guard let until, (block.track, block.positionEnd) > (until.track, until.units) else { return block }
        if isPieceDue, generationContent == nil, preparation?.isFresh ?? true,
            (block.track, block.position) >= (until.track, until.units)
        {
            self.until = nil
            return block
        }
        var limited = block
        limited.isEnd = true
        isAtLimit = true
        let units = block.positionEnd - block.position
        guard block.track == until.track, until.units > block.position, units > 0 else {
            limited.frames = 0
            return limited
        }
        // For audio, a unit is a frame, and this is exact. An engine's units times frames may need more than one word.
        let product = UInt64(block.frames).multipliedFullWidth(by: UInt64(until.units - block.position))
        limited.frames = Int(UInt64(units).dividingFullWidth(product).quotient)
        limited.positionEnd = until.units
        return limited
    }

    /// Handles blocks without frames; returns `nil` at a block with sound.
    private func stop(at block: PCMBlock?) -> Condition? {
        if hasEnded { return .ended }
        guard let block else { return .starved }
        if block.frames > 0, block.format != format {
            nextFormat = block.format
            return .formatChange(block.format)
        }
        if isPieceDue { begin(with: block) }
        return nil
    }

    /// Begins a piece at a block; the first block of a generation is where its sound begins in the content.
    private func begin(with block: PCMBlock) {
        isPieceDue = false
        tempoIsFinished = false
        sources.begin(SourceMap.Piece(content: ring.end, source: block.index, rate: rate, shift: stageShift))
        preparation?.forgetJump()
        guard generationContent == nil else { return }
        generationContent = ring.end
        guard softens, mode == .sounding, gain.isSteady, block.frames > 0 else { return }
        let length = format.frames(milliseconds: 1.5)
        gain = GainRamp(from: 0, to: volume, length: length)
        transitionEnd = written + Int64(length)
    }

    var stageShift: Double { rate == 1 ? 0 : tempo?.shift ?? 0 }

    /// Prepares the stage for this rate; returns `false` if no stage supports it.
    ///
    /// It is the only place of the renderer that allocates after `init`, and it is not called within `render`.
    func restartTempo(rate: Double) -> Bool {
        if rate == 1 { return true }
        if tempo == nil, let stage = SoundTouchStage(format: format) {
            tempo = stage
            scratch = .allocate(capacity: stage.blockFrames * format.channels)
        }
        return tempo?.restart(rate: rate) ?? false
    }

    private func take(_ block: PCMBlock, _ frames: Int) {
        if let preparation {
            if frames > 0, let jump = preparation.jump { sources.leaveOut(from: jump.from, to: jump.to) }
            preparation.consume(frames)
        } else {
            sources.record(block, frames: frames)
            source.advance(by: frames)
        }
        if block.isEnd, frames == block.frames { hasEnded = true }
    }

    private func copy(into target: UnsafeMutablePointer<Float>, _ room: Int) -> Step {
        while true {
            let block = hasEnded ? nil : nextBlock()
            if let condition = stop(at: block) { return .stopped(condition) }
            guard let block else { return .stopped(.starved) }
            let frames = min(block.frames, room)
            SampleBounds.copy(block.samples, into: target, count: frames * format.channels)
            take(block, frames)
            if frames > 0 { return .frames(frames) }
        }
    }

    private func stretch(into target: UnsafeMutablePointer<Float>, _ room: Int) -> Step {
        guard let tempo, let scratch else { return .stopped(.starved) }
        while true {
            let ready = tempo.take(target, frames: room)
            if ready > 0 { return .frames(ready) }
            if tempoIsFinished {
                if hasEnded { return .stopped(.ended) }
                return .stopped(nextFormat.map(Condition.formatChange) ?? .starved)
            }
            let block = hasEnded ? nil : nextBlock()
            switch stop(at: block) {
            case .ended, .formatChange:
                tempo.finish()
                tempoIsFinished = true
                continue
            case let condition?: return .stopped(condition)
            case nil: break
            }
            guard let block else { return .stopped(.starved) }
            let offered = min(block.frames, tempo.blockFrames)
            SampleBounds.copy(block.samples, into: scratch, count: offered * format.channels)
            let taken = offered == 0 ? 0 : tempo.put(scratch, frames: offered)
            guard taken > 0 || block.frames == 0 else {
                // The stage failed, so it restarts behind what it had.
                return restart(at: block)
            }
            take(block, taken)
        }
    }

    private func restart(at block: PCMBlock) -> Step {
        guard let tempo, tempo.restart(rate: rate) else { return .stopped(.starved) }
        sources.begin(SourceMap.Piece(content: ring.end, source: block.index, rate: rate, shift: stageShift))
        preparation?.forgetJump()
        return .frames(0)
    }
}
