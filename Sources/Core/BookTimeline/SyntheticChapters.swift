// SPDX-License-Identifier: Apache-2.0

extension BookTimeline {
    /// What ``Chapter/source`` says of chapters that nobody wrote down.
    public static let synthetic = "synthetic"

    /// The same book with a chapter every so many seconds, if it is one long track without any, or with one over all of it.
    ///
    /// So that there is somewhere to skip to, and a part to show (document 000, `synthesizeChapters`). A book that is no longer
    /// than one of them stays as it is; what is left at the end belongs to the last one if it is shorter than a minute, and so does one of unknown length: chapters that come and go would be worse than none.
    /// - Parameter interval: seconds; 0 for none.
    public func withSyntheticChapters(every interval: Double) -> BookTimeline {
        guard tracks.count == 1, interval.isFinite, interval >= Self.shortestSynthetic,
            let track = tracks.first, let length = track.duration, dividesNothing(track, length)
        else { return self }
        // Places from which on there is a minute left.
        let last = length - Int64((Self.shortestSynthetic * track.unitsPerSecond).rounded())
        let starts = (0..<Self.mostSynthetic).lazy
            .map { Int64(min((Double($0) * interval * track.unitsPerSecond).rounded(), 9e18)) }
            .prefix { $0 == 0 || $0 <= last }
        guard starts.count > 1 else { return self }
        return BookTimeline(
            tracks: tracks,
            chapters: starts.map { Chapter(title: nil, track: 0, start: $0, end: nil, source: Self.synthetic) },
            reported: reported)
    }

    /// No chapter, or one from the beginning to the end, to a second at either.
    private func dividesNothing(_ track: TimelineTrack, _ length: Int64) -> Bool {
        guard let chapter = chapters.first else { return true }
        let second = Int64(track.unitsPerSecond.rounded())
        return chapters.count == 1 && chapter.track == 0 && chapter.start <= second
            && chapter.end.map { $0 >= length - second } ?? true
    }

    /// Seconds; below that they would be no chapters any more.
    public static let shortestSynthetic = 60.0
    private static let mostSynthetic = 10_000
}
