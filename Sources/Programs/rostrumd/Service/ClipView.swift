// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import SessionProtocol

extension ClipInfo {
    /// Shows a clip; `path` says where the files of clips are.
    init(_ clip: Clip, path: (String) -> String) {
        self.init(
            id: clip.id, uri: clip.uri, items: clip.items, title: clip.title, author: clip.author,
            chapter: clip.chapter, start: Bound(clip.start), end: Bound(clip.end), startMs: clip.startMilliseconds,
            durationMs: clip.milliseconds, note: clip.note, tags: clip.tags, createdAt: clip.createdAt,
            changedAt: clip.changedAt, sourceThere: clip.isSourceThere,
            file: clip.file.map {
                File(path: path($0.name), frames: $0.frames, sampleRate: $0.sampleRate, encoded: $0.isEncoded)
            }, quote: clip.quote?.text)
    }
}

extension ClipInfo.Bound {
    fileprivate init(_ bound: Clip.Bound) {
        self.init(
            track: bound.position.track, units: bound.position.units, unitsPerSecond: bound.unitsPerSecond)
    }
}

extension Clip {
    /// Takes over a clip that is imported; its own file is made anew.
    init(_ info: ClipInfo) {
        self.init(
            id: info.id, uri: info.uri, items: info.items, title: info.title, author: info.author,
            chapter: info.chapter, start: Bound(info.start), end: Bound(info.end), startMilliseconds: info.startMs,
            milliseconds: info.durationMs, note: info.note, tags: info.tags, createdAt: info.createdAt,
            changedAt: info.changedAt, quote: info.quote.map { ClipQuote(text: $0) })
    }
}

extension Clip.Bound {
    fileprivate init(_ bound: ClipInfo.Bound) {
        self.init(MediaPosition(track: bound.track, units: bound.units), unitsPerSecond: bound.unitsPerSecond)
    }
}

extension ClipQuery {
    init(_ action: ClipAction, uri: String?) {
        self.init()
        self.uri = uri
        words = action.words ?? []
        since = action.since
        until = action.before
        order = action.order == .made ? .made : .book
        offset = action.offset ?? 0
        limit = action.limit ?? ClipAction.mostClips
    }
}
