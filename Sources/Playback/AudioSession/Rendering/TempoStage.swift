// SPDX-License-Identifier: Apache-2.0

/// Another speed at the same pitch.
///
/// One stream, on the output's thread. Output frame n belongs to input frame n × rate + `shift`, counted from the
/// last `restart`; output frame 0 is input frame 0. Nothing allocates after it was made.
public protocol TempoStage: AnyObject {
    /// Frames that one `put` takes at most.
    var blockFrames: Int { get }

    /// Mean distance from the line n × rate, in input frames.
    var shift: Double { get }

    /// Drops what is inside, and goes on at `rate`. False if it cannot do this rate.
    func restart(rate: Double) -> Bool

    /// Returns how many frames it took: fewer than offered while output waits, or a negative number when it failed.
    func put(_ samples: UnsafePointer<Float>, frames: Int) -> Int

    /// Returns how many frames it wrote; 0 when it needs input.
    func take(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Int

    /// No more input: what is inside comes out, round(input / rate) frames in total.
    func finish()
}
