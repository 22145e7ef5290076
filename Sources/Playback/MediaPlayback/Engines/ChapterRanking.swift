// SPDX-License-Identifier: Apache-2.0

import BookTimeline

/// Decides, track by track, which of an item's chapter lists counts.
///
/// A sheet that the user named comes first, because it was asked for. Then comes what the file itself contains, of
/// which the engine chose one list. Last comes a sheet that lies beside the file. The chapters of a text are the sections
/// of its document. Each chapter states its list in
/// ``BookTimeline/Chapter/source``.
enum ChapterRanking {
    static func chapters(of content: Content, _ description: MediaDescription) -> [Chapter] {
        if let document = content.document {
            return document.sections.map {
                Chapter(title: $0.title, track: 0, start: $0.start, end: nil, source: "document")
            }
        }
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
        let seconds = entry.milliseconds.map { Double($0) / 1000 } ?? Double(entry.start) / 75
        return Chapter(
            title: entry.title, track: entry.track, start: Int64((seconds * rate).rounded()), end: nil,
            source: entry.source)
    }
}
