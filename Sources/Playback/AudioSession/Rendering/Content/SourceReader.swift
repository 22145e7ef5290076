// SPDX-License-Identifier: Apache-2.0

/// The reader of a stream's source: one generation's sound up to the limit, prepared as the sound options ask.
struct SourceReader {
    let source: any PCMSource
    private let format: AudioFormat
    private let map: SourceMap
    /// The generation of the seek whose sound is wanted.
    private(set) var generation: UInt32
    /// `true` if the generation's sound has not arrived yet.
    private(set) var isAwaited = false
    private var limit: StreamLimit
    private var boundaries: ContentBoundaries
    /// The preparation of loudness and silences; `nil` to pass on the source's samples as they are.
    private var preparation: SoundPreparation?
    /// `true` if the preparation has all of the content.
    private var hasReadAll = false

    /// Creates a reader, which drops the source's older sound.
    ///
    /// - Parameter map: Receives what is read and what is left out of it.
    init(
        _ source: any PCMSource, format: AudioFormat, generation: UInt32, settings: StreamSettings,
        boundaries: [HeardPosition], map: SourceMap
    ) {
        self.source = source
        self.format = format
        self.map = map
        self.generation = generation
        limit = StreamLimit(settings.limit)
        self.boundaries = ContentBoundaries(boundaries)
        preparation = SoundPreparation(settings.sound, format: format)
        source.discard(before: generation)
    }

    var isAtLimit: Bool { limit.isReached }
    var limitPlace: HeardPosition? { limit.place }

    // MARK: Reading

    /// Returns the next block, as it is to sound; `nil` if there is none yet.
    ///
    /// - Parameters:
    ///   - begins: `true` if the sound of the generation begins with it.
    ///   - isAllHeard: `true` if nothing is left to hear of what was taken.
    mutating func next(begins: Bool, isAllHeard: Bool) -> PCMBlock? {
        guard let preparation else { return read(begins: begins) }
        while true {
            switch preparation.ready() {
            case .frames(let samples, let count, let index):
                return piece(samples, count, at: index)
            case .done(let nothing, let index) where hasReadAll:
                return piece(nothing, 0, at: index)
            case .done:
                // Another format needs another stream.
                return read(begins: begins && preparation.isFresh)
            case .awaitsInput:
                guard let block = read(begins: begins && preparation.isFresh) else {
                    if isAllHeard { releaseLeftOut(preparation) }
                    return nil
                }
                if block.frames > 0, block.format != format {
                    if preparation.isFresh { return block }
                    hasReadAll = false
                    preparation.finish()
                } else {
                    put(block, into: preparation)
                }
            }
        }
    }

    /// Takes frames of the block that `next` returned.
    mutating func take(_ block: PCMBlock, _ frames: Int) {
        if let preparation {
            if frames > 0, let jump = preparation.jump { map.leaveOut(from: jump.from, to: jump.to) }
            preparation.consume(frames)
        } else {
            map.record(block, frames: frames)
            source.advance(by: frames)
        }
    }

    /// Returns the source's next block of the generation, without regard to the limit, and drops stale ones.
    func nextOfGeneration() -> PCMBlock? {
        while let block = source.next() {
            if block.generation == generation, block.frames >= 0 { return block }
            guard Int32(bitPattern: block.generation &- generation) < 0 else { return nil }
            source.advance(by: max(0, block.frames))
        }
        return nil
    }

    private mutating func read(begins: Bool) -> PCMBlock? {
        guard !isAwaited else { return nil }
        return nextOfGeneration().map { limit.cut($0, begins: begins) }
    }

    private func piece(_ samples: UnsafePointer<Float>, _ frames: Int, at index: Int64) -> PCMBlock {
        PCMBlock(
            samples: samples, frames: frames, format: format, generation: generation, track: 0, position: 0,
            positionEnd: 0, index: index, isEnd: frames == 0, isTrackEnd: false)
    }

    private mutating func put(_ block: PCMBlock, into preparation: SoundPreparation) {
        if preparation.isFresh { preparation.restart(at: block.index) }
        if boundaries.begin(block) { preparation.markBoundary() }
        let frames = boundaries.frames(of: block, room: preparation.room)
        if frames > 0 { preparation.put(block.samples, frames: frames) }
        map.record(block, frames: frames)
        source.advance(by: frames)
        if block.isEnd, frames == block.frames {
            hasReadAll = true
            preparation.finish()
        }
    }

    /// Releases the engine's space in a silence that is longer than its ring, where nothing is left to hear.
    private func releaseLeftOut(_ preparation: SoundPreparation) {
        guard preparation.jump != nil else { return }
        source.release(before: preparation.next)
    }

    // MARK: Changes

    /// Waits for a generation, and drops the source's older sound.
    mutating func expect(_ generation: UInt32) {
        self.generation = generation
        source.discard(before: generation)
        isAwaited = true
    }

    /// Begins to read the generation that was awaited.
    ///
    /// - Parameter index: The source's frame that it begins with.
    mutating func begin(at index: Int64) {
        preparation?.restart(at: index)
        isAwaited = false
    }

    /// Goes back to a frame of the source; returns `false` if it has been released.
    func rewind(to index: Int64) -> Bool {
        guard source.rewind(to: index) else { return false }
        preparation?.restart(at: index)
        return true
    }

    /// Begins a piece of the map, which continues nothing.
    func beginPiece() {
        preparation?.forgetJump()
    }

    mutating func move(limit place: HeardPosition?) {
        limit.move(to: place)
    }

    /// Prepares what is read next by other sound options; allocates memory for those that were off before.
    mutating func prepare(_ sound: SoundOptions) {
        // Sound that was read ahead and not handed on is read again.
        if let preparation, !preparation.isFresh, !isAwaited { _ = source.rewind(to: preparation.next) }
        preparation = SoundPreparation(sound, format: format)
    }
}
