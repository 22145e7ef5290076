// SPDX-License-Identifier: Apache-2.0

/// The amount to go back after a pause, so that the user finds their way into the story again.
///
/// It is a curve over the length of the pause, bounded by the setting and by the pause itself: nobody hears more again
/// than the time that passed.
public enum AutoRewind {
    /// The curve: pauses of at least so many seconds lead so many seconds back.
    public static let curve: [(pause: Double, back: Double)] = [
        (10, 2), (60, 5), (300, 10), (3600, 20), (86_400, 30),
    ]

    /// Returns seconds of content; 0 if the pause is short or unknown.
    public static func seconds(after pause: Double, most: Double) -> Double {
        guard pause.isFinite, most > 0, let step = curve.last(where: { pause >= $0.pause }) else { return 0 }
        return min(step.back, most, pause)
    }
}

extension BookTimeline {
    /// Returns the position this many seconds earlier, but not before the start of the chapter or of the file.
    public func rewound(_ position: MediaPosition, bySeconds seconds: Double) -> MediaPosition {
        guard tracks.indices.contains(position.track), seconds > 0 else { return position }
        let back = move(position, bySeconds: -seconds)
        let chapter = chapterIndex(at: position).flatMap { start(ofChapter: $0) }
        return max(back, chapter ?? .start, MediaPosition(track: position.track, units: 0))
    }
}
