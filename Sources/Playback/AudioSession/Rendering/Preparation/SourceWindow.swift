// SPDX-License-Identifier: Apache-2.0

/// The frames that were read ahead of what is handed out, with their numbers in the source.
struct SourceWindow {
    private let ring: ContentRing
    /// The source's frame that is frame 0 of `ring`.
    private var base: Int64 = 0

    init(frames: Int, channels: Int) {
        ring = ContentRing(frames: frames, channels: channels)
    }

    /// The number of the frame behind the last one.
    var end: Int64 { base + ring.end }

    /// Drops everything and continues at a frame.
    mutating func restart(at index: Int64) {
        ring.cut(at: 0)
        base = index
    }

    /// Returns the number of frames that there is room for, if those from `index` on are kept.
    func room(from index: Int64) -> Int { ring.capacity - Int(end - index) }

    /// Appends frames, and bounds their samples.
    func append(_ samples: UnsafePointer<Float>, frames: Int) {
        var left = frames
        var samples = samples
        while left > 0 {
            let (target, run) = ring.room()
            let part = min(left, run)
            SampleBounds.copy(samples, into: target, count: part * ring.channels)
            ring.commit(part)
            samples += part * ring.channels
            left -= part
        }
    }

    /// Returns the frames from `index` on that lie in one piece.
    func frames(from index: Int64) -> (UnsafePointer<Float>, Int) { ring.frames(from: index - base) }
}
