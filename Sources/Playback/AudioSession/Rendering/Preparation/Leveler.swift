// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A leveler that finds the gain of each cell: it moves slowly to the target loudness and never so high that it clips.
struct Leveler {
    /// The rate of change in dB per cell of 10 ms: 3 dB a second.
    private static let slope = 0.03
    /// The factor per cell by which the gain returns after a peak: 6 dB a second.
    private static let release = Float(1.00693)
    /// The highest true peak: −1 dBTP (EBU R128).
    static let ceiling = Float(0.891)
    /// The range of the gain in dB.
    ///
    /// Very quiet sound is not speech, and noise must not be amplified.
    private static let range = -24.0...15.0

    private let target: Double
    /// The gain in dB; `nil` before any loudness is known.
    private var level: Double?
    private var last: Float?

    init(target: Double) {
        self.target = target
    }

    /// Returns the gain at the beginning and the end of a cell.
    ///
    /// - Parameters:
    ///   - loudness: The loudness of the speech around the cell, in LUFS; NaN if not known.
    ///   - peaks: The peaks of the cell and the following two.
    mutating func gain(loudness: Double, peaks: (Float, Float, Float)) -> (from: Float, to: Float) {
        if loudness.isFinite {
            let wanted = min(max(target - loudness, Self.range.lowerBound), Self.range.upperBound)
            if let level {
                self.level = level + min(max(wanted - level, -Self.slope), Self.slope)
            } else {
                // Nothing was heard at another level from which it could move.
                level = wanted
                last = nil
            }
        }
        let wanted = Float(pow(10, (level ?? 0) / 20))
        let now = min(wanted, Self.limit(max(peaks.0, peaks.1)))
        let following = min(wanted, Self.limit(max(peaks.1, peaks.2)))
        let to = min(now, following, last.map { max($0, 1e-6) * Self.release } ?? .infinity)
        let from = min(last ?? to, now)
        last = to
        return (from, to)
    }

    private static func limit(_ peak: Float) -> Float {
        peak > 0 ? ceiling / peak : .infinity
    }
}
