// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import FFmpegAudio

/// Tests with frames of 100 samples.
@Suite struct TrackExtentTests {
    /// A track whose first frame is at 1000, with 30 samples before the first audible one.
    private func extent(padding: Range<Int64>? = nil, end: Int64? = nil) -> TrackExtent {
        var extent = TrackExtent()
        extent.begin(at: 1000, delay: 30, padding: padding)
        if let end { extent.cut(at: end) }
        return extent
    }

    @Test func `units count from the first audible sample`() {
        var extent = extent()
        #expect(extent.first == 1000 && extent.origin == 1030 && extent.delay == 30)
        #expect(extent.unit(of: 1130) == 100 && extent.raw(of: 100) == 1130)
        extent.shift(by: -10)
        #expect(extent.first == 990 && extent.origin == 1020 && extent.delay == 30)
    }

    @Test(
        arguments: [
            ("a whole frame", 2000, 0, nil, nil, 100),
            ("padding that the codec reports", 2000, 40, nil, nil, 60),
            ("nothing but padding", 2000, 100, nil, nil, 0),
            ("more padding than there is behind the delay", 1000, 80, nil, nil, 100),
            ("padding that just fits behind the delay", 1000, 70, nil, nil, 30),
            ("the tag's padding, from sample 1060 of 1000", 2000, 0, 1060..<1200, nil, 60),
            ("a frame within the tag's padding", 2100, 0, 1060..<1200, nil, 0),
            ("a frame behind the tag's padding", 2200, 0, 1060..<1200, nil, 100),
            ("the end that the container states", 2000, 0, nil, 1000, 30),
            ("a frame behind that end", 2100, 0, nil, 1000, -70),
            ("padding before that end", 2000, 80, nil, 1000, 20),
        ] as [(String, Int64, UInt32, Range<Int64>?, Int64?, Int64)])
    func `a frame is audible up to the padding and the end of the track`(
        _ what: String, _ raw: Int64, _ trimmed: UInt32, _ padding: Range<Int64>?, _ end: Int64?, _ audible: Int64
    ) {
        let samples = extent(padding: padding, end: end).samples(ofFrameAt: raw, count: 100, trimmed: trimmed)
        #expect(samples == audible, "\(what)")
    }
}
