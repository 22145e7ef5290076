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

    @Test func `times outside the book are its ends`() {
        #expect(book.position(atSeconds: -5) == .start)
        #expect(book.position(atSeconds: 9999) == MediaPosition(track: 2, units: 60 * 48_000))
        #expect(book.position(atSeconds: .nan) == .start)
        #expect(book.position(atSeconds: .infinity) == .start)
    }

    @Test(arguments: [0.001, 0.5, 25, 30, 59.99, 119, 150])
    func `going on and back by the same time is the identity`(seconds: Double) {
        for start in [1.0, 60.123, 119.9, 130] {
            let from = book.position(atSeconds: start)
            let there = book.move(from, bySeconds: seconds)
            guard there < MediaPosition(track: 2, units: 0) else { continue }
            #expect(book.move(there, bySeconds: -seconds) == from, "from \(start) s")
        }
    }

    @Test func `the book is as sure of its length as its least sure track`() {
        #expect(book.duration == 240)
        #expect(book.confidence == .container)
    }

    @Test func `behind a track of unknown length times are unknown, not 0`() {
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

    @Test func `a thousand tracks add up without a lost frame`() {
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
        // Half-open: a boundary belongs to the chapter that it begins.
        Row(track: 0, units: 60 * 44_100, chapter: 1),
        // The last chapter of a file plays to its end.
        Row(track: 0, units: 120 * 44_100, chapter: 1),
        Row(track: 1, units: 44_100, chapter: 2),
        // Behind an end that the file gives, nothing.
        Row(track: 1, units: 2 * 44_100, chapter: nil),
    ]

    @Test(arguments: rows)
    func `a place lies in the last chapter that has begun`(row: Row) {
        #expect(book.chapterIndex(at: MediaPosition(track: row.track, units: row.units)) == row.chapter)
    }

    @Test func `a chapter of a track that does not exist is left out`() {
        #expect(book.chapters.map(\.title) == ["One", "Two", "Three"])
    }

    @Test func `a chapter ends where the next one begins, or with its track`() {
        #expect(book.end(ofChapter: 0) == MediaPosition(track: 0, units: 60 * 44_100))
        #expect(book.end(ofChapter: 1) == MediaPosition(track: 0, units: 120 * 44_100))
        #expect(book.end(ofChapter: 2) == MediaPosition(track: 1, units: 2 * 44_100))
        #expect(book.end(ofChapter: 3) == nil)
    }
}
