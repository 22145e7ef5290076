// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The sound that a device without hardware has been given, for a test that captures it when it is taken.
///
/// It keeps nothing if nobody captures.
struct CapturedSound: ~Copyable {
    private let capture: NullOutput.Capture?
    private let format: AudioFormat
    private let memory: UnsafeMutablePointer<Float>
    /// The number of frames that it has room for.
    private let capacity: Int

    /// Creates the memory for sound.
    ///
    /// - Parameter frames: The number of frames that may be written and not taken.
    init(_ capture: NullOutput.Capture?, format: AudioFormat, frames: Int) {
        self.capture = capture
        self.format = format
        capacity = capture == nil ? 0 : frames
        memory = .allocate(capacity: max(1, capacity * format.channels))
    }

    deinit { memory.deallocate() }

    func write(_ samples: UnsafePointer<Float>, frames: Int, at frame: Int64) {
        guard capacity > 0 else { return }
        for index in 0..<frames {
            let offset = Int((frame + Int64(index)) % Int64(capacity)) * format.channels
            (memory + offset).update(from: samples + index * format.channels, count: format.channels)
        }
    }

    /// Hands the frames over that the device takes.
    func take(_ frames: Int64, at frame: Int64) {
        guard let capture, frames > 0 else { return }
        var (taken, left) = (frame, Int(frames))
        while left > 0 {
            let offset = Int(taken % Int64(capacity))
            let run = min(left, capacity - offset)
            capture(UnsafeBufferPointer(start: memory + offset * format.channels, count: run * format.channels), format)
            taken += Int64(run)
            left -= run
        }
    }
}
