// SPDX-License-Identifier: Apache-2.0

/// The sound that is left out: where it begins, and its first frames, which fade out below what follows it.
struct SkippedSound {
    private let channels: Int
    private let buffer: SampleBuffer
    private var count = 0
    private var position = 0
    /// The first frame of the source that is left out; `nil` if what comes next continues what was taken.
    private(set) var start: Int64?

    init(frames: Int, channels: Int) {
        self.channels = channels
        buffer = SampleBuffer(frames: frames, channels: channels)
    }

    mutating func restart() {
        start = nil
        count = 0
        position = 0
    }

    /// Begins at a frame of the source; `copy` fills the buffer and returns the number of frames.
    mutating func begin(at index: Int64, _ copy: (UnsafeMutablePointer<Float>) -> Int) {
        start = index
        position = 0
        count = copy(buffer.samples)
    }

    /// Forgets where it began: what comes next begins by itself.
    mutating func forgetStart() {
        start = nil
    }

    /// Records that frames of what follows were taken.
    mutating func advance(by frames: Int) {
        start = nil
        position = min(count, position + frames)
    }

    /// Fades over to the frames that follow.
    func fade(into output: UnsafeMutablePointer<Float>, frames: Int) {
        for frame in 0..<min(frames, count - position) {
            let part = (Float(position + frame) + 0.5) / Float(count)
            for channel in 0..<channels {
                let index = frame * channels + channel
                let old = buffer.samples[position * channels + index]
                output[index] = old + (output[index] - old) * part
            }
        }
    }
}
