// SPDX-License-Identifier: Apache-2.0

/// How long it is until a chapter is over.
public struct ChapterCountdown: Hashable, Sendable {
    /// From 0.
    public var index: Int
    public var title: String?
    public var end: MediaPosition
    /// The same as book time.
    public var endMs: Int64
    /// By the clock on the wall, at the speed that was asked for.
    public var seconds: Double
}

extension BookTimeline {
    /// What a listener chooses from who wants to fall asleep with a chapter (document 000, `chapterCountdowns`): the present
    /// one first, then on to the first that ends beyond an hour by the clock on the wall, but at least five.
    ///
    /// Empty without chapters. Chapters behind a track of unknown length are left out.
    public func chapterCountdowns(from position: MediaPosition, rate: Double) -> [ChapterCountdown] {
        guard rate > 0, let now = seconds(of: position) else { return [] }
        let first = chapterIndex(at: position) ?? lastChapter(begunAt: position).map { $0 + 1 } ?? 0
        var countdowns: [ChapterCountdown] = []
        var last = position
        for index in chapters.indices.dropFirst(first) {
            // Chapters within chapters end with what holds them; one of no length is no choice.
            guard let end = end(ofChapter: index), end > last, let seconds = seconds(of: end) else { continue }
            last = end
            // A place may lie behind the end that its track is said to have.
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
