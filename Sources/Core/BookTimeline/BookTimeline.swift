// SPDX-License-Identifier: Apache-2.0

/// One track on the timeline of its book.
public struct TimelineTrack: Hashable, Sendable {
    /// The sample rate for audio, the average reading speed for text; within ``paces``.
    public let unitsPerSecond: Double
    /// Units; nil if not known.
    public var duration: Int64?
    public var confidence: Confidence

    public init(unitsPerSecond: Double, duration: Int64?, confidence: Confidence) {
        self.unitsPerSecond = Self.paces.contains(unitsPerSecond) ? unitsPerSecond : 1
        self.duration = duration.map { max(0, $0) }
        self.confidence = duration == nil ? .unknown : confidence
    }

    /// The units a second that anything has: from a reader that takes ten seconds for a byte to more than the highest sample rate.
    ///
    /// Within them every sum of lengths is a finite number of seconds.
    public static let paces = 0.1...1e6
}

/// A chapter over `[start, end)` within one track.
public struct Chapter: Hashable, Sendable {
    public var title: String?
    public var track: Int
    public var start: Int64
    /// nil: to the next chapter, or to the end of the track.
    public var end: Int64?
    /// Which listing it comes from: `quicktime`, `nero`, `id3` and others.
    public var source: String

    public init(title: String?, track: Int, start: Int64, end: Int64?, source: String) {
        self.title = title
        self.track = track
        self.start = start
        self.end = end
        self.source = source
    }
}

/// The one place where book time, track time and chapter time are converted.
///
/// Book time is seconds from the start of the first track. It is derived from whole units, track by
/// track, so nothing is summed that was rounded before; a double holds a thousand hours of 384 kHz
/// frames without losing one.
public struct BookTimeline: Hashable, Sendable {
    public private(set) var tracks: [TimelineTrack]
    public let chapters: [Chapter]
    /// Seconds that somebody else (a server, a sheet) says of the whole book; nil: nobody does.
    public let reported: Double?
    /// Book seconds at which each track begins; nil behind a track of unknown duration.
    private var starts: [Double?]

    /// Chapters of tracks that do not exist are left out; the rest is put in order.
    public init(tracks: [TimelineTrack], chapters: [Chapter], reported: Double? = nil) {
        self.tracks = tracks
        self.reported = reported.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
        self.chapters =
            chapters
            .filter { tracks.indices.contains($0.track) }
            .enumerated()
            .sorted {
                ($0.element.track, $0.element.start, $0.offset) < ($1.element.track, $1.element.start, $1.offset)
            }
            .map(\.element)
        starts = []
        place()
    }

    private mutating func place() {
        var start: Double? = 0
        starts = tracks.map { track in
            defer {
                if let before = start, let duration = track.duration {
                    start = before + Double(duration) / track.unitsPerSecond
                } else {
                    start = nil
                }
            }
            return start
        }
    }

    /// Takes a better description of a track.
    ///
    /// Positions, which are units of a track, do not move.
    public mutating func update(track index: Int, _ track: TimelineTrack) {
        guard tracks.indices.contains(index) else { return }
        tracks[index] = track
        place()
    }

    /// Seconds of all tracks together; nil if a track's duration is not known.
    public var summed: Double? {
        guard let last = tracks.last, let start = starts.last ?? nil, let length = last.duration else { return nil }
        return start + Double(length) / last.unitsPerSecond
    }

    /// Seconds of the whole book; nil if nothing tells.
    ///
    /// What was counted is true. Else the greatest of what is reported, what the tracks sum up to and where the last
    /// chapter ends: a number that is missing or 0 shall not hide the rest (document 000, `total`).
    public var duration: Double? {
        let summed = summed
        if let summed, confidence == .exact { return summed }
        return [reported, summed, lastChapterEnd].compactMap(\.self).max()
    }

