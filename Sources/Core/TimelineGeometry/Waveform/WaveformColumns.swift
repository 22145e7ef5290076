// SPDX-License-Identifier: Apache-2.0

/// The peaks of the columns of a strip, from left to right.
public struct WaveformColumns: Hashable, Sendable {
    /// A peak for each column; `nil` outside of the content, and where it is not made yet.
    public let peaks: [WaveformPeak?]

    public init(_ peaks: [WaveformPeak?]) { self.peaks = peaks }

    /// Creates the columns of a strip: those of its grid, so that a column looks the same wherever it is.
    ///
    /// A column in which the content ends is made of what there is of it.
    public init(_ waveform: Waveform, _ geometry: TimelineGeometry) {
        let framesPerUnit = waveform.framesPerSecond / geometry.unitsPerSecond
        let end = Double(geometry.end)
        peaks = (0..<geometry.columnCount).map { column in
            let positions = geometry.positions(ofColumn: column)
            let (from, to) = (max(0, positions.lowerBound), min(end, positions.upperBound))
            guard from < to else { return nil }
            return waveform.peak(over: (from * framesPerUnit)..<(to * framesPerUnit))
        }
    }
}
