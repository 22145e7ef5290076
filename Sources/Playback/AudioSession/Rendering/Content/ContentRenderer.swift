// SPDX-License-Identifier: Apache-2.0

/// The renderer of the content: what an engine delivers, at the speed and as prepared as the user wants it.
///
/// It goes from the source through the tempo stage into a ring, and keeps the map back. Content is counted in frames
/// from 0. It runs on the output's thread; only `restart` and `prepare` allocate.
final class ContentRenderer {
    let format: AudioFormat
    let ring: ContentRing
    private let map = SourceMap()
    private var reader: SourceReader
    private var tempo: StreamTempo
    /// The first content frame of the current generation; `nil` before it was rendered.
    private(set) var generationStart: Int64?
    /// `true` if the last call of `produce` reached the first sound of the generation.
    private(set) var beganGeneration = false
    /// The content frame before which everything was heard.
    private var heard: Int64 = 0
    /// `true` if the next block begins a piece of the map to the source.
    private var isPieceDue = true
    private var hasEnded = false
    private var nextFormat: AudioFormat?

    init(
        _ source: any PCMSource, format: AudioFormat, generation: UInt32, settings: StreamSettings, aheadFrames: Int,
        boundaries: [HeardPosition]
    ) {
        self.format = format
        ring = ContentRing(frames: max(aheadFrames, format.frames(milliseconds: 50)), channels: format.channels)
        reader = SourceReader(
            source, format: format, generation: generation, settings: settings, boundaries: boundaries, map: map)
        tempo = StreamTempo(format: format)
        _ = tempo.restart(at: settings.rate)
    }

    var source: any PCMSource { reader.source }
    var generation: UInt32 { reader.generation }
    var isAwaited: Bool { reader.isAwaited }
    var isAtLimit: Bool { reader.isAtLimit }
    var limit: HeardPosition? { reader.limitPlace }
    var rate: Double { tempo.rate }

    /// `true` if sound of the current generation was produced, so that a change renders it again.
    var hasBegun: Bool { !isAwaited && generationStart != nil }

    // MARK: Production

    /// Produces up to `frames` more frames, and returns the reason if there are fewer.
    func produce(_ frames: Int) -> StreamRenderer.Condition {
        beganGeneration = false
        var wanted = frames
        while wanted > 0 {
            let held = Int(ring.end - min(heard, ring.end))
            guard held < ring.capacity else { return .held }
            let (target, run) = ring.room()
            let room = min(wanted, run, ring.capacity - held)
            switch tempo.rate == 1 ? copy(into: target, room) : stretch(into: target, room) {
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
        case stopped(StreamRenderer.Condition)
    }

    private func nextBlock() -> PCMBlock? {
        reader.next(begins: isPieceDue && generationStart == nil, isAllHeard: heard >= ring.end)
    }

    /// Handles blocks without frames; returns `nil` at a block with sound.
    private func stop(at block: PCMBlock?) -> StreamRenderer.Condition? {
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
        tempo.reopen()
        beginPiece(from: block.index)
        guard generationStart == nil else { return }
        generationStart = ring.end
        beganGeneration = block.frames > 0
    }

    /// Maps the content from here on to the source's frames from `index` on.
    private func beginPiece(from index: Int64) {
        map.begin(SourceMap.Piece(content: ring.end, source: index, rate: tempo.rate, shift: tempo.shift))
        reader.beginPiece()
    }

    private func take(_ block: PCMBlock, _ frames: Int) {
        reader.take(block, frames)
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
        while true {
            let ready = tempo.take(target, frames: room)
            if ready > 0 { return .frames(ready) }
            if tempo.isFinished {
                if hasEnded { return .stopped(.ended) }
                return .stopped(nextFormat.map(StreamRenderer.Condition.formatChange) ?? .starved)
            }
            let block = hasEnded ? nil : nextBlock()
            switch stop(at: block) {
            case .ended, .formatChange:
                tempo.finish()
                continue
            case let condition?: return .stopped(condition)
            case nil: break
            }
            guard let block else { return .stopped(.starved) }
            let taken = tempo.put(block)
            guard taken > 0 || block.frames == 0 else {
                // The stage failed, so it restarts behind what it had.
                guard tempo.recover() else { return .stopped(.starved) }
                beginPiece(from: block.index)
                return .frames(0)
            }
            take(block, taken)
        }
    }

    // MARK: Positions

    /// Records that the content before a frame was heard, so that the engine may reuse the space.
    ///
    /// - Returns: `false` if that was known, or if the frame is not in the map.
    func hear(upTo frame: Int64) -> Bool {
        guard frame > heard else { return false }
        heard = frame
        guard let source = map.source(at: frame) else { return false }
        // A new rate begins a moment before the frame that it is requested for.
        let kept = source - Int64(format.frames(milliseconds: 20))
        map.forget(beforeContent: frame, source: kept)
        reader.source.release(before: kept)
        return true
    }

    /// Returns the position at a frame; `nil` before the first sound.
    func place(at frame: Int64) -> HeardPosition? {
        guard let source = map.source(at: frame) else { return nil }
        if hasEnded, frame == ring.end, tempo.isEmptied { return map.end }
        return map.place(at: source)
    }

    // MARK: Changes

    /// Waits for the sound of another generation, and drops the source's older sound.
    func expect(_ generation: UInt32) {
        reader.expect(generation)
        generationStart = nil
    }

    /// Returns the first block of the generation that is awaited; `nil` if it has not arrived.
    func arrival() -> PCMBlock? {
        isAwaited ? reader.nextOfGeneration() : nil
    }

    /// Drops the frames from `frame` on.
    func cut(at frame: Int64) {
        ring.cut(at: frame)
    }

    /// Continues at `frame` with the generation that was awaited.
    ///
    /// - Parameter arrival: Its first block.
    func cross(to arrival: PCMBlock, at frame: Int64) {
        ring.cut(at: frame)
        heard = min(heard, frame)
        map.cut(at: frame)
        reader.begin(at: arrival.index)
        if !tempo.restart(at: tempo.rate) { _ = tempo.restart(at: 1) }
        isPieceDue = true
        reopen()
    }

    /// Returns `true` if there can be sound at this rate.
    func supports(_ rate: Double) -> Bool { tempo.supports(rate) }

    /// Sets the rate of what is read from now on; a rate that the stage does not support changes nothing.
    func restart(at rate: Double) {
        _ = tempo.restart(at: rate)
    }

    func move(limit: HeardPosition?) {
        reader.move(limit: limit)
    }

    func prepare(_ sound: SoundOptions) {
        reader.prepare(sound)
    }

    /// Goes back to the source's frame that belongs to a content frame, and returns it; `nil` if it is already
    /// released.
    func rewind(to frame: Int64) -> Int64? {
        guard let index = map.source(at: frame), reader.rewind(to: index) else { return nil }
        return index
    }

    /// Renders the content from `frame` on again; `index` is what `rewind` returned for it.
    func renew(from frame: Int64, index: Int64) {
        ring.cut(at: frame)
        map.begin(SourceMap.Piece(content: frame, source: index, rate: tempo.rate, shift: tempo.shift))
        reopen()
    }

    /// Continues with a piece of its own where the source is.
    func breakOff() {
        isPieceDue = true
    }

    private func reopen() {
        hasEnded = false
        // Otherwise the stage of an item that was rendered to its end would take nothing more.
        tempo.reopen()
        nextFormat = nil
    }
}
