// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

/// Two minutes at 44.1 kHz, one at 44.1 kHz, one at 48 kHz.
private let book = BookTimeline(
    tracks: [
        TimelineTrack(unitsPerSecond: 44_100, duration: 120 * 44_100, confidence: .exact),
        TimelineTrack(unitsPerSecond: 44_100, duration: 60 * 44_100, confidence: .exact),
        TimelineTrack(unitsPerSecond: 48_000, duration: 60 * 48_000, confidence: .container),
    ],
    chapters: [
        Chapter(title: "One", track: 0, start: 0, end: nil, source: "id3"),
        Chapter(title: "Two", track: 0, start: 60 * 44_100, end: nil, source: "id3"),
        Chapter(title: "Three", track: 1, start: 44_100, end: 2 * 44_100, source: "id3"),
        Chapter(title: "Lost", track: 7, start: 0, end: nil, source: "id3"),
    ])

@Suite struct `Book time and track time` {
    struct Row: Sendable, CustomTestStringConvertible {
        var seconds: Double
        var track: Int
        var units: Int64
        var testDescription: String { "\(seconds) s" }
    }

    static let rows = [
        Row(seconds: 0, track: 0, units: 0),
        Row(seconds: 119.5, track: 0, units: 5_269_950),
        Row(seconds: 120, track: 1, units: 0),
        Row(seconds: 179, track: 1, units: 59 * 44_100),
        Row(seconds: 180, track: 2, units: 0),
        Row(seconds: 210.25, track: 2, units: 1_452_000),
        Row(seconds: 240, track: 2, units: 60 * 48_000),
    ]

    @Test(arguments: rows)
    func `a time falls into the track that begins at or before it`(row: Row) {
        let position = MediaPosition(track: row.track, units: row.units)
        #expect(book.position(atSeconds: row.seconds) == position)
        #expect(book.seconds(of: position) == row.seconds)
    }

    @Test func `a time outside the book is its start or end`() {
        #expect(book.position(atSeconds: -5) == .start)
        #expect(book.position(atSeconds: 9999) == MediaPosition(track: 2, units: 60 * 48_000))
        #expect(book.position(atSeconds: .nan) == .start)
        #expect(book.position(atSeconds: .infinity) == .start)
    }

    @Test(arguments: [Int64.max, .max - 600, 1 << 62, nil] as [Int64?])
    func `an impossible length is an end like any other`(length: Int64?) {
        let track = TimelineTrack(unitsPerSecond: 1, duration: length, confidence: .container)
        let book = BookTimeline(tracks: [track], chapters: [])
        let last = MediaPosition(track: 0, units: 9_000_000_000_000_000)
        #expect(book.position(atSeconds: 1e300) == last)
        #expect(book.position(atSeconds: book.duration ?? 1e19) == last)
        #expect(book.position(inTrack: 0, seconds: 1e300) == last)
        #expect(book.position(atSeconds: 5) == MediaPosition(track: 0, units: 5))
    }

    @Test(arguments: [0.001, 0.5, 25, 30, 59.99, 119, 150])
    func `moving forward and back by the same time is the identity`(seconds: Double) {
        for start in [1.0, 60.123, 119.9, 130] {
            let from = book.position(atSeconds: start)
            let there = book.move(from, bySeconds: seconds)
            guard there < MediaPosition(track: 2, units: 0) else { continue }
            #expect(book.move(there, bySeconds: -seconds) == from, "from \(start) s")
        }
    }

    @Test func `the confidence of a book is the lowest of its tracks`() {
        #expect(book.duration == 240)
        #expect(book.confidence == .container)
    }

    @Test func `behind a track of unknown length, times are unknown, not 0`() {
        var partial = BookTimeline(
            tracks: [
                TimelineTrack(unitsPerSecond: 1000, duration: nil, confidence: .exact),
                TimelineTrack(unitsPerSecond: 1000, duration: 5000, confidence: .exact),
            ], chapters: [])
        #expect(partial.duration == nil)
        #expect(partial.confidence == .unknown)
        #expect(partial.seconds(of: MediaPosition(track: 0, units: 1500)) == 1.5)
        #expect(partial.seconds(of: MediaPosition(track: 1, units: 0)) == nil)
        partial.update(track: 0, TimelineTrack(unitsPerSecond: 1000, duration: 2000, confidence: .estimated))
        #expect(partial.seconds(of: MediaPosition(track: 1, units: 0)) == 2)
        #expect(partial.duration == 7)
        #expect(partial.confidence == .estimated)
    }

