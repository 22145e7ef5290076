// SPDX-License-Identifier: Apache-2.0

/// The range of a sample: whatever a file holds, nothing behind this computes with a value outside it.
///
/// A sample that is not a number would silence the sound server's whole mix. One as large as a float can be becomes
/// infinite, and then not a number, in the first sum, product or filter.
public enum SampleBounds {
    /// The largest magnitude, 24 dB above full scale.
    ///
    /// Recordings stay as they are, bit for bit, and each stage has headroom.
    public static let largest: Float = 16

    /// Returns silence for a sample that is not a number, and the nearest bound for one that is too large.
    @inline(__always)
    public static func bounded(_ sample: Float) -> Float {
        if sample.magnitude <= largest { return sample }
        guard sample.isFinite else { return 0 }
        return sample < 0 ? -largest : largest
    }

    /// Copies samples and bounds them; it reads each sample once.
    public static func copy(_ samples: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count { target[index] = bounded(samples[index]) }
    }

    /// Returns the integer nearest to a sample, where 1.0 is `fullScale` (at most 2³¹).
    ///
    /// Every float has one. It may lie beyond full scale.
    public static func integer(_ sample: Float, fullScale: Double) -> Int64 {
        Int64((Double(bounded(sample)) * fullScale).rounded(.toNearestOrEven))
    }
}
