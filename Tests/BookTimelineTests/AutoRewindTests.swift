// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import Testing

@Suite struct `Auto-rewind` {
    @Test(arguments: [
        (0.0, 30.0, 0.0), (9.9, 30, 0), (10, 30, 2), (59, 30, 2), (60, 30, 5), (300, 30, 10), (3_600, 30, 20),
        (86_400, 30, 30), (1e9, 30, 30), (1e9, 7, 7), (1e9, 0, 0), (-5, 30, 0), (.infinity, 30, 0), (.nan, 30, 0),
    ])
    func `follows the length of the pause, up to the setting`(_ pause: Double, _ most: Double, _ back: Double) {
        #expect(AutoRewind.seconds(after: pause, most: most) == back)
    }

    @Test func `is never longer than the pause`() {
        for pause in stride(from: 0.0, through: 200_000, by: 7.3) {
            #expect(AutoRewind.seconds(after: pause, most: 60) <= pause)
        }
    }

    private let book = BookTimeline(
        tracks: [
            TimelineTrack(unitsPerSecond: 1000, duration: 100_000, confidence: .exact),
            TimelineTrack(unitsPerSecond: 500, duration: 50_000, confidence: .exact),
        ],
        chapters: [
            Chapter(title: "1", track: 0, start: 0, end: nil, source: "test"),
            Chapter(title: "2", track: 0, start: 40_000, end: nil, source: "test"),
        ])

    // Track, units, seconds back, and where that is.
    @Test(arguments: [
        (0, Int64(60_000), 10.0, 0, Int64(50_000)), (0, 45_000, 10, 0, 40_000), (0, 40_000, 10, 0, 40_000),
        (0, 39_999, 10, 0, 29_999), (0, 3_000, 10, 0, 0), (1, 2_000, 10, 1, 0), (1, 20_000, 10, 1, 15_000),
        (0, 60_000, 0, 0, 60_000),
    ])
    func `stays in the chapter and in the file`(
        _ track: Int, _ units: Int64, _ seconds: Double, _ backTrack: Int, _ backUnits: Int64
    ) {
        #expect(
            book.rewound(MediaPosition(track: track, units: units), bySeconds: seconds)
                == MediaPosition(track: backTrack, units: backUnits))
    }
}
