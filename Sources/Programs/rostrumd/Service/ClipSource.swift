// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import PlaybackCore

/// The recording or text that a clip is made of, with its timeline and what the library knows of it.
struct ClipSource: Sendable {
    var uri: String
    var items: [String]
    var title: String
    var author: String?
    var timeline: BookTimeline
    /// The contents of the tracks' files; `nil` where the library does not know them.
    var fingerprints: [Fingerprint?]
    /// The text, if the source is none to listen to but one to read.
    var document: TextDocument?
    /// The titles of the files, which stand for the chapters of a book that has none.
    private var trackTitles: [String?]

    /// Takes a book of the library as the source.
    init(_ book: Book) {
        uri = book.uri
        items = book.items
        title = book.title
        author = book.author
        timeline = book.timeline
        fingerprints = book.tracks.filter { !$0.isMissing }.map(\.fingerprint)
        trackTitles = book.tracks.filter { !$0.isMissing }.map(\.title)
    }

    /// Takes what an engine has opened, which knows the durations better than the library.
    init(_ media: LoadedMedia, items: [String], book: Book?) {
        uri = media.content.uri
        self.items = items
        title = book?.title ?? media.title
        author = book?.author ?? media.author
        timeline = media.timeline
        fingerprints = book.map { $0.tracks.filter { !$0.isMissing }.map(\.fingerprint) } ?? []
        if fingerprints.count != timeline.tracks.count { fingerprints = [] }
        trackTitles = media.description.tracks.map(\.title)
        document = media.content.document
    }

    /// Sets the bounds of a clip, and what follows from them.
    func apply(_ bounds: ClipBounds, to clip: inout Clip) {
        clip.start = bound(bounds.start)
        clip.end = bound(bounds.end)
        clip.startMilliseconds = timeline.seconds(of: bounds.start).map(BookTimeline.milliseconds)
        clip.milliseconds = bounds.seconds(in: timeline).map(BookTimeline.milliseconds)
        clip.chapter = chapter(at: bounds.start)
    }

    private func chapter(at position: MediaPosition) -> String? {
        if let index = timeline.chapterIndex(at: position), let title = timeline.chapters[index].title { return title }
        guard trackTitles.count > 1, trackTitles.indices.contains(position.track) else { return nil }
        return trackTitles[position.track]
    }

    private func bound(_ position: MediaPosition) -> Clip.Bound {
        let track = position.track
        return Clip.Bound(
            position,
            unitsPerSecond: timeline.tracks.indices.contains(track) ? timeline.tracks[track].unitsPerSecond : 1,
            fingerprint: fingerprints.indices.contains(track) ? fingerprints[track] : nil)
    }
}
