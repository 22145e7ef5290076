// SPDX-License-Identifier: Apache-2.0

extension BookTimeline {
    /// The value of ``Chapter/source`` for synthetic chapters.
    public static let synthetic = "synthetic"

    /// Returns this book with a chapter at every interval, if it is one long track without a division of its own.
    ///
    /// A book with one chapter over all of it counts as undivided, too. Synthetic chapters provide a target for
    /// skipping and a part to display. A book that is no longer than one interval stays as it is. The rest at the end
    /// belongs to the last chapter if it is shorter than a minute. A book of unknown length stays as it is, too,
    /// because chapters that come and go would be worse than none.
    ///
    /// - Parameter interval: The length of a chapter in seconds; 0 for none.
    public func withSyntheticChapters(every interval: Double) -> BookTimeline {
        guard tracks.count == 1, interval.isFinite, interval >= Self.shortestSynthetic,
            let track = tracks.first, let length = track.duration, dividesNothing(track, length)
        else { return self }
        // A chapter may start up to here, where a minute is left.
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

    /// Returns `true` if there is no chapter, or one from the beginning to the end, to a second at either end.
    private func dividesNothing(_ track: TimelineTrack, _ length: Int64) -> Bool {
        guard let chapter = chapters.first else { return true }
        let second = Int64(track.unitsPerSecond.rounded())
        return chapters.count == 1 && chapter.track == 0 && chapter.start <= second
            && chapter.end.map { $0 >= length - second } ?? true
    }

    /// The shortest synthetic chapter in seconds; shorter ones would be useless.
    public static let shortestSynthetic = 60.0
    private static let mostSynthetic = 10_000
}
