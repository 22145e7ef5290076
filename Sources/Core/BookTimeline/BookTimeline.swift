// SPDX-License-Identifier: Apache-2.0

/// One track on the timeline of its book.
public struct TimelineTrack: Hashable, Sendable {
    /// The sample rate for audio, or the average reading speed for text, within ``unitRates``.
    public let unitsPerSecond: Double
    /// The duration in units; `nil` if it is unknown.
    public var duration: Int64?
    public var confidence: Confidence

    public init(unitsPerSecond: Double, duration: Int64?, confidence: Confidence) {
        self.unitsPerSecond = Self.unitRates.contains(unitsPerSecond) ? unitsPerSecond : 1
        self.duration = duration.map { max(0, $0) }
        self.confidence = duration == nil ? .unknown : confidence
    }

    /// The possible numbers of units a second.
    ///
    /// They range from a reader that takes ten seconds for a byte to more than the highest sample rate. Within them
    /// every sum of lengths is a finite number of seconds.
    public static let unitRates = 0.1...1e6
}

/// A chapter over the half-open interval `[start, end)` within one track.
public struct Chapter: Hashable, Sendable {
    public var title: String?
    public var track: Int
    public var start: Int64
    /// The end of the chapter; `nil` if it lasts to the next chapter, or to the end of the track.
    public var end: Int64?
    /// The listing that the chapter comes from: `quicktime`, `nero`, `id3` and others.
    public var source: String

    public init(title: String?, track: Int, start: Int64, end: Int64?, source: String) {
        self.title = title
        self.track = track
        self.start = start
        self.end = end
        self.source = source
    }
}

/// A timeline that converts between book time, track time and chapter time; nothing else does.
///
/// Book time is seconds from the start of the first track. It is derived from whole units, track by track, so that no
/// rounded values are summed. A double holds a thousand hours of 384 kHz frames without losing one.
public struct BookTimeline: Hashable, Sendable {
    public private(set) var tracks: [TimelineTrack]
    public let chapters: [Chapter]
    /// The duration of the whole book in seconds according to another source (a server, a sheet); `nil` if there is
    /// none.
    public let reported: Double?
    /// The book time in seconds at which each track begins; `nil` behind a track of unknown duration.
    private var starts: [Double?]

    /// Creates a timeline with its chapters in order, without chapters of tracks that do not exist.
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

    /// Replaces the description of a track with a better one.
    ///
    /// Positions, which are units of a track, do not move.
    public mutating func update(track index: Int, _ track: TimelineTrack) {
        guard tracks.indices.contains(index) else { return }
        tracks[index] = track
        place()
    }

    /// The duration of all tracks together in seconds; `nil` if the duration of a track is unknown.
    public var summed: Double? {
        guard let last = tracks.last, let start = starts.last ?? nil, let length = last.duration else { return nil }
        return start + Double(length) / last.unitsPerSecond
    }

    /// The duration of the whole book in seconds; `nil` if nothing tells it.
    ///
    /// If all tracks were counted exactly, their sum is the duration. Otherwise it is the greatest of the reported
    /// duration, the sum of the tracks, and the end of the last chapter: a number that is missing or 0 must not hide
    /// the others.
    public var duration: Double? {
        let summed = summed
        if let summed, confidence == .exact { return summed }
        return [reported, summed, lastChapterEnd].compactMap(\.self).max()
    }

    /// The lowest confidence among the tracks.
    public var confidence: Confidence {
        let order: [Confidence] = [.unknown, .estimated, .container, .exact]
        return tracks.map(\.confidence).min { (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0) }
            ?? .unknown
    }

    /// The end of the last chapter in seconds of book time.
    ///
    /// If the sum of the tracks is unknown, it counts only in the last track, because behind the end of an earlier one
    /// there is more.
    private var lastChapterEnd: Double? {
        guard let last = chapters.last, let end = last.end, last.track == tracks.count - 1 || summed != nil else {
            return nil
        }
        return seconds(of: MediaPosition(track: last.track, units: end))
    }

    /// Returns the book time of a position in seconds; `nil` if the duration of an earlier track is unknown.
    public func seconds(of position: MediaPosition) -> Double? {
        guard tracks.indices.contains(position.track), let start = starts[position.track] else { return nil }
        return start + Double(position.units) / tracks[position.track].unitsPerSecond
    }

