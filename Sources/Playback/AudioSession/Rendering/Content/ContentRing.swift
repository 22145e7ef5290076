// SPDX-License-Identifier: Apache-2.0

/// A ring of content on its way to the device, before volume and fades, from the audible frame to the last one
/// rendered.
///
/// Frames are counted from 0; frames older than the capacity are overwritten.
final class ContentRing {
    let channels: Int
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// The number of the frame behind the last one.
    private(set) var end: Int64 = 0

    init(frames: Int, channels: Int) {
        self.channels = channels
        capacity = frames
        samples = .allocate(capacity: frames * channels)
    }

    deinit {
        samples.deallocate()
    }

    private func offset(_ frame: Int64) -> Int { Int(frame % Int64(capacity)) }

    /// Returns the memory for the next frames and the number that fits there in one piece.
    func room() -> (UnsafeMutablePointer<Float>, Int) {
        let offset = offset(end)
        return (samples + offset * channels, capacity - offset)
    }

    func commit(_ frames: Int) {
        end += Int64(frames)
    }

    /// Returns the frames from `frame` on that lie in one piece.
    func frames(from frame: Int64) -> (UnsafePointer<Float>, Int) {
        let offset = offset(frame)
        return (UnsafePointer(samples + offset * channels), min(capacity - offset, Int(end - frame)))
    }

    /// Drops the frames from `frame` on, which are written again.
    func cut(at frame: Int64) {
        end = min(end, max(0, frame))
    }
}