    @Test func `the sum of a thousand tracks loses no frame`() {
        let track = TimelineTrack(unitsPerSecond: 44_100, duration: 1_234_567, confidence: .exact)
        let long = BookTimeline(tracks: Array(repeating: track, count: 1000), chapters: [])
        for index in [1, 499, 999] {
            let begin = MediaPosition(track: index, units: 1)
            #expect(long.position(atSeconds: long.seconds(of: begin) ?? -1) == begin)
        }
    }
}

@Suite struct `Chapters` {
    struct Row: Sendable, CustomTestStringConvertible {
        var track: Int
        var units: Int64
        var chapter: Int?
        var testDescription: String { "\(track):\(units)" }
    }

    static let rows = [
        Row(track: 0, units: 0, chapter: 0),
        Row(track: 0, units: 60 * 44_100 - 1, chapter: 0),
        // Half-open: a boundary belongs to the chapter that starts there.
        Row(track: 0, units: 60 * 44_100, chapter: 1),
        // The last chapter of a file plays to its end.
        Row(track: 0, units: 120 * 44_100, chapter: 1),
        Row(track: 1, units: 44_100, chapter: 2),
        // It does so even if it is listed with an earlier end.
        Row(track: 1, units: 2 * 44_100, chapter: 2),
        Row(track: 1, units: 44_099, chapter: nil),
    ]

    @Test(arguments: rows)
    func `a place lies in the last chapter that has begun`(row: Row) {
        #expect(book.chapterIndex(at: MediaPosition(track: row.track, units: row.units)) == row.chapter)
    }

    @Test func `the chapter after a gap is the one behind it, not the first one`() {
        #expect(book.lastChapter(begunAt: MediaPosition(track: 1, units: 44_099)) == 1)
        #expect(book.lastChapter(begunAt: MediaPosition(track: 1, units: 44_100)) == 2)
    }

    @Test func `a chapter of a track that does not exist is left out`() {
        #expect(book.chapters.map(\.title) == ["One", "Two", "Three"])
    }

    @Test func `a chapter ends where the next one starts, or with its track`() {
        #expect(book.end(ofChapter: 0) == MediaPosition(track: 0, units: 60 * 44_100))
        #expect(book.end(ofChapter: 1) == MediaPosition(track: 0, units: 120 * 44_100))
        #expect(book.end(ofChapter: 3) == nil)
    }

    @Test func `the last chapter of a file plays to the end of the file, whatever end is listed`() {
        #expect(book.end(ofChapter: 2) == MediaPosition(track: 1, units: 60 * 44_100))
        let claims = [Int64(1000), 5000, 9000].map { end in
            BookTimeline(
                tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 5000, confidence: .exact)],
                chapters: [Chapter(title: nil, track: 0, start: 500, end: end, source: "test")])
        }
        for book in claims {
            #expect(book.end(ofChapter: 0) == MediaPosition(track: 0, units: 5000))
            #expect(book.chapterIndex(at: MediaPosition(track: 0, units: 4999)) == 0)
        }
        // In a file of unknown length, the listed end counts.
        let open = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: nil, confidence: .unknown)],
            chapters: [Chapter(title: nil, track: 0, start: 500, end: 900, source: "test")])
        #expect(open.end(ofChapter: 0) == MediaPosition(track: 0, units: 900))
    }

    @Test func `a gap between two chapters belongs to neither`() {
        let book = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 5000, confidence: .exact)],
            chapters: [
                Chapter(title: "A", track: 0, start: 0, end: 1000, source: "test"),
                Chapter(title: "B", track: 0, start: 2000, end: 3000, source: "test"),
            ])
        let at = { (units: Int64) in book.chapterIndex(at: MediaPosition(track: 0, units: units)) }
        #expect([0, 999, 1000, 1999, 2000, 3000].map(at) == [0, 0, nil, nil, 1, 1])
    }
}

