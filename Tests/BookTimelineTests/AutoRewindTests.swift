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

    // Track, units, seconds back, and the resulting track and units.
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

    /// Seconds of content at a setting of 30 s, by pause (rows) and position (columns).
    @Test func `depends on the length of the pause and the position`() {
        let places: [(String, MediaPosition)] = [
            ("in a chapter", MediaPosition(track: 0, units: 90_000)),
            ("8 s into it", MediaPosition(track: 0, units: 48_000)),
            ("at its start", MediaPosition(track: 0, units: 40_000)),
            ("8 s into a file", MediaPosition(track: 1, units: 4_000)),
            ("1 s into all", MediaPosition(track: 0, units: 1_000)),
        ]
        func row(_ cells: [String]) -> String {
            cells.map { String(repeating: " ", count: max(0, 17 - $0.count)) + $0 }.joined()
        }
        let pauses: [(String, Double)] = [
            ("9 s", 9), ("10 s", 10), ("1 min", 60), ("5 min", 300), ("1 h", 3_600), ("1 day", 86_400),
        ]
        let rows = pauses.map { name, pause in
            row(
                [name]
                    + places.map { _, place in
                        let back = book.rewound(place, bySeconds: AutoRewind.seconds(after: pause, most: 30))
                        let pace = book.tracks[place.track].unitsPerSecond
                        return "\(Int(Double(place.units - back.units) / pace)) s"
                    })
        }
        let table = """
                        pause     in a chapter      8 s into it     at its start  8 s into a file     1 s into all
                          9 s              0 s              0 s              0 s              0 s              0 s
                         10 s              2 s              2 s              0 s              2 s              1 s
                        1 min              5 s              5 s              0 s              5 s              1 s
                        5 min             10 s              8 s              0 s              8 s              1 s
                          1 h             20 s              8 s              0 s              8 s              1 s
                        1 day             30 s              8 s              0 s              8 s              1 s
            """
        #expect(([row(["pause"] + places.map(\.0))] + rows).joined(separator: "\n") == table)
    }
}
