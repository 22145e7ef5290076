// SPDX-License-Identifier: Apache-2.0

import AudioSession

/// Where a render goes.
///
/// On the output's thread.
protocol RenderSink: AnyObject {
    func begin(_ format: AudioFormat, _ encoding: SampleEncoding) throws(OutputError)

    /// Interleaved frames of the format that it began with.
    func write(_ samples: UnsafePointer<Float>, frames: Int) throws(OutputError)

    /// What was written is complete and readable. May go on afterwards.
    func finish() throws(OutputError)
}

/// A render that only counts.
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
