// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

/// Tests with numbers of a track, all of which come from an engine, or from a library that somebody may have written
/// to.
@Suite struct `Impossible numbers of a track` {
    static let unitRates = [
        .leastNonzeroMagnitude, 1e-300, 1e-9, 0.0999, 0.1, 1e6, 1_000_001, 1e300, .greatestFiniteMagnitude, .infinity,
        -.infinity, .nan,
        -1, -0.0,
    ]
    static let lengths: [Int64?] = [nil, .min, 0, 1, 1 << 53, .max]

    private func book(_ pace: Double, _ length: Int64?) -> BookTimeline {
        let track = TimelineTrack(unitsPerSecond: pace, duration: length, confidence: .exact)
        let starts: [Int64] = [0, 5, 1 << 53, .max]
        return BookTimeline(
            tracks: [track, TimelineTrack(unitsPerSecond: 44_100, duration: length, confidence: .exact), track],
            chapters: (0..<3).flatMap { index in
                starts.map { Chapter(title: nil, track: index, start: $0, end: $0 == 5 ? .max : nil, source: "test") }
            })
    }

    @Test(arguments: unitRates, lengths) func `give finite times and valid positions`(_ pace: Double, _ length: Int64?)
    {
        let book = book(pace, length)
        let places = [0, 3, 5, 1 << 53, .max].flatMap { (units: Int64) in
            book.tracks.indices.map { MediaPosition(track: $0, units: units) }
        }
        for place in places {
            #expect(book.seconds(of: place)?.isFinite != false)
            #expect(book.milliseconds(of: place) ?? 0 >= 0)
            for rate in [0.1, 1, 100] {
                for countdown in book.chapterCountdowns(from: place, rate: rate) {
                    #expect(countdown.seconds.isFinite && countdown.endMs >= 0)
                    #expect(BookTimeline.milliseconds(countdown.seconds) >= 0)
                }
            }
            for seconds in [-1e300, -1e9, 0, 30, 1e9, 1e300] {
                let moved = book.move(place, bySeconds: seconds)
                #expect(book.tracks.indices.contains(moved.track) && moved.units >= 0)
                #expect(book.position(inTrack: place.track, seconds: seconds).map { $0.units >= 0 } == true)
            }
        }
        #expect(book.duration?.isFinite != false)
        let long = BookTimeline(tracks: [book.tracks[0]], chapters: [])
        for interval in [60, 1800, 1e300] {
            #expect(long.withSyntheticChapters(every: interval).chapters.allSatisfy { $0.start >= 0 })
        }
    }

    @Test(arguments: [
        (Double.nan, Int64(0)), (.infinity, 9_000_000_000_000_000), (-.infinity, -9_000_000_000_000_000),
        (1e300, 9_000_000_000_000_000), (-0.0005, -1), (0.0009, 0), (1.001, 1001),
    ])
    func `are clamped when they become milliseconds`(_ seconds: Double, _ milliseconds: Int64) {
        #expect(BookTimeline.milliseconds(seconds) == milliseconds)
    }
}
