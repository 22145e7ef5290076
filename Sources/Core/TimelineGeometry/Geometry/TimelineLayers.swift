// SPDX-License-Identifier: Apache-2.0

/// The parts of a strip that are painted differently, in pixels, within the strip and the content.
///
/// The selection is painted over the two others. A part that is not on the strip is `nil`.
public struct TimelineLayers: Hashable, Sendable {
    public var played: Range<Double>?
    public var unplayed: Range<Double>?
    public var selected: Range<Double>?
    public var playhead: Double
    /// The x of the handle at the start of the selection; `nil` if the selection beside it is not on the strip.
    public var start: Double?
    /// The x of the handle at the end of the selection, likewise.
    public var end: Double?
}

/// A bar that stands for a stretch of the content.
public struct TimelineBar: Hashable, Sendable {
    /// The number of the bar, from 0 at the start of the content.
    public var index: Int64
    /// The place of the bar in pixels, which may reach over the edges of the strip.
    public var x: Range<Double>
    /// The content in units that it stands for.
    public var units: Range<Int64>
}

extension TimelineGeometry {
    /// Returns what is played, unplayed and selected.
    public func layers(_ selection: TimelineSelection? = nil) -> TimelineLayers {
        let contentEnd = duration.map { x(of: $0) } ?? width
        return TimelineLayers(
            played: part(x(of: Int64(0)), centre),
            unplayed: part(centre, contentEnd),
            selected: selection.flatMap { part(x(of: $0.start), x(of: $0.end)) },
            playhead: centre,
            start: selection.map { x(of: $0.start) }.flatMap { 0 <= $0 && $0 < width ? $0 : nil },
            end: selection.map { x(of: $0.end) }.flatMap { 0 < $0 && $0 <= width ? $0 : nil })
    }

    private func part(_ from: Double, _ to: Double) -> Range<Double>? {
        let (from, to) = (max(0, from), min(width, to))
        return from < to ? from..<to : nil
    }

    /// The bars on the strip from left to right.
    ///
    /// They keep their width at every zoom, and stand for more or fewer seconds.
    public var bars: [TimelineBar] {
        let pitch = (rules.barPixels + rules.gapPixels) * unitsPerPixel
        let visible = visible
        guard width > 0, Double(visible.upperBound) / pitch < 9e15 else { return [] }
        let first = Int64(Double(visible.lowerBound) / pitch)
        var bars: [TimelineBar] = []
        for index in first..<(first + Int64(width / (rules.barPixels + rules.gapPixels)) + 2) {
            let (from, to) = (Double(index) * pitch, Double(index + 1) * pitch)
            let x = x(of: from)
            guard x < width, from < Double(end) else { break }
            guard x + rules.barPixels > 0 else { continue }
            bars.append(
                TimelineBar(
                    index: index, x: x..<(x + rules.barPixels), units: whole(from)..<max(whole(from), whole(to))))
        }
        return bars
    }
}
