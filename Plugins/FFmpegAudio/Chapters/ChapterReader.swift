// SPDX-License-Identifier: Apache-2.0

import CFFmpeg
import EngineSDK

/// A chapter as a file lists it, in time.
struct ListedChapter {
    var start: Time
    var end: Time?
    var title: String?

    /// A number of ticks of a time base.
    struct Time {
        var value: Int64
        var base: AVRational

        /// Returns the nearest frame.
        func frames(rate: Int32) -> Int64 {
            av_rescale_q_rnd(value, base, AVRational(num: 1, den: rate), AV_ROUND_NEAR_INF)
        }
    }
}

/// The choice of one list of chapters among those that a file has.
struct ChapterReader {
    private static let limit = 100_000

    let chapters: [ListedChapter]
    let source: String

    /// Reads the chapters of a file.
    ///
    /// What the format itself provides comes first; then ID3, which may stand before any format; then a cue sheet in a
    /// tag.
    init(_ container: Container) {
        var found = Self.own(container)
        if found.chapters.isEmpty { found = (ID3Chapters.read(container) ?? [], "id3") }
        // A cue sheet in samples has no titles, but the same sheet as text has.
        if found.chapters.allSatisfy({ $0.title == nil }) {
            let sheet = EmbeddedSheet.read(container)
            if sheet.count >= max(1, found.chapters.count) { found = (sheet, "cuesheet") }
        }
        chapters = Array(found.chapters.prefix(Self.limit))
        source = found.source
    }

    private static func own(_ container: Container) -> (chapters: [ListedChapter], source: String) {
        switch container.format {
        case let format where format.hasPrefix("mov,"): QuickTimeChapters.read(container)
        case let format where format.hasPrefix("matroska"):
            (MatroskaChapters.read(container) ?? listed(container), "matroska")
        case "ogg": (listed(container), "vorbis")
        case "flac": (listed(container), isInSamples(container) ? "cue" : "vorbis")
        case "wav", "w64": (WAVCues.read(container), "cue")
        case "mp3", "aac": (ID3Chapters.read(container) ?? listed(container), "id3")
        case "asf", "asf_o": (listed(container), "asf")
        default: (listed(container), "container")
        }
    }

    /// Returns libavformat's own list.
    static func listed(_ container: Container) -> [ListedChapter] {
        guard let list = container.context.pointee.chapters else { return [] }
        return (0..<Int(container.context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = list[index]?.pointee, chapter.start != CFF_NO_TIME, chapter.time_base.den > 0,
                chapter.time_base.num > 0
            else { return nil }
            return ListedChapter(
                start: .init(value: chapter.start, base: chapter.time_base),
                end: chapter.end == CFF_NO_TIME ? nil : .init(value: chapter.end, base: chapter.time_base),
                title: Tags.text(av_dict_get(chapter.metadata, "title", nil, 0)?.pointee.value))
        }
    }

    /// Returns `true` if the chapters of a FLAC file come from its cue sheet.
    ///
    /// A cue sheet counts samples; Vorbis comments count milliseconds.
    private static func isInSamples(_ container: Container) -> Bool {
        guard container.context.pointee.nb_chapters > 0, let first = container.context.pointee.chapters?[0] else {
            return false
        }
        return first.pointee.time_base.den == container.parameters.pointee.sample_rate
    }

    /// Returns the chapters in order, in units of the track.
    ///
    /// Starts stay as the file gives them, even beyond the end.
    func units(track: Int, rate: Int32) -> [Chapter] {
        var result = chapters.map { chapter in
            Chapter(
                track: track, start: max(0, chapter.start.frames(rate: rate)),
                end: chapter.end.map { $0.frames(rate: rate) }, title: chapter.title, source: source)
        }
        // The sort is stable: chapters of the same start keep the file's order.
        result = result.enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        for index in result.indices {
            guard let end = result[index].end else { continue }
            let next = index + 1 < result.count ? result[index + 1].start : nil
            if end <= result[index].start {
                // The chapter has no length, so it lasts until the next one.
                result[index].end = nil
            } else if let next, end > next {
                result[index].end = next
            }
        }
        return result
    }
}