@Suite struct `The length of a book` {
    private func book(
        _ durations: [Int64?], _ confidence: Confidence, chapterEnd: Int64? = nil, reported: Double? = nil
    ) -> BookTimeline {
        BookTimeline(
            tracks: durations.map { TimelineTrack(unitsPerSecond: 1000, duration: $0, confidence: confidence) },
            chapters: chapterEnd.map {
                [Chapter(title: nil, track: durations.count - 1, start: 0, end: $0, source: "test")]
            } ?? [], reported: reported)
    }

    @Test func `is the greatest of the reported length, the sum, and the end of the last chapter`() {
        #expect(book([5000, 5000], .container).duration == 10)
        #expect(book([5000, 5000], .container, reported: 12).duration == 12)
        #expect(book([5000, 5000], .container, reported: 7).duration == 10)
        #expect(book([5000, 5000], .container, chapterEnd: 8000, reported: 12).duration == 13)
        #expect(book([5000, 0], .estimated, chapterEnd: 8000, reported: 0).duration == 13)
    }

    @Test func `is the counted length, if everything was counted`() {
        #expect(book([5000, 5000], .exact, chapterEnd: 4_418_000, reported: 5000).duration == 10)
    }

    @Test func `is unknown if nothing tells it, and not 0`() {
        #expect(book([5000, nil], .container).duration == nil)
        #expect(book([nil], .unknown, reported: 0).duration == nil)
        #expect(book([nil], .unknown, reported: .nan).duration == nil)
        #expect(book([nil], .unknown, reported: 3600).duration == 3600)
        #expect(book([nil], .unknown, chapterEnd: 90_000).duration == 90)
        // The end of a chapter in an earlier file is not the end of the book.
        let partial = BookTimeline(
            tracks: book([5000, nil], .container).tracks,
            chapters: [Chapter(title: nil, track: 0, start: 0, end: 4000, source: "test")])
        #expect(partial.duration == nil)
    }
}

@Suite struct `A place within a file` {
    /// A book in which the length of the first file is unknown.
    private let book = BookTimeline(
        tracks: [
            TimelineTrack(unitsPerSecond: 44_100, duration: nil, confidence: .unknown),
            TimelineTrack(unitsPerSecond: 48_000, duration: 480_000, confidence: .container),
            TimelineTrack(unitsPerSecond: 8000, duration: nil, confidence: .unknown),
        ], chapters: [])

    @Test(arguments: [
        (0, 0.0, Int64(0)), (0, 1e6, 44_100_000_000), (1, 1.5, 72_000), (1, 99, 480_000), (1, -3, 0), (2, 0.000_1, 1),
    ])
    func `is found even if book time is unknown`(_ track: Int, _ seconds: Double, _ units: Int64) {
        #expect(book.position(inTrack: track, seconds: seconds) == MediaPosition(track: track, units: units))
        #expect(book.start(ofTrack: track) == MediaPosition(track: track, units: 0))
    }

    @Test func `does not exist in a file that does not exist`() {
        #expect(book.position(inTrack: 3, seconds: 0) == nil)
        #expect(book.position(inTrack: -1, seconds: 0) == nil)
        #expect(book.position(inTrack: 0, seconds: .nan) == nil)
        #expect(book.start(ofTrack: 3) == nil)
    }

    @Test func `does not move when lengths become known`() {
        var book = book
        let place = MediaPosition(track: 1, units: 72_000)
        #expect(book.seconds(of: place) == nil)
        book.update(track: 0, TimelineTrack(unitsPerSecond: 44_100, duration: 441_000, confidence: .estimated))
        #expect(book.seconds(of: place) == 11.5)
        book.update(track: 0, TimelineTrack(unitsPerSecond: 44_100, duration: 882_000, confidence: .exact))
        #expect(book.seconds(of: place) == 21.5)
        #expect(book.position(atSeconds: 21.5) == place)
    }
}

@Suite struct `Synthetic chapters` {
    private func book(_ durations: [Int64?], chapters: [Chapter] = []) -> BookTimeline {
        BookTimeline(
            tracks: durations.map { TimelineTrack(unitsPerSecond: 44_100, duration: $0, confidence: .container) },
            chapters: chapters)
    }

