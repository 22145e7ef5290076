// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// The destination of a render.
///
/// It is used on the output's thread.
protocol RenderSink: AnyObject {
    func begin(_ format: AudioFormat, _ encoding: SampleEncoding) throws(OutputError)

    /// Writes interleaved frames of the format that it began with.
    func write(_ samples: UnsafePointer<Float>, frames: Int) throws(OutputError)

    /// Makes what was written complete and readable. Writing may continue afterwards.
    func finish() throws(OutputError)
}

/// A sink that only counts.
final class CountingSink: RenderSink {
    private(set) var frames: Int64 = 0

    func begin(_ format: AudioFormat, _ encoding: SampleEncoding) throws(OutputError) {
        frames = 0
    }

    func write(_ samples: UnsafePointer<Float>, frames: Int) throws(OutputError) {
        self.frames += Int64(frames)
    }

    func finish() throws(OutputError) {}
}
