// SPDX-License-Identifier: Apache-2.0

/// The look of a column of a strip that is drawn with characters.
public enum ColumnLayer: Hashable, Sendable {
    /// The strip before or behind the content.
    case outside
    case played
    case unplayed
    case selected
    case handle(TimelineHandle)
    case playhead
}

/// Columns of one pixel, for a strip that can be drawn only in whole pixels.
///
/// They lie on a grid that is fixed to the content, not to the screen. A column therefore always shows the same stretch
/// of content, and a waveform does not flicker while it moves.
extension TimelineGeometry {
    /// The number of whole columns.
    public var columnCount: Int { Int(width) }

    /// The column of the playhead.
    public var centreColumn: Int { Int(centre) }

    /// Returns the column of a position, which may lie outside of the strip; at most a million columns away.
    public func column(of position: Int64) -> Int { column(of: Double(position)) }

    private func column(of position: Double) -> Int {
        let steps = (position / unitsPerPixel).rounded(.down) - (playhead / unitsPerPixel).rounded(.down)
        return centreColumn + Int(steps.clamped(to: -1e6...1e6))
    }

    /// Returns the positions that a column shows, in parts of units, which may lie outside of the content.
    public func positions(ofColumn column: Int) -> Range<Double> {
        let steps =
            (playhead / unitsPerPixel).rounded(.down) + Double(column.clamped(to: -1_000_000...1_000_000))
            - Double(centreColumn)
        return (steps * unitsPerPixel)..<((steps + 1) * unitsPerPixel)
    }

    /// The content of all columns in whole units; the first and the last column may reach over the strip.
    public var columnReach: Range<Int64> {
        let (first, last) = (positions(ofColumn: 0).lowerBound, positions(ofColumn: columnCount).upperBound)
        return whole(first)..<max(whole(first), whole(last)) + 1
    }

    /// Returns the look of each column: the playhead over the handles, those over the selection.
    ///
    /// The handle at the end is in the last column of the selection.
    ///
    /// - Parameter dots: the columns of the strip that one column of the screen shows, such as the two dots of a braille
    ///   character.
    public func columnLayers(_ selection: TimelineSelection? = nil, dots: Int = 1) -> [ColumnLayer] {
        let dots = dots.clamped(to: 1...1000)
        func cell(_ column: Int) -> Int { Int((Double(column) / Double(dots)).rounded(.down)) }
        let first = cell(column(of: Int64(0)))
        // A position at the end of a column belongs to the next one, an end to the column before it.
        let last = duration.map { cell(lastColumn(before: $0)) } ?? .max
        let head = cell(centreColumn)
        let start = selection.map { cell(column(of: $0.start)) }
        let end = selection.map { max(start ?? 0, cell(lastColumn(before: $0.end))) }
        return (0..<(columnCount / dots)).map { column in
            if column == head { return .playhead }
            if let start, column == start { return .handle(.start) }
            if let end, column == end { return .handle(.end) }
            if column < first || column > last { return .outside }
            if let start, let end, column > start, column < end { return .selected }
            return column < head ? .played : .unplayed
        }
    }

    private func lastColumn(before end: Int64) -> Int {
        let steps = (Double(end) / unitsPerPixel).rounded(.up) - 1 - (playhead / unitsPerPixel).rounded(.down)
        return centreColumn + Int(steps.clamped(to: -1e6...1e6))
    }
}
