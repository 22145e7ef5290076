// SPDX-License-Identifier: Apache-2.0

/// A block to fill.
///
/// ``samples`` has room for ``capacity`` interleaved floats.
public struct Block {
    public let samples: UnsafeMutablePointer<Float>
    /// The room in ``samples``, in floats, not frames.
    public let capacity: Int

    /// The number of frames written.
    public var frames = 0
    public var sampleRate = 0
    public var channels = 0
    public var track = 0
    /// The position of the first frame, in units.
    public var position: Int64 = 0
    /// The position just after the last frame, in units; for audio `position + frames`.
    public var positionEnd: Int64 = 0
    /// `true` if nothing comes after this block.
    public var isEnd = false
    /// `true` if this is the last block of its track.
    public var isTrackEnd = false
    /// `true` if something before this block could not be decoded and was left out.
    public var isDamaged = false

    public init(samples: UnsafeMutablePointer<Float>, capacity: Int) {
        self.samples = samples
        self.capacity = capacity
    }
}
