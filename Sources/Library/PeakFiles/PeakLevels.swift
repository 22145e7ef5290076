// SPDX-License-Identifier: Apache-2.0

public import MediaPlayback

/// The resolutions at which peaks are kept.
public enum PeakLevels {
    /// The frames of one peak at each level, the finest first.
    public static let framesPerPeak = [512, 4096, 32_768]
    /// The frames of one peak that an engine is asked for.
    public static let finest = 512
    /// The frames of one peak of which all are kept in memory: 1.2 MB for 40 hours at 44.1 kHz.
    static let coarsest = 32_768
    /// The peaks of the finest level that are made and kept together: 48 s at 44.1 kHz.
    public static let segment = 4096
    /// The peaks of the coarsest level in one segment.
    static let coarseInSegment = segment * finest / coarsest
    /// The maximum number of segments: 39 days at 44.1 kHz.
    ///
    /// It bounds what a wrong duration could make a session do.
    public static let mostSegments = 70_000

    /// Returns the coarsest level that still has a peak for each column.
    public static func level(framesPerColumn: Double) -> Int {
        framesPerPeak.last { Double($0) <= framesPerColumn } ?? finest
    }

    /// Joins peaks of equal length to one.
    ///
    /// Its RMS is computed from theirs, each of which was rounded, so it may differ by 1 from that of all samples.
    public static func join(_ peaks: some Collection<Peak>) -> Peak {
        guard let first = peaks.first else { return Peak(minimum: 0, maximum: 0, rms: 0) }
        var joined = first
        var squares: UInt64 = 0
        for peak in peaks {
            joined.minimum = min(joined.minimum, peak.minimum)
            joined.maximum = max(joined.maximum, peak.maximum)
            squares += UInt64(peak.rms) * UInt64(peak.rms)
        }
        let mean = Double(squares) / Double(peaks.count)
        joined.rms = UInt16(clamping: Int(mean.squareRoot().rounded()))
        return joined
    }

    /// Returns peaks of a coarser level, each of `factor` peaks; the last may be of fewer.
    static func coarsened(_ peaks: [Peak], by factor: Int) -> [Peak] {
        stride(from: 0, to: peaks.count, by: factor).map { join(peaks[$0..<min($0 + factor, peaks.count)]) }
    }
}
