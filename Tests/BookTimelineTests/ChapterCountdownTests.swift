// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@Suite struct `Chapters to fall asleep with` {
    private func book(minutes: [Int64], of track: Int64? = nil) -> BookTimeline {
        var start: Int64 = 0
        let chapters = minutes.map { length in
            defer { start += length * 60_000 }
            return Chapter(title: "\(length)", track: 0, start: start, end: nil, source: "test")
        }
        let length = track ?? start
        return BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: length, confidence: .exact)], chapters: chapters)
    }

    private func at(_ seconds: Int64) -> MediaPosition { MediaPosition(track: 0, units: seconds * 1000) }

    @Test(arguments: [(1.0, 7), (2.0, 13), (0.5, 5)])
    func `continue to the first end beyond an hour of wall-clock time`(_ rate: Double, _ count: Int) {
        let countdowns = book(minutes: Array(repeating: 10, count: 20)).chapterCountdowns(from: at(0), rate: rate)
        #expect(countdowns.map(\.index) == Array(0..<count))
        #expect(countdowns.first?.seconds == 600 / rate)
        #expect(countdowns.last.map { $0.seconds > 3600 } == true)
    }

    @Test func `are at least five, starting with the present one`() {
        let countdowns = book(minutes: [50, 50, 50, 50, 50, 50, 50]).chapterCountdowns(from: at(4_000), rate: 1)
        #expect(countdowns.map(\.index) == [1, 2, 3, 4, 5])
        #expect(countdowns.map(\.seconds) == [2_000, 5_000, 8_000, 11_000, 14_000])
        #expect(countdowns.map(\.endMs) == [6_000_000, 9_000_000, 12_000_000, 15_000_000, 18_000_000])
        #expect(countdowns.first?.title == "50")
    }

    @Test func `are fewer if the book has fewer`() {
        let timeline = book(minutes: [10, 10, 10])
        #expect(timeline.chapterCountdowns(from: at(1_300), rate: 1).map(\.index) == [2])
        #expect(timeline.chapterCountdowns(from: at(1_800), rate: 1).isEmpty)
        #expect(book(minutes: [], of: 1_000).chapterCountdowns(from: at(0), rate: 1).isEmpty)
        #expect(timeline.chapterCountdowns(from: at(0), rate: 0).isEmpty)
    }

    @Test func `start with the next one in a gap`() {
        let chapters = [(60, 120), (180, 240)].map { start, end in
            Chapter(title: nil, track: 0, start: Int64(start) * 1000, end: Int64(end) * 1000, source: "test")
        }
        let timeline = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 300_000, confidence: .exact)], chapters: chapters)
        #expect(timeline.chapterCountdowns(from: at(0), rate: 1).map(\.seconds) == [120, 300])
        #expect(timeline.chapterCountdowns(from: at(150), rate: 1).map(\.index) == [1])
    }

    @Test func `count once where one contains another`() {
        let chapters = [(0, 600), (300, 600), (600, 900)].map { start, end in
            Chapter(title: nil, track: 0, start: Int64(start) * 1000, end: Int64(end) * 1000, source: "test")
        }
        let timeline = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 900_000, confidence: .exact)], chapters: chapters)
        #expect(timeline.chapterCountdowns(from: at(0), rate: 1).map(\.seconds) == [600, 900])
    }
}
