// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `What is heard when` {
    private static func feed(_ points: [(time: Int64, generation: UInt32, track: Int, units: Int64)]) -> HeardFeed {
        let feed = HeardFeed()
        _ = feed.publish(count: points.count) { index in
            HeardFeed.Point(
                time: points[index].time,
                place: HeardPosition(
                    generation: points[index].generation, track: points[index].track, units: points[index].units))
        }
        return feed
    }

    @Test(
        arguments: [
            (time: -1, track: -1, units: -1), (time: 0, track: 0, units: 0), (time: 50, track: 0, units: 500),
            (time: 100, track: 0, units: 1000),
            // A pause: the same place.
            (time: 150, track: 0, units: 1000), (time: 200, track: 0, units: 1000),
            // To the next file: what is heard between is told from the side that is sure.
            (time: 250, track: 0, units: 1000), (time: 300, track: 1, units: 40), (time: 350, track: 1, units: 540),
            // More was not rendered.
            (time: 400, track: 1, units: 1040), (time: 9999, track: 1, units: 1040),
        ] as [(time: Int64, track: Int, units: Int64)])
    func `between two points of a track in proportion`(time: Int64, track: Int, units: Int64) {
        let feed = Self.feed([(0, 1, 0, 0), (100, 1, 0, 1000), (200, 1, 0, 1000), (300, 1, 1, 40), (400, 1, 1, 1040)])
        let expected = track < 0 ? nil : HeardPosition(generation: 1, track: track, units: units)
        #expect(feed.place(at: time) == expected)
    }

    @Test func `what is said last replaces what was said before`() {
        let feed = Self.feed([(0, 1, 0, 0), (100, 1, 0, 1000)])
        _ = feed.publish(count: 1) { _ in
            HeardFeed.Point(time: 20, place: HeardPosition(generation: 2, track: 0, units: 7))
        }
        #expect(feed.place(at: 10) == nil)
        #expect(feed.place(at: 90) == HeardPosition(generation: 2, track: 0, units: 7))
    }
}
