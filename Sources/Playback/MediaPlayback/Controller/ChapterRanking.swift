// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Which of the chapter lists of an item counts, track by track.
///
/// A sheet that the listener named comes first: he asked for it. Then what the file has in itself, of which the engine
/// chose one list. Then a sheet that lies beside the file. Each chapter tells its list in ``BookTimeline/Chapter/source``.
enum ChapterRanking {
    static func chapters(of content: Content, _ description: MediaDescription) -> [Chapter] {
        guard !content.cue.isEmpty else { return description.chapters }
        let asked = Set(content.cue.lazy.filter { !$0.isBeside }.map(\.track))
        let own = Set(description.chapters.lazy.map(\.track))
        return description.chapters.filter { !asked.contains($0.track) }
            + content.cue
            .filter { $0.isBeside ? !own.contains($0.track) && !asked.contains($0.track) : true }
            .map { chapter($0, description) }
    }

    private static func chapter(_ entry: CueEntry, _ description: MediaDescription) -> Chapter {
        let rate = description.tracks[safe: entry.track]?.timeline.unitsPerSecond ?? 1
        // A CD frame is 1/75 s (Red Book).
        return Chapter(
            title: entry.title, track: entry.track, start: Int64((Double(entry.start) / 75 * rate).rounded()), end: nil,
            source: "cue")
    }
}
