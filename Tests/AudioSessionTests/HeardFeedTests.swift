// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import CAllocationCount
import Clocks
import Testing

@testable import AudioSession

@Suite struct `The forecast of the audible position` {
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
            // A pause repeats the position.
            (time: 150, track: 0, units: 1000), (time: 200, track: 0, units: 1000),
            // Before the next file, the position is that of the last certain point.
            (time: 250, track: 0, units: 1000), (time: 300, track: 1, units: 40), (time: 350, track: 1, units: 540),
            // No more was rendered.
            (time: 400, track: 1, units: 1040), (time: 9999, track: 1, units: 1040),
        ] as [(time: Int64, track: Int, units: Int64)])
    func `interpolates between two points of a track`(time: Int64, track: Int, units: Int64) {
        let feed = Self.feed([(0, 1, 0, 0), (100, 1, 0, 1000), (200, 1, 0, 1000), (300, 1, 1, 40), (400, 1, 1, 1040)])
        let expected = track < 0 ? nil : HeardPosition(generation: 1, track: track, units: units)
        #expect(feed.place(at: time) == expected)
    }

    @Test(arguments: [(-1, nil), (0, 0), (50, 500), (99, 990), (100, nil), (9999, nil)] as [(Int64, Int64?)])
    func `answers between two points and not beyond them`(time: Int64, units: Int64?) {
        let feed = Self.feed([(0, 1, 0, 0), (100, 1, 0, 1000)])
        #expect(feed.foretoldPlace(at: time) == units.map { HeardPosition(generation: 1, track: 0, units: $0) })
    }

    @Test func `does not play on for ever after its output stops publishing`() {
        let second = MonotonicTime.second
        let feed = Self.feed([(0, 1, 0, 0), (3 * second, 1, 0, 3_000)])
        for time in [2 * second, 2_500_000_000, 3 * second, 900 * second] {
            #expect(feed.place(at: time)?.units == 2_000 && feed.foretoldPlace(at: time)?.units == 2_000)
        }
    }

    @Test func `is replaced by the next one`() {
        let feed = Self.feed([(0, 1, 0, 0), (100, 1, 0, 1000)])
        _ = feed.publish(count: 1) { _ in
            HeardFeed.Point(time: 20, place: HeardPosition(generation: 2, track: 0, units: 7))
        }
        #expect(feed.place(at: 10) == nil)
        #expect(feed.place(at: 90) == HeardPosition(generation: 2, track: 0, units: 7))
    }

    /// Each turn fills the device and publishes the forecast.
    @Test func `allocates nothing when it is published`() throws {
        let source = FakeSource()
        let device = FixedDevice(format: source.format)
        let feed = HeardFeed()
        var request = StreamRequest.test(FixedSource(source, frames: 960_000))
        request.feed = feed
        let session = StreamSession(request, device: device, aheadFrames: 96_000)
        func turns(_ count: Int) throws {
            for _ in 0..<count {
                device.heard = min(device.heard + 1_200, device.written)
                _ = try session.turn(at: device.heard * MonotonicTime.second / 48_000)
            }
        }
        try turns(3)
        #expect(session.takeEvents().count == 1, "it has started")
        allocation_count_begin()
        try turns(400)
        #expect(allocation_count_end() == 0)
        #expect(device.heard == 402 * 1_200, "nothing was there to hear in the first turn")
        #expect(feed.place(at: device.heard * MonotonicTime.second / 48_000)?.units == device.heard)
        // The forecast also covers half a second ahead.
        let later = (device.heard + 24_000) * MonotonicTime.second / 48_000
        #expect(abs((feed.place(at: later)?.units ?? 0) - device.heard - 24_000) <= 1)
    }
}
