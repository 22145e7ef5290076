// SPDX-License-Identifier: Apache-2.0

/// What a sample may be: whatever a file holds, nothing behind this computes with anything else.
///
/// A sample that is no number would silence the sound server's whole mix; one that is as large as a float can be becomes
/// infinite, and then none, in the first sum, product or filter.
public enum SampleBounds {
    /// 24 dB above full scale: what a recording holds stays as it is, bit for bit, and each stage has room above it.
    public static let largest: Float = 16

    /// What is no number is silence, what is too large the largest that may be.
    @inline(__always)
    public static func bounded(_ sample: Float) -> Float {
        if sample.magnitude <= largest { return sample }
        guard sample.isFinite else { return 0 }
        return sample < 0 ? -largest : largest
    }

    /// Takes sound in: reads each sample once.
    public static func copy(_ samples: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>, count: Int) {
        for index in 0..<count { target[index] = bounded(samples[index]) }
    }

    /// The integer nearest to a sample, where 1.0 is `fullScale` (at most 2³¹); of every float there is one.
    ///
    /// May lie beyond full scale.
    public static func integer(_ sample: Float, fullScale: Double) -> Int64 {
        Int64((Double(bounded(sample)) * fullScale).rounded(.toNearestOrEven))
    }
}
