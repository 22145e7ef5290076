// SPDX-License-Identifier: Apache-2.0

public import BookTimeline

/// The bounds of a passage: at least a second long, and within the book.
public struct ClipBounds: Sendable, Hashable {
    /// The shortest passage in seconds (document 002, "Selection handle drag").
    public static let shortest = 1.0

    public var start: MediaPosition
    public var end: MediaPosition

    /// Creates bounds within the book.
    ///
    /// The end moves away from the start until the passage is long enough; at the end of the book, the start moves.
    /// - Returns: `nil` if there is no such place, the passage ends before it begins, or the book has no length.
    public init?(from start: MediaPosition, to end: MediaPosition, in timeline: BookTimeline) {
        guard start <= end, let first = Self.clamped(start, in: timeline), let last = Self.clamped(end, in: timeline)
        else { return nil }
        self.start = first
        self.end = last
        if isTooShort(in: timeline) { self.end = max(self.end, timeline.move(self.start, bySeconds: Self.shortest)) }
        if isTooShort(in: timeline) { self.start = min(self.start, timeline.move(self.end, bySeconds: -Self.shortest)) }
        guard self.start < self.end else { return nil }
    }

    /// Creates bounds around a place: so many seconds before it and behind it.
    public init?(around place: MediaPosition, before: Double, after: Double, in timeline: BookTimeline) {
        self.init(
            from: timeline.move(place, bySeconds: -max(0, before)), to: timeline.move(place, bySeconds: max(0, after)),
            in: timeline)
    }

    /// The length in seconds; `nil` if the length of a track in between is unknown.
    public func seconds(in timeline: BookTimeline) -> Double? {
        if start.track == end.track, timeline.tracks.indices.contains(start.track) {
            return Double(end.units - start.units) / timeline.tracks[start.track].unitsPerSecond
        }
        guard let first = timeline.seconds(of: start), let last = timeline.seconds(of: end) else { return nil }
        return last - first
    }

    private func isTooShort(in timeline: BookTimeline) -> Bool {
        // A millionth is what is lost between tracks of different rates.
        seconds(in: timeline).map { $0 < Self.shortest - 1e-6 } ?? false
    }

    /// Returns a position within its track, or `nil` if there is no such track.
    private static func clamped(_ position: MediaPosition, in timeline: BookTimeline) -> MediaPosition? {
        guard timeline.tracks.indices.contains(position.track) else { return nil }
        let length = timeline.tracks[position.track].duration
        return MediaPosition(track: position.track, units: max(0, min(position.units, length ?? .max)))
    }
}