    /// Returns the position at a book time, within the book.
    ///
    /// Behind a track of unknown duration nothing can be found by time; such a time falls into that track.
    public func position(atSeconds seconds: Double) -> MediaPosition {
        move(.start, bySeconds: seconds.isFinite ? max(0, seconds) : 0)
    }

    /// Returns the position that is this many seconds later (or earlier), across tracks and within the book.
    ///
    /// Between tracks of one rate this is integer arithmetic, so moving forward and back is the identity.
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

    /// Returns the chapter that holds a position: the last one that has begun, over `[start, end)`.
    ///
    /// Returns `nil` before the first chapter and in a gap. The last chapter of a track lasts to the track's end,
    /// whatever end is listed: ends are often wrong there, and nothing else follows.
    public func chapterIndex(at position: MediaPosition) -> Int? {
        guard let index = lastChapter(begunAt: position) else { return nil }
        let chapter = chapters[index]
        guard chapter.track == position.track else { return nil }
        if let end = chapter.end, position.units >= end, end > chapter.start, !isLastOfTrack(index) { return nil }
        return index
    }

    /// Returns the last chapter that has begun at a position, whether or not it has ended; `nil` before the first one.
    ///
    /// The next chapter is the one after it, also in a gap.
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

    /// Returns the start of a chapter.
    public func start(ofChapter index: Int) -> MediaPosition? {
        guard chapters.indices.contains(index) else { return nil }
        return MediaPosition(track: chapters[index].track, units: max(0, chapters[index].start))
    }

    private func isLastOfTrack(_ index: Int) -> Bool {
        index + 1 == chapters.count || chapters[index + 1].track != chapters[index].track
    }

    /// Returns the end of a chapter: its own end, else the start of the next one in its track.
    ///
    /// The last chapter of a track ends with the track. If the length of the track is unknown, it has its listed end,
    /// if there is one.
    public func end(ofChapter index: Int) -> MediaPosition? {
        guard chapters.indices.contains(index) else { return nil }
        let chapter = chapters[index]
        func place(_ units: Int64) -> MediaPosition { MediaPosition(track: chapter.track, units: units) }
        if isLastOfTrack(index) {
            // A chapter that is listed behind the end of its file has no length.
            if let length = tracks[chapter.track].duration { return place(max(length, chapter.start)) }
            return chapter.end.map(place)
        }
        return place(chapter.end ?? chapters[index + 1].start)
    }

    /// Returns the position this many seconds into a track, at most at its end; `nil` if there is no such track.
    ///
    /// It is exact even if the lengths of earlier tracks, and so book time, are unknown (`seekInTrack`).
    public func position(inTrack track: Int, seconds: Double) -> MediaPosition? {
        guard tracks.indices.contains(track), seconds.isFinite else { return nil }
        let units = max(0, seconds) * tracks[track].unitsPerSecond
        return MediaPosition(track: track, units: Self.units(units, atMost: tracks[track].duration))
    }

    /// Returns whole units within a track.
    ///
    /// The limit exists because an engine may report a length that a double cannot represent exactly, or that an Int64
    /// cannot hold.
    private static func units(_ units: Double, atMost length: Int64?) -> Int64 {
        Int64(min(max(0, units.rounded()), length.map(Double.init) ?? mostUnits, mostUnits))
    }

    private static let mostUnits = 9e15

    /// Returns the start of a track; `nil` if there is no such track (`goToTrack`).
    public func start(ofTrack track: Int) -> MediaPosition? {
        tracks.indices.contains(track) ? MediaPosition(track: track, units: 0) : nil
    }

    /// Returns book time in whole milliseconds; `nil` if it is unknown.
    ///
    /// It is rounded down, so that a position never appears behind the end.
    public func milliseconds(of position: MediaPosition) -> Int64? {
        seconds(of: position).map(Self.milliseconds)
    }

    /// Returns whole milliseconds, rounded down; 0 for NaN, and at most 9e12 seconds either way.
    public static func milliseconds(_ seconds: Double) -> Int64 {
        guard !seconds.isNaN else { return 0 }
        return Int64((min(max(seconds, -9e12), 9e12) * 1000 + 1e-6).rounded(.down))
    }
}
