// SPDX-License-Identifier: Apache-2.0

/// The server's index of each frame of a stream.
///
/// Silence that is written behind the last frame is no frame of the stream. If the server has taken some of it when more
/// sound comes, that sound follows the silence, at a higher index.
struct StreamIndex {
    /// The silence behind the last frame that was written, in frames.
    private(set) var padding: Int64 = 0
    /// The difference between index and frame, from `joint` on and before it.
    private var shift: Int64 = 0
    private var earlierShift: Int64 = 0
    private var joint: Int64 = 0

    func index(of frame: Int64) -> Int64 {
        frame + (frame < joint ? earlierShift : shift)
    }

    /// Returns the frame at an index; within silence it is the next one.
    func frame(at index: Int64) -> Int64 {
        let frame = index - shift
        return frame >= joint ? frame : min(index - earlierShift, joint)
    }

    /// Returns the first frame that is not heard yet, less one before a silence ends: the next frame is not there yet.
    func heard(at index: Int64) -> Int64 {
        let frame = frame(at: index)
        return frame == joint && index - shift < joint ? joint - 1 : frame
    }

    mutating func pad(_ frames: Int64) {
        padding = frames
    }

    /// Records a write that replaces what is there from a frame on.
    mutating func replace(from frame: Int64) {
        padding = 0
        if frame < joint { (shift, joint) = (earlierShift, 0) }
    }

    /// Records that the silence stays, and that the next frame comes behind it.
    mutating func keepPadding(before frame: Int64) {
        // Two silences with nothing between them are one.
        if frame > joint { earlierShift = shift }
        joint = frame
        shift += padding
        padding = 0
    }
}
