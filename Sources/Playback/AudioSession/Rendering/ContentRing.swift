// SPDX-License-Identifier: Apache-2.0

/// The content as it goes to the device, before volume and fades, from what is audible to what was rendered last.
///
/// Counted in frames from 0; what is older than the capacity is overwritten.
final class ContentRing {
    let channels: Int
    let capacity: Int
    private let samples: UnsafeMutablePointer<Float>
    /// Behind the last frame.
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

    /// Where the next frames go, and how many fit there in one piece.
    func room() -> (UnsafeMutablePointer<Float>, Int) {
        let offset = offset(end)
        return (samples + offset * channels, capacity - offset)
    }

    func commit(_ frames: Int) {
        end += Int64(frames)
    }

    /// Frames from `frame` on, in one piece.
    func frames(from frame: Int64) -> (UnsafePointer<Float>, Int) {
        let offset = offset(frame)
        return (UnsafePointer(samples + offset * channels), min(capacity - offset, Int(end - frame)))
    }

    /// What follows is written anew.
    func cut(at frame: Int64) {
        end = min(end, max(0, frame))
    }
}
