// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import MediaPlayback
import RandomTestSupport
import Testing

@Suite struct `The bounds of a clip` {
    /// A book of three files, of 60 s, 0.4 s and 30 s.
    private static let book = BookTimeline(
        tracks: [
            TimelineTrack(unitsPerSecond: 1000, duration: 60_000, confidence: .exact),
            TimelineTrack(unitsPerSecond: 500, duration: 200, confidence: .exact),
            TimelineTrack(unitsPerSecond: 1000, duration: 30_000, confidence: .exact),
        ], chapters: [])

    private static func at(_ track: Int, _ units: Int64) -> MediaPosition { MediaPosition(track: track, units: units) }

    @Test(arguments: [
        // The place, the seconds before and behind it, and the bounds.
        (at(0, 30_000), 10.0, 10.0, at(0, 20_000), at(0, 40_000)),
        (at(0, 3_000), 10, 10, at(0, 0), at(0, 13_000)),
        (at(0, 58_000), 10, 10, at(0, 48_000), at(2, 7_600)),
        (at(2, 1_000), 10, 10, at(0, 51_400), at(2, 11_000)),
        (at(2, 29_000), 10, 10, at(2, 19_000), at(2, 30_000)),
        (at(0, 30_000), 0, 0, at(0, 30_000), at(0, 31_000)),
        (at(2, 30_000), 0, 0, at(2, 29_000), at(2, 30_000)),
        (at(2, 30_000), 0, 10, at(2, 29_000), at(2, 30_000)),
        (at(0, 59_800), 0, 0, at(0, 59_800), at(2, 400)),
        (at(0, 30_000), 1e9, 1e9, at(0, 0), at(2, 30_000)),
        (at(0, 30_000), .nan, .infinity, at(0, 30_000), at(0, 31_000)),
    ])
    func `lie around a place, within the book`(
        _ place: MediaPosition, _ before: Double, _ after: Double, _ start: MediaPosition, _ end: MediaPosition
    ) throws {
        let bounds = try #require(ClipBounds(around: place, before: before, after: after, in: Self.book))
        #expect((bounds.start, bounds.end) == (start, end))
    }

    @Test(arguments: [
        (at(0, 10_000), at(0, 9_999)), (at(3, 0), at(3, 10)), (at(-1, 0), at(0, 10_000)), (at(0, 0), at(7, 0)),
    ])
    func `that cannot be are refused`(_ start: MediaPosition, _ end: MediaPosition) {
        #expect(ClipBounds(from: start, to: end, in: Self.book) == nil)
    }

    @Test func `of a recording that is shorter than a second are all of it`() {
        let short = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 300, confidence: .exact)], chapters: [])
        let bounds = ClipBounds(around: Self.at(0, 100), before: 0, after: 0, in: short)
        #expect(bounds?.start == Self.at(0, 0))
        #expect(bounds?.end == Self.at(0, 300))
        let empty = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: 0, confidence: .exact)], chapters: [])
        #expect(ClipBounds(around: .start, before: 10, after: 10, in: empty) == nil)
        #expect(ClipBounds(around: .start, before: 10, after: 10, in: BookTimeline(tracks: [], chapters: [])) == nil)
    }

    @Test func `in a recording of unknown length have no end but what was asked for`() {
        let live = BookTimeline(
            tracks: [TimelineTrack(unitsPerSecond: 1000, duration: nil, confidence: .unknown)], chapters: [])
        let bounds = ClipBounds(around: Self.at(0, 5_000), before: 10, after: 10, in: live)
        #expect(bounds?.start == Self.at(0, 0))
        #expect(bounds?.end == Self.at(0, 15_000))
    }

    @Test func `are at least a second apart and within the book, whatever is asked for`() {
        var random = SplitMix(state: 17)
        for _ in 0..<20_000 {
            func place() -> MediaPosition {
                Self.at(Int.random(in: -1...3, using: &random), Int64.random(in: -5_000...70_000, using: &random))
            }
            let (start, end) = (place(), place())
            guard let bounds = ClipBounds(from: start, to: end, in: Self.book) else { continue }
            let seconds = bounds.seconds(in: Self.book) ?? 0
            #expect(seconds >= ClipBounds.shortest - 0.002, "\(start) to \(end): \(bounds)")
            for position in [bounds.start, bounds.end] {
                let length = Self.book.tracks[position.track].duration ?? 0
                #expect((0...length).contains(position.units), "\(start) to \(end): \(bounds)")
            }
        }
    }
}
