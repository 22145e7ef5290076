// SPDX-License-Identifier: Apache-2.0

/// A buffer of interleaved frames on their way to a device, allocated once.
public final class SampleBuffer {
    public let samples: UnsafeMutablePointer<Float>
    public let frames: Int

    public init(frames: Int, channels: Int) {
        self.frames = frames
        samples = .allocate(capacity: max(1, frames * channels))
    }

    deinit {
        samples.deallocate()
    }
}
