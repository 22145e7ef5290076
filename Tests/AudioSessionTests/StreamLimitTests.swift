// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AudioSession

@Suite struct `The limit of a stream` {
    /// The block has the 100 frames of the units from 1000 to 1200 of track 2.
    @Test(
        arguments: [
            (nil, 100, false), (.place(3, 0), 100, false), (.place(2, 1200), 100, false),
            (.place(2, 1199), 99, true), (.place(2, 1100), 50, true), (.place(2, 1001), 0, true),
            (.place(2, 1000), 0, true), (.place(2, 0), 0, true), (.place(1, 9999), 0, true),
        ] as [(HeardPosition?, Int, Bool)])
    func `cuts a block`(at place: HeardPosition?, leaves frames: Int, reached: Bool) {
        var limit = StreamLimit(place)
        let cut = limit.cut(.unread(100, track: 2, units: 1000..<1200), begins: false)
        #expect(cut.frames == frames && cut.isEnd == reached && limit.isReached == reached)
        #expect(cut.positionEnd == (reached ? place?.units : 1200) && cut.track == (reached ? place?.track : 2))
        #expect(limit.place == place)
    }

    @Test(arguments: [(999, true), (1000, true), (1001, false)] as [(Int64, Bool)])
    func `is dropped by sound that begins behind it`(at units: Int64, isDropped: Bool) {
        var limit = StreamLimit(.place(2, units))
        let cut = limit.cut(.unread(100, track: 2, units: 1000..<1200), begins: true)
        #expect((limit.place == nil) == isDropped)
        #expect(limit.isReached != isDropped)
        #expect((cut.frames == 100) == isDropped)
    }

    @Test func `is not reached any more when it has moved on`() {
        var limit = StreamLimit(.place(2, 1100))
        _ = limit.cut(.unread(100, track: 2, units: 1000..<1200), begins: false)
        limit.move(to: .place(2, 1300))
        let cut = limit.cut(.unread(100, track: 2, units: 1000..<1200), begins: false)
        #expect(cut.frames == 100 && !limit.isReached)
    }
}
