// SPDX-License-Identifier: Apache-2.0

extension BookTimeline {
    /// What ``Chapter/source`` says of chapters that nobody wrote down.
    public static let synthetic = "synthetic"

    /// The same book with a chapter every so many seconds, if it is one long track without any.
    ///
    /// So that there is somewhere to skip to, and a part to show (document 000, `synthesizeChapters`). A book that is no longer
    /// than one of them stays as it is, and so does one of unknown length: chapters that come and go would be worse than none.
    /// - Parameter interval: seconds; 0 for none.
    public func withSyntheticChapters(every interval: Double) -> BookTimeline {
        guard chapters.isEmpty, tracks.count == 1, interval.isFinite, interval >= Self.shortestSynthetic,
            let track = tracks.first, let length = track.duration
        else { return self }
        let starts = (0..<Self.mostSynthetic).lazy
            .map { Int64((Double($0) * interval * track.unitsPerSecond).rounded()) }
            .prefix { $0 < length }
        guard starts.count > 1 else { return self }
        return BookTimeline(
            tracks: tracks,
            chapters: starts.map { Chapter(title: nil, track: 0, start: $0, end: nil, source: Self.synthetic) },
            reported: reported)
    }

    /// Seconds; below that they would be no chapters any more.
    public static let shortestSynthetic = 60.0
    private static let mostSynthetic = 10_000
}