    @Test func `divide a long file without chapters at a regular interval`() {
        let book = book([Int64(2.6 * 3600 * 44_100)]).withSyntheticChapters(every: 1800)
        #expect(book.chapters.map(\.start) == (0..<6).map { $0 * 1800 * 44_100 })
        #expect(book.chapters.allSatisfy { $0.source == "synthetic" && $0.title == nil })
        #expect(book.end(ofChapter: 5) == MediaPosition(track: 0, units: Int64(2.6 * 3600 * 44_100)))
        #expect(book.chapterIndex(at: MediaPosition(track: 0, units: 1800 * 44_100 - 1)) == 0)
        #expect(book.chapterIndex(at: MediaPosition(track: 0, units: 1800 * 44_100)) == 1)
    }

    @Test func `are not made for a book with chapters or several files, or of short or unknown length`() {
        let long = Int64(4 * 3600 * 44_100)
        let own = [Int64(0), 5000].map { Chapter(title: "Own", track: 0, start: $0, end: nil, source: "id3") }
        #expect(book([long], chapters: own).withSyntheticChapters(every: 1800).chapters == own)
        #expect(book([long, long]).withSyntheticChapters(every: 1800).chapters.isEmpty)
        #expect(book([nil]).withSyntheticChapters(every: 1800).chapters.isEmpty)
        #expect(book([1800 * 44_100]).withSyntheticChapters(every: 1800).chapters.isEmpty)
        #expect(book([long]).withSyntheticChapters(every: 0).chapters.isEmpty)
        #expect(book([long]).withSyntheticChapters(every: .nan).chapters.isEmpty)
    }

    @Test func `replace a single chapter over the whole file, and no other`() {
        let long = Int64(4 * 3600 * 44_100)
        func chapters(_ start: Int64, _ end: Int64?) -> [String] {
            let own = Chapter(title: "Own", track: 0, start: start, end: end, source: "id3")
            return book([long], chapters: [own]).withSyntheticChapters(every: 1800).chapters.map(\.source)
        }
        let made = Array(repeating: "synthetic", count: 8)
        #expect(chapters(0, nil) == made)
        #expect(chapters(0, long) == made)
        #expect(chapters(40_000, long - 40_000) == made)
        #expect(chapters(0, long / 2) == ["id3"])
        #expect(chapters(44_101, long) == ["id3"])
    }

    @Test func `do not end with one of less than a minute`() {
        let (half, minute) = (Int64(1800 * 44_100), Int64(60 * 44_100))
        #expect(book([half + 1]).withSyntheticChapters(every: 1800).chapters.isEmpty)
        #expect(book([half + minute - 1]).withSyntheticChapters(every: 1800).chapters.isEmpty)
        #expect(book([half + minute]).withSyntheticChapters(every: 1800).chapters.map(\.start) == [0, half])
        #expect(book([2 * half + 5]).withSyntheticChapters(every: 1800).chapters.map(\.start) == [0, half])
    }
}

@Suite struct `The files of a book` {
    @Test func `are the listed ones, in their order`() {
        #expect(BookQueue.files(listed: ["2", "1", "2"], chapters: ["3"], own: "4") == ["2", "1", "2"])
    }

    @Test func `are otherwise those that chapters name, each once, in the order of first mention`() {
        #expect(BookQueue.files(chapters: ["b", "a", "b", "c", "a"], own: "4") == ["b", "a", "c"])
    }

    @Test func `are otherwise the book's own file`() {
        #expect(BookQueue.files(own: "4") == ["4"])
        let none: String? = nil
        #expect(BookQueue.files(own: none) == [])
    }

    @Test func `never include a folder`() {
        let isFile = { (name: String) in !name.hasSuffix("/") }
        #expect(BookQueue.files(listed: ["cd1/", "a"], own: "book/", isPlayable: isFile) == ["a"])
        #expect(BookQueue.files(listed: ["cd1/"], chapters: ["cd1/", "b"], own: "book/", isPlayable: isFile) == ["b"])
        #expect(BookQueue.files(own: "book/", isPlayable: isFile).isEmpty)
    }
}
