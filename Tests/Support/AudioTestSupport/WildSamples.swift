// SPDX-License-Identifier: Apache-2.0

/// Samples that no recording contains, but a damaged or crafted file may.
public enum WildSamples {
    public static let chosen: [Float] = [
        .nan, .signalingNaN, -.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
        .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, -.leastNormalMagnitude, 3.4e38, -3.4e38,
        1e30,
        1e19, -1e19, 2_147_483_648, -2_147_483_648, 32_768, 16.5, -16.5, 16, -16, 1.000_000_1, 1, -1, 0, -0.0,
    ]

    /// A signal of chosen and arbitrary bit patterns, half of each; it is the same in every run.
    public static let signal: FakeSource.Signal = { position, channel in
        var bits = UInt64(bitPattern: position) &* 8 &+ UInt64(channel) &+ 1
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        if bits & 1 == 0 { return Float(bitPattern: UInt32(truncatingIfNeeded: bits >> 16)) }
        return chosen[Int((bits >> 8) % UInt64(chosen.count))]
    }

    /// A long signal as loud as a float can be, which puts the largest load on sums, correlations and filters.
    public static let loudest: FakeSource.Signal = { position, _ in
        position / 37 % 2 == 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
    }

    /// Sound with a gap of denormal numbers only, which is quieter than any silence.
    public static let faint: FakeSource.Signal = { position, _ in
        position / 48_000 % 2 == 0 ? .leastNonzeroMagnitude * Float(position % 7) : Float(position % 100) / 200
    }
}
