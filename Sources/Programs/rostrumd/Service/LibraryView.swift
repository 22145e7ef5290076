// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import SessionProtocol

extension LibraryBook {
    init(_ book: BookSummary, text: String?) {
        self.init(
            id: book.id, uri: book.uri, title: book.title, author: book.author, cover: book.cover,
            durationMs: book.milliseconds, durationConfidence: book.confidence.rawValue, files: book.files,
            missing: book.missing, positionMs: book.position, playedAt: book.playedAt, text: text)
    }
}

extension LibraryBookDetail {
    init(_ book: Book, _ summary: BookSummary, text: String?) {
        let timeline = book.timeline
        self.init(
            book: LibraryBook(summary, text: text),
            tracks: book.tracks.map { track in
                Track(
                    uri: track.file.uri, title: track.title,
                    durationMs: track.timeline.duration.map {
                        BookTimeline.milliseconds(Double($0) / track.timeline.unitsPerSecond)
                    }, durationConfidence: track.timeline.confidence.rawValue, codec: track.codec,
                    bytes: track.file.size, missing: track.isMissing)
            },
            chapters: Inspection.Chapter.all(of: timeline), addedAt: book.addedAt, text: text)
    }
}

extension LibraryImportSummary {
    init(_ summary: ImportSummary) {
        self.init()
        added = summary.outcomes[.added] ?? 0
        moved = summary.outcomes[.moved] ?? 0
        updated = summary.outcomes[.updated] ?? 0
        unchanged = summary.outcomes[.unchanged] ?? 0
        missing = summary.outcomes[.missing] ?? 0
        failed = summary.failed
        cancelled = summary.isCancelled
    }
}
