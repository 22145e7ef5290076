// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore
import SessionProtocol

extension PlaybackService {
    /// Returns what an owner has loaded; `nil` stands for the owner with audio focus.
    func contents(of owner: OwnerID?) async -> ItemContents {
        let snapshot = await controller.snapshot(of: owner)
        let item = Status.Item(snapshot)
        var cover: String?
        if let item { cover = await library.cover(of: item.uri) }
        return ItemContents(
            item: item, cover: cover, chapters: snapshot.media.map { Inspection.Chapter.all(of: $0.timeline) } ?? [])
    }
}

extension Inspection.Chapter {
    /// Returns all chapters of a timeline, including those that are only its files.
    static func all(of timeline: BookTimeline) -> [Self] {
        timeline.chapters.enumerated().map { index, chapter in
            Self(
                index: index, title: chapter.title,
                startMs: timeline.start(ofChapter: index).flatMap(timeline.milliseconds),
                endMs: timeline.end(ofChapter: index).flatMap(timeline.milliseconds), source: chapter.source)
        }
    }
}
