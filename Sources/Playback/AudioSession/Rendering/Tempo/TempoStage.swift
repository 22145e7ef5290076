// SPDX-License-Identifier: Apache-2.0

/// A stage that changes the speed and keeps the pitch.
///
/// It handles one stream, on the output's thread. Output frame n belongs to input frame n × rate + `shift`, counted
/// from the last `restart`; output frame 0 is input frame 0. Nothing allocates after initialisation.
public protocol TempoStage: AnyObject {
    /// The largest number of frames that one `put` takes.
    var blockFrames: Int { get }

    /// The mean distance from the line n × rate, in input frames.
    var shift: Double { get }

    /// Drops what is inside and continues at `rate`. Returns `false` if it does not support this rate.
    func restart(rate: Double) -> Bool

    /// Returns the number of frames it took: fewer than offered while output waits, or a negative number if it failed.
    func put(_ samples: UnsafePointer<Float>, frames: Int) -> Int

    /// Returns the number of frames it wrote; 0 if it needs input.
    func take(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int

    /// Ends the input: what is inside comes out, round(input / rate) frames in total.
    func finish()
}
