// SPDX-License-Identifier: Apache-2.0

/// A run of sound that has been rendered and not yet read.
public struct PCMBlock {
    /// Interleaved.
    ///
    /// May lie in memory that an engine can write to: read each sample once.
    public var samples: UnsafePointer<Float>
    /// May be 0 for a block that only says that the end has come.
    public var frames: Int
    public var format: AudioFormat
    /// The seek that it belongs to.
    public var generation: UInt32
    public var track: Int
    /// Units of the track, at the first frame and just behind the last one.
    public var position: Int64
    public var positionEnd: Int64
    /// The number of the first frame, counted over everything that the source ever delivered.
    public var index: Int64
    /// Nothing of this generation comes after it.
    public var isEnd: Bool
    /// The last block of its track.
    public var isTrackEnd: Bool

    public init(
        samples: UnsafePointer<Float>, frames: Int, format: AudioFormat, generation: UInt32, track: Int,
        position: Int64, positionEnd: Int64, index: Int64, isEnd: Bool, isTrackEnd: Bool
    ) {
        self.samples = samples
        self.frames = frames
        self.format = format
        self.generation = generation
        self.track = track
        self.position = position
        self.positionEnd = positionEnd
        self.index = index
        self.isEnd = isEnd
        self.isTrackEnd = isTrackEnd
    }
}

/// Where an output's thread takes its sound from: the reading side of an engine's ring.
///
/// One reader, on one thread. Nothing here allocates, locks or waits. What was read stays in the ring
/// until it is released, so that sound which was handed to a device and never heard can be read again.
public protocol PCMSource: AnyObject, Sendable {
    /// The next unread block, or what is left of it after `advance`; nil if there is none yet.
    func next() -> PCMBlock?

    /// Goes on behind `frames` frames of the block that `next` returned. A block is used up when all of
    /// its frames are; one with no frames by `advance(by: 0)`.
    func advance(by frames: Int)

    /// Goes back (or forward) to the frame with this number, if it is still there. Returns false, and
    /// stays, if it has been released.
    func rewind(to index: Int64) -> Bool

    /// Frames below this number will not be read again; their room is the engine's.
    func release(before index: Int64)

    /// Drops all blocks of older generations, also such as come later. To be called before the engine is told to
    /// seek, or it may wait for room that never comes.
    func discard(before generation: UInt32)

    /// A descriptor that becomes readable when sound comes after `arm` returned false.
    var readiness: Int32 { get }

    /// Asks for a signal on `readiness`; true if there is unread sound already, and then there is no signal.
    func arm() -> Bool

    /// Takes the signal away after `readiness` became readable.
    func acknowledge()
}
