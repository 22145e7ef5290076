// SPDX-License-Identifier: Apache-2.0

/// How far back to go after a pause, to find the way into the story again.
///
/// A curve over the length of the pause, bounded by the setting and by the pause itself: nobody hears more again than the
/// time that went by.
public enum AutoRewind {
    /// Pauses of at least so many seconds lead so many seconds back.
    public static let curve: [(pause: Double, back: Double)] = [
        (10, 2), (60, 5), (300, 10), (3600, 20), (86_400, 30),
    ]

    /// Seconds of content; 0 for a pause that is short, or of which nothing is known.
    public static func seconds(after pause: Double, most: Double) -> Double {
        guard pause.isFinite, most > 0, let step = curve.last(where: { pause >= $0.pause }) else { return 0 }
        return min(step.back, most, pause)
    }
}

extension BookTimeline {
    /// That many seconds earlier, but not before the chapter, nor before the file.
    public func rewound(_ position: MediaPosition, bySeconds seconds: Double) -> MediaPosition {
        guard tracks.indices.contains(position.track), seconds > 0 else { return position }
        let back = move(position, bySeconds: -seconds)
        let chapter = chapterIndex(at: position).flatMap { start(ofChapter: $0) }
        return max(back, chapter ?? .start, MediaPosition(track: position.track, units: 0))
    }
}
