// SPDX-License-Identifier: Apache-2.0

/// A question to the session about a part of a file's waveform.
public struct WaveformWish: Sendable, Hashable {
    public var track: Int
    /// The columns, counted from the start of the file.
    public var columns: Range<Int64>
    /// The ms of a column.
    public var step: Int64

    /// The part in ms.
    var range: Range<Int64> { columns.lowerBound * step..<columns.upperBound * step }
}
