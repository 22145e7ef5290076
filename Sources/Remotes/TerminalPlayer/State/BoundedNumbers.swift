// SPDX-License-Identifier: Apache-2.0

import SessionProtocol

// Numbers come from files and engines through the session. Within these bounds, no arithmetic of the player overflows.

extension Int64 {
    /// The number within ±2⁵⁰: 35,000 years in ms.
    var bounded: Int64 { Swift.min(Swift.max(self, -(1 << 50)), 1 << 50) }
}

extension Int {
    var bounded: Int { Swift.min(Swift.max(self, -(1 << 30)), 1 << 30) }
}

extension Status {
    var bounded: Status {
        var status = self
        status.position.ms = position.ms?.bounded
        status.duration.ms = duration.ms?.bounded
        status.text = text.map { Text(offset: $0.offset.bounded, length: $0.length.bounded) }
        status.sleep?.remainingMs = sleep?.remainingMs?.bounded
        status.track?.index = track?.index.bounded ?? 0
        status.chapter?.index = chapter?.index.bounded ?? 0
        status.page?.index = page?.index.bounded ?? 0
        status.chapter?.startMs = chapter?.startMs?.bounded
        status.chapter?.endMs = chapter?.endMs?.bounded
        if !rate.isFinite { status.rate = 1 }
        return status
    }
}

extension ItemContents {
    var bounded: ItemContents {
        var contents = self
        contents.chapters = chapters.map {
            var chapter = $0
            chapter.index = $0.index.bounded
            chapter.startMs = $0.startMs?.bounded
            chapter.endMs = $0.endMs?.bounded
            return chapter
        }
        return contents
    }
}

extension LibraryBook {
    var bounded: LibraryBook {
        var book = self
        book.durationMs = durationMs?.bounded
        book.positionMs = positionMs?.bounded
        book.playedAt = playedAt?.bounded
        return book
    }
}

extension ClipInfo {
    var bounded: ClipInfo {
        var clip = self
        clip.startMs = startMs?.bounded
        clip.durationMs = durationMs?.bounded
        for bound in [\ClipInfo.start, \.end] as [WritableKeyPath<ClipInfo, Bound>] {
            clip[keyPath: bound].track = min(max(0, clip[keyPath: bound].track), 65_535)
            clip[keyPath: bound].units = max(0, clip[keyPath: bound].units.bounded)
        }
        return clip
    }
}

extension History {
    var bounded: History {
        var history = self
        for index in jumps.indices {
            history.jumps[index].at = jumps[index].at.bounded
            history.jumps[index].from.ms = jumps[index].from.ms?.bounded
            history.jumps[index].to.ms = jumps[index].to.ms?.bounded
        }
        for index in listened.indices {
            history.listened[index].began = listened[index].began.bounded
            history.listened[index].ended = listened[index].ended.bounded
        }
        return history
    }
}

extension SleepChoices {
    var bounded: SleepChoices {
        var choices = self
        for index in chapters.indices {
            choices.chapters[index].index = chapters[index].index.bounded
            choices.chapters[index].at = chapters[index].at.bounded
        }
        return choices
    }
}
