// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import EngineBridge

@Suite struct ProcessorWatchTests {
    /// Returns the verdicts on windows of 10 s, on two cores.
    ///
    /// Each window has the processor time that was used, in windows, and whether something was requested before it.
    private func excess(_ windows: [(used: Double, isAsked: Bool)]) -> [Bool] {
        var watch = ProcessorWatch()
        var now: UInt64 = 5
        var used: UInt64 = 7
        watch.noteRequest(at: now, used: used)
        return windows.map { window in
            if window.isAsked { watch.noteRequest(at: now, used: used) }
            now += ProcessorWatch.window
            used += UInt64(window.used * Double(ProcessorWatch.window))
            return watch.excess(at: now, used: used, cores: 2) != nil
        }
    }

    @Test func `an engine that renders may use what it needs`() {
        #expect(excess([(1.5, true), (0.3, true), (1.8, true)]) == [false, false, false])
        #expect(excess([(1.95, true)]) == [true], "all cores for ten seconds is too much for anybody")
    }

    @Test func `an idle engine may not use the processor`() {
        #expect(excess([(0.3, true), (0.4, false), (0.6, false)]) == [false, false, true])
    }

    @Test func `nothing is measured while the engine is idle`() {
        var watch = ProcessorWatch()
        #expect(watch.deadline == nil)
        watch.noteRequest(at: 0, used: 0)
        #expect(watch.deadline == ProcessorWatch.window)
        var found = watch.excess(at: ProcessorWatch.window / 2, used: ProcessorWatch.window, cores: 1)
        #expect(found == nil, "the window is not over")
        found = watch.excess(at: ProcessorWatch.window, used: 1_000, cores: 1)
        #expect(found == nil && watch.deadline == 2 * ProcessorWatch.window)
        found = watch.excess(at: 2 * ProcessorWatch.window, used: 2_000, cores: 1)
        #expect(found == nil && watch.deadline == nil)
    }
}
