// SPDX-License-Identifier: Apache-2.0

import CTempo

/// The tempo stage of the session: SoundTouch.
final class SoundTouchStage: TempoStage {
    private let stream: OpaquePointer

    /// Creates a stage; `nil` if the library does not support the format, or there is no memory.
    init?(format: AudioFormat) {
        guard let stream = ctempo_create(Int32(clamping: format.sampleRate), Int32(clamping: format.channels)) else {
            return nil
        }
        self.stream = stream
    }

    deinit {
        ctempo_destroy(stream)
    }

    var blockFrames: Int { Int(CTEMPO_BLOCK) }
    var shift: Double { ctempo_shift(stream) }

    func restart(rate: Double) -> Bool {
        ctempo_set_rate(stream, rate) == 0
    }

    func put(_ samples: UnsafePointer<Float>, frames: Int) -> Int {
        Int(ctempo_put(stream, samples, Int32(clamping: frames)))
    }

    func take(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        Int(ctempo_take(stream, samples, Int32(clamping: frames)))
    }

    func finish() {
        _ = ctempo_flush(stream)
    }
}
