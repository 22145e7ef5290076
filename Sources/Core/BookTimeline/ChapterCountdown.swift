// SPDX-License-Identifier: Apache-2.0

/// The time that is left until a chapter ends.
public struct ChapterCountdown: Hashable, Sendable {
    /// The index of the chapter, from 0.
    public var index: Int
    public var title: String?
    public var end: MediaPosition
    /// The end in milliseconds of book time.
    public var endMs: Int64
    /// The wall-clock seconds that are left at the requested rate.
    public var seconds: Double
}

extension BookTimeline {
    /// Returns the choices for a user who wants to fall asleep with a chapter.
    ///
    /// The present chapter comes first, then the following ones up to the first that ends more than an hour of
    /// wall-clock time later, but at least five. The list is empty without chapters. Chapters behind a track of unknown
    /// length are left out.
    public func chapterCountdowns(from position: MediaPosition, rate: Double) -> [ChapterCountdown] {
        guard rate > 0, let now = seconds(of: position) else { return [] }
        let first = chapterIndex(at: position) ?? lastChapter(begunAt: position).map { $0 + 1 } ?? 0
        var countdowns: [ChapterCountdown] = []
        var last = position
        for index in chapters.indices.dropFirst(first) {
            // Nested chapters end with the one that contains them; a chapter without length is no choice.
            guard let end = end(ofChapter: index), end > last, let seconds = seconds(of: end) else { continue }
            last = end
            // A position may lie behind the reported end of its track.
            let left = max(0, seconds - now) / rate
            countdowns.append(
                ChapterCountdown(
                    index: index, title: chapters[index].title, end: end, endMs: Self.milliseconds(seconds),
                    seconds: left))
            if left > Self.farthestCountdown, countdowns.count >= Self.fewestCountdowns { break }
        }
        return countdowns
    }

    private static let farthestCountdown = 3600.0
    private static let fewestCountdowns = 5
}