    /// As sure as the least sure of its tracks.
    public var confidence: Confidence {
        let order: [Confidence] = [.unknown, .estimated, .container, .exact]
        return tracks.map(\.confidence).min { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) }
            ?? .unknown
    }

    /// Book seconds; only of the last track, because behind an end of an earlier one there is more.
    private var lastChapterEnd: Double? {
        guard let last = chapters.last, let end = last.end, last.track == tracks.count - 1 || summed != nil else {
            return nil
        }
        return seconds(of: MediaPosition(track: last.track, units: end))
    }

    /// Book seconds of a place; nil if a track before it has no known duration.
    public func seconds(of position: MediaPosition) -> Double? {
        guard tracks.indices.contains(position.track), let start = starts[position.track] else { return nil }
        return start + Double(position.units) / tracks[position.track].unitsPerSecond
    }

    /// The place at a book time, within the book.
    ///
    /// Behind a track of unknown duration nothing can be found by time; such a time falls into that track.
    public func position(atSeconds seconds: Double) -> MediaPosition {
        move(.start, bySeconds: seconds.isFinite ? max(0, seconds) : 0)
    }

    /// The place that many seconds later (or earlier), across tracks, from the first unit to the end of the book.
    ///
    /// Between tracks of one rate this is whole-number arithmetic: going on and back is the identity.
    public func move(_ position: MediaPosition, bySeconds seconds: Double) -> MediaPosition {
        guard tracks.indices.contains(position.track), seconds.isFinite else { return position }
        var track = position.track
        let distance = (seconds * tracks[track].unitsPerSecond).rounded()
        var units = Double(position.units) + distance
        while units < 0, track > 0, let length = tracks[track - 1].duration {
            units = units * (tracks[track - 1].unitsPerSecond / tracks[track].unitsPerSecond) + Double(length)
            track -= 1
        }
        while let length = tracks[track].duration, units >= Double(length), track + 1 < tracks.count {
            units = (units - Double(length)) * (tracks[track + 1].unitsPerSecond / tracks[track].unitsPerSecond)
            track += 1
        }
        return MediaPosition(track: track, units: Self.units(units, atMost: tracks[track].duration))
    }

    /// The chapter that holds a place: the last one that has begun, over `[start, end)`.
    ///
    /// Nil before the first one and in a gap. The last one of a track goes on to the track's end, whatever end is listed: ends
    /// are often wrong there, and nothing else follows.
    public func chapterIndex(at position: MediaPosition) -> Int? {
        guard let index = lastChapter(begunAt: position) else { return nil }
        let chapter = chapters[index]
        guard chapter.track == position.track else { return nil }
        if let end = chapter.end, position.units >= end, end > chapter.start, !isLastOfTrack(index) { return nil }
        return index
    }

    /// The last chapter that has begun at a place, whether or not it has ended; nil before the first one.
    ///
    /// What comes next is the one after it, also in a gap.
    public func lastChapter(begunAt position: MediaPosition) -> Int? {
        var low = 0
        var high = chapters.count
        while low < high {
            let middle = (low + high) / 2
            let chapter = chapters[middle]
            if (chapter.track, chapter.start) <= (position.track, position.units) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? low - 1 : nil
    }

    /// Where a chapter begins.
    public func start(ofChapter index: Int) -> MediaPosition? {
        guard chapters.indices.contains(index) else { return nil }
        return MediaPosition(track: chapters[index].track, units: max(0, chapters[index].start))
    }

    private func isLastOfTrack(_ index: Int) -> Bool {
        index + 1 == chapters.count || chapters[index + 1].track != chapters[index].track
    }

    /// Where a chapter ends: its own end, else the next one in its track; the last one of a track with the track.
    ///
    /// Of a track whose length is not known the last one has the end that is listed, if one is.
    public func end(ofChapter index: Int) -> MediaPosition? {
        guard chapters.indices.contains(index) else { return nil }
        let chapter = chapters[index]
        func place(_ units: Int64) -> MediaPosition { MediaPosition(track: chapter.track, units: units) }
        if isLastOfTrack(index) {
            // A chapter that is listed behind the end of its file has no length there.
            if let length = tracks[chapter.track].duration { return place(max(length, chapter.start)) }
            return chapter.end.map(place)
        }
        return place(chapter.end ?? chapters[index + 1].start)
    }

    /// The place so many seconds into a track, at most at its end; nil if there is no such track.
    ///
    /// Exact also where the lengths of the tracks before it are not known, and book time says nothing (`seekInTrack`).
    public func position(inTrack track: Int, seconds: Double) -> MediaPosition? {
        guard tracks.indices.contains(track), seconds.isFinite else { return nil }
        let units = max(0, seconds) * tracks[track].unitsPerSecond
        return MediaPosition(track: track, units: Self.units(units, atMost: tracks[track].duration))
    }

    /// Whole units within a track; a length that an engine made up is beyond what a double says exactly, and an Int64 holds.
    private static func units(_ units: Double, atMost length: Int64?) -> Int64 {
        Int64(min(max(0, units.rounded()), length.map(Double.init) ?? mostUnits, mostUnits))
    }

    private static let mostUnits = 9e15

    /// Where a track begins; nil if there is none (`goToTrack`).
    public func start(ofTrack track: Int) -> MediaPosition? {
        tracks.indices.contains(track) ? MediaPosition(track: track, units: 0) : nil
    }

    /// Whole milliseconds of book time, rounded down, so that a place never shows as behind the end; `nil` if that is not known.
    public func milliseconds(of position: MediaPosition) -> Int64? {
        seconds(of: position).map(Self.milliseconds)
    }

    /// Whole milliseconds, rounded down; 0 for what is no number, and nothing beyond 9e12 seconds either way.
    public static func milliseconds(_ seconds: Double) -> Int64 {
        guard !seconds.isNaN else { return 0 }
        return Int64((min(max(seconds, -9e12), 9e12) * 1000 + 1e-6).rounded(.down))
    }
}
