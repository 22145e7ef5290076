// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PulseOutput

@Suite struct StreamIndexTests {
    @Test func `without silence the index is the frame`() {
        let index = StreamIndex()
        #expect([0, 7, 90_000].allSatisfy { index.index(of: $0) == $0 && index.frame(at: $0) == $0 })
    }

    @Test func `silence that was not taken leaves no trace`() {
        var index = StreamIndex()
        index.pad(50)
        index.replace(from: 1000)
        #expect(index.padding == 0)
        #expect(index.index(of: 1000) == 1000)
        #expect(index.frame(at: 1020) == 1020)
    }

    @Test func `silence that was taken is no frame, and what follows comes behind it`() {
        var index = StreamIndex()
        index.pad(50)
        index.keepPadding(before: 1000)
        #expect(index.index(of: 999) == 999)
        #expect(index.index(of: 1000) == 1050)
        #expect([999, 1000, 1049, 1050, 1051].map { index.frame(at: $0) } == [999, 1000, 1000, 1000, 1001])
    }

    @Test(arguments: [(2000, 2050, 2100), (1000, 1000, 1100)])
    func `silences add up, with and without sound between them`(_ frame: Int64, _ before: Int64, _ after: Int64) {
        var index = StreamIndex()
        index.pad(50)
        index.keepPadding(before: 1000)
        index.pad(50)
        index.keepPadding(before: frame)
        #expect(index.index(of: frame) == after)
        #expect([before, after - 1, after].map { index.frame(at: $0) } == [frame, frame, frame])
        #expect(index.frame(at: before - 1) == frame - 1)
    }

    @Test func `before a silence ends, the frame behind it is not heard`() {
        var index = StreamIndex()
        index.pad(50)
        index.keepPadding(before: 0)
        #expect([-1, 0, 49, 50, 51].map { index.heard(at: $0) } == [-1, -1, -1, 0, 1])
    }

    @Test func `a replacement of frames before the silence takes its place, too`() {
        var index = StreamIndex()
        index.pad(50)
        index.keepPadding(before: 1000)
        index.replace(from: 900)
        #expect(index.index(of: 900) == 900)
        #expect(index.index(of: 2000) == 2000)
        #expect(index.frame(at: 1020) == 1020)
    }
}
