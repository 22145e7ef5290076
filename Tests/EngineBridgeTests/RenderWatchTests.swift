// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EngineBridge

/// Tests with times of an arbitrary unit and a patience of 10.
@Suite struct RenderWatchTests {
    /// Checks at these moments; returns those at which the engine is asked.
    private func asked(_ looks: [(now: UInt64, isLow: Bool, written: UInt64)]) -> [UInt64] {
        var watch = RenderWatch()
        return looks.filter {
            watch.mustAsk(isLow: $0.isLow, written: $0.written, now: $0.now, patience: 10)
        }.map(\.now)
    }

    @Test func `an engine whose ring is full enough is not asked`() {
        #expect(asked([(0, false, 5), (100, false, 5), (200, false, 5)]).isEmpty)
    }

    @Test func `an engine that delivers nothing when it should is asked once`() {
        #expect(asked([(0, true, 5), (5, true, 5), (10, true, 5), (20, true, 5), (500, true, 5)]) == [10])
    }

    @Test func `an engine that keeps delivering is not asked`() {
        #expect(asked([(0, true, 5), (10, true, 6), (19, true, 6), (20, true, 7), (29, true, 7)]).isEmpty)
    }

    @Test func `an engine that hangs after more output is asked, too`() {
        #expect(asked([(0, true, 5), (10, true, 6), (20, true, 6)]) == [20])
        #expect(asked([(0, true, 5), (10, true, 5), (30, true, 6), (40, true, 6)]) == [10, 40])
    }

    @Test func `the time counts from the moment when the level falls, and from each new start`() {
        #expect(asked([(0, false, 5), (100, true, 5), (105, true, 5), (110, true, 5)]) == [110])
        var watch = RenderWatch()
        var isAsked = watch.mustAsk(isLow: true, written: 5, now: 0, patience: 10)
        #expect(!isAsked && watch.deadline == 10)
        watch.begin(written: 5)
        #expect(watch.deadline == nil)
        isAsked = watch.mustAsk(isLow: true, written: 5, now: 10, patience: 10)
        #expect(!isAsked && watch.deadline == 20)
    }
}
