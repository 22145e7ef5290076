// SPDX-License-Identifier: Apache-2.0

/// A run of sound that has been rendered and not yet read.
public struct PCMBlock {
    /// The interleaved samples.
    ///
    /// They may lie in memory that an engine can write to, so read each sample once.
    public var samples: UnsafePointer<Float>
    /// The number of frames; it may be 0 for a block that only marks the end.
    public var frames: Int
    public var format: AudioFormat
    /// The generation, which identifies the seek that the block belongs to.
    public var generation: UInt32
    public var track: Int
    /// The positions at the first frame and just behind the last one, in units of the track.
    public var position: Int64
    public var positionEnd: Int64
    /// The number of the first frame, counted over everything that the source ever delivered.
    public var index: Int64
    /// `true` if nothing of this generation comes after it.
    public var isEnd: Bool
    /// `true` if it is the last block of its track.
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

/// The source of an output thread's sound: the reading side of an engine's ring.
///
/// It has one reader, on one thread. Nothing here allocates, locks or waits. What was read stays in the ring until it
/// is released, so that sound that was handed to a device and never heard can be read again.
public protocol PCMSource: AnyObject, Sendable {
    /// Returns the next unread block, or what is left of it after `advance`; `nil` if there is none yet.
    func next() -> PCMBlock?

    /// Advances by `frames` frames of the block that `next` returned.
    ///
    /// A block is used up when all of its frames are; a block without frames is used up by `advance(by: 0)`.
    func advance(by frames: Int)

    /// Goes back (or forward) to the frame with this number, if it is still there.
    ///
    /// - Returns: `false` if the frame has been released; the position is then unchanged.
    func rewind(to index: Int64) -> Bool

    /// Releases the frames below this number: they will not be read again, and the engine may reuse their space.
    func release(before index: Int64)

    /// Drops all blocks of older generations, including those that come later.
    ///
    /// Call it before the engine is told to seek; otherwise the engine may wait for space that is never freed.
    func discard(before generation: UInt32)

    /// A file descriptor that becomes readable when sound arrives after `arm` returned `false`.
    var readiness: Int32 { get }

    /// Requests a signal on `readiness`. Returns `true` if there already is unread sound; then there is no signal.
    func arm() -> Bool

    /// Clears the signal after `readiness` became readable.
    func acknowledge()
}
