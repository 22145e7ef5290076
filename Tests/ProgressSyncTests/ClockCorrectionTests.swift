// SPDX-License-Identifier: Apache-2.0

import BookTimeline
import ProgressSync
import Testing

@Suite struct `The clock of a server` {
    @Test func `corrects the stamps of a machine that is a day off`() {
        var clock = ClockCorrection()
        #expect(clock.corrected(5_000) == 5_000)
        clock.note(date: 86_400_000, at: 0)
        #expect(clock.corrected(5_000) == 86_405_000)
        // The whole seconds of the header are no difference.
        clock.note(date: 10_000, at: 11_400)
        #expect(clock.corrected(5_000) == 5_000)
    }

    @Test func `survives any date`() {
        var clock = ClockCorrection()
        clock.note(date: .max, at: .min)
        #expect(clock.offset == nil)
        clock.note(date: .max, at: 0)
        #expect(clock.corrected(.max) == .max)
    }

    @Test func `corrects what was heard before its first answer, once`() {
        var state = ProgressState(length: 1_000_000)
        var clock = ClockCorrection()
        state.note(ProgressRecord(milliseconds: 1, updatedAt: 1_000, provenance: .heard), clock: clock)
        clock.note(date: 86_400_000, at: 0)
        state.correct(by: clock)
        state.correct(by: clock)
        #expect(state.local?.updatedAt == 86_401_000)
        #expect(state.pending?.updatedAt == 86_401_000)
    }

    @Test func `lets no record lie in the future`() {
        var state = ProgressState(length: 1_000_000)
        state.note(
            remote: .record(ProgressRecord(milliseconds: -5, updatedAt: .max, provenance: .restored)), at: 7_000,
            rules: ProgressRules())
        #expect(state.remote.record?.updatedAt == 7_000)
        #expect(state.remote.record?.milliseconds == 0)
    }
}
